"""The promises of the dataset, one sentence per check. docs/reference/checks.md is generated from this table."""

from __future__ import annotations

PROMISES: dict[str, str] = {
    # accounting.py
    "files": "Every part and every rejections file has the records, reasons and SHA-256 that its manifest says.",
    "accounting": "Every id that a stage reads is written or rejected, once: read = written + rejected, id by id.",
    "chain": "Every stage was made from the outputs of this run, with this configuration and seed.",
    "carried": "Questions, candidates, alternatives and scores are carried on unchanged; a problem is the selected alternative.",
    # ranking.py
    "event-scores": "If a key asks for event scores, all valid candidates reach retrieve.min_event_score; else no scores exist.",
    "rank-order": "The valid candidates of each blank are in the order of retrieve.rank_by, at most retrieve.max_valid of them.",
    "best-passage": "By rank, candidates became passages or were refused, up to choices.max_alternatives; blank 0 comes first.",
    # alternatives.py
    "alternatives": "An article has from one to choices.max_alternatives problems, and no two of them are equal.",
    "choice-sets": "Choices selected from too many persons are the answer and others by hash, mentions or first mention.",
    "blanks": "The blanks of a question delete persons from the last one on; with questions.persons: last, only one.",
    # problems.py
    "choices-count": "A problem has from choices.min_choices to choices.max_choices choices.",
    "choices-distinct": "No two choices have the same name, and none is a form of another, except of a relative's name.",
    "answer": "Exactly one choice has the name of the answer, and that name shares an identifying token with the deleted name.",
    "mentions": "Every choice is named in the passage at each of its offsets, and at least once by its full name.",
    "question-persons": "No person that the question still names is a choice; a namesake may be, if choices.keep_namesakes.",
    "blank": "The blank's offsets and tokens mark the same words of the sentence, and the name is within them.",
    "name-outside": "No word of the deleted name occurs outside the blank (if questions.refuse_name_outside).",
    # passages.py
    "question-source": "The question's sentence is in the first paragraph of its article, and has its date.",
    "passage-source": "The passage is the text of its article, with its date, source and title.",
    "own-article": "The passage is not the article that the question comes from.",
    "window": "The passage's date lies in the recorded window, and in no nearer window of the configuration.",
    "sentence-overlap": "No passage sentence shares more than retrieve.max_sentence_overlap of its words with the question.",
    "context-runs": "The passage does not contain the words beside the blank in order, on either side.",
    "other-person": "The passage names another person of the question (if retrieve.require_other_person).",
    "reprint": "The passage shares a smaller part of its 8-grams with the question's article than retrieve.max_reprint.",
    # duplicates.py
    "duplicates": "No two kept questions share dedup.threshold of the shorter one's words.",
    "dropped-duplicates": "Every dropped duplicate names an earlier question that it duplicates and that is not a duplicate.",
    # adversaries.py
    "adversary-scope": "Adversaries are those configured, in rounds, and bound or exclude problems in adversary.scope alone.",
    "adversary-folds": "Articles that share an article, as question or as first passage, are in one fold of the adversaries.",
    # suppression.py
    "guesses": "Baselines and adversaries predict the choice with the highest score; scores from the mentions are right.",
    "selected": "At most one alternative of an article is selected, and none that the adversaries exclude.",
    "cells": "The cell of a selected problem says which baselines and adversaries solve it; its draw follows from seed and id.",
    "levels": "Keep rates exist only if cells are thinned out; each cell has one pair, the relaxed rate not below the strict one.",
    # bounds.py
    "strict-bound": "Strict problems: baselines and adversaries meet suppress.strict for each number of choices, to 0.5 problems.",
    "relaxed-bound": "Strict and relaxed problems: they meet suppress.relaxed, or exceed it no more than on strict problems.",
    "answer-places": "With the bound chance, each place by first mention and by mentions has as many answers, to one problem.",
    # caps.py
    "passage-cap": "No passage is in more selected problems than suppress.max_per_passage allows.",
    "event-cap": "No article is in more selected problems with one answer than suppress.max_per_event allows.",
    "answer-cap": "No answer has more selected problems than suppress.max_per_answer and suppress.min_answer_cap allow.",
    "dropped-by-cap": "An article that a cap dropped has no alternative under all caps.",
    # splits.py
    "placement": "Every kept problem is in one split or rejected; relaxed problems are in training only.",
    "split-dates": "Training ends before validation and test begin, by (date, id) and by split.gap_days.",
    "split-sizes": "Validation and test have the configured size; they differ by at most one problem, or by one event.",
    "split-rejections": "The reason of each rejection holds: held-out time, gap, connection with a held-out problem, or leak.",
    "split-events": "No problem is connected with a problem of another split (if split.by_event).",
    "held-out-leaks": "No held-out problem tells the answer of another or has its passage (if split.one_per_group).",
    # exports.py, card.py, xml_form.py, spans.py
    "export-files": "Each exported file holds each problem of its split exactly once, and no other problems.",
    "export-jsonl": "A line of the JSONL export equals the problem in the output of problems (if export.names is original).",
    "export-card": "The card of the JSONL export gives the file and the size of each split of strict and relaxed.",
    "export-xml": "The XML export equals the JSONL export, problem by problem.",
    "export-spans": "Every answer of the SQuAD and QUOREF exports is in the context at its offset, and is the right name.",
    # written_exports.py
    "command-exports": "What the command export wrote into the run's folder was made from this run, and keeps the promises above.",
    # names.py: if export.names is codes or surrogate
    "renamed-texts": "A line of the JSONL export equals the problem outside of the replaced names.",
    "renamed-persons": "Each choice has the code or surrogate of its person, and no two persons of a problem share one.",
    "names-left": "No capitalised word of question, title, passage or choices identifies a replaced person.",
    "surrogates-new": "No surrogate is a person of the first sentences or a choice, or has the surname of one.",
}
