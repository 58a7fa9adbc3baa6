"""The promises of the dataset, one sentence per check. docs/reference/checks.md is generated from this table."""

from __future__ import annotations

PROMISES: dict[str, str] = {
    # accounting.py
    "files": "Every part and every rejections file has the records, reasons and SHA-256 that its manifest says.",
    "accounting": "Every id that a stage reads is written or rejected, once: read = written + rejected, id by id.",
    "chain": "Every stage was made from the outputs of this run, with this configuration and seed.",
    "carried": "Question, candidate and problem are the same in every stage that carries them on.",
    # ranking.py
    "event-scores": "If a key asks for event scores, all valid candidates reach retrieve.min_event_score; else no scores exist.",
    "rank-order": "Valid candidates are in the order of retrieve.rank_by, and there are at most retrieve.max_valid of them.",
    "best-passage": "Every valid candidate ranked before a problem's passage was refused by choices.",
    # problems.py
    "choices-count": "A problem has from choices.min_choices to choices.max_choices choices.",
    "choices-drawn": "If a passage has too many persons, the choices are the answer and the persons with the smallest hashes.",
    "choices-distinct": "No two choices have the same name, and no name's words are a sub-sequence of another's.",
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
    # caps.py
    "passage-cap": "No passage is in more kept problems than dedup.max_per_passage allows.",
    "event-cap": "No article is in more kept problems with one answer than dedup.max_per_event allows.",
    "answer-cap": "No answer has more kept problems than dedup.max_per_answer and dedup.min_answer_cap allow.",
    "dropped-by-cap": "For every problem that a cap dropped, the cap was full.",
    # adversaries.py
    "adversary-scope": "Adversaries are those configured, and bound or drop problems in adversary.scope alone.",
    "adversary-folds": "No adversary judges a problem after training on a problem with the same question article or passage.",
    # suppression.py
    "guesses": "Baselines and adversaries predict the choice with the highest score; scores from the mentions are right.",
    "cells": "The cell of a kept problem says which baselines and adversaries solve it; its draw follows from seed and id.",
    "levels": "Each cell has one pair of keep rates, and the relaxed rate is not below the strict rate.",
    "strict-bound": "Strict problems: no baseline or adversary solves more than suppress.strict allows, plus half a problem.",
    "relaxed-bound": "Relaxed problems: no baseline or adversary solves more than suppress.relaxed allows, plus half a problem.",
    # splits.py
    "placement": "Every kept problem is in one split or rejected; relaxed problems are in training only.",
    "split-dates": "Training ends before validation and test begin, by (date, id) and by split.gap_days.",
    "split-sizes": "Validation and test have the configured size; they differ by at most one problem, or by one event.",
    "split-rejections": "The reason of each rejection holds: held-out time, gap, connection with a held-out problem, or leak.",
    "split-events": "No problem is connected with a problem of another split (if split.by_event).",
    "held-out-leaks": "No held-out problem tells the answer of another or has its passage (if split.one_per_group).",
    # exports.py, card.py, xml_form.py, spans.py
    "export-files": "Each exported file holds each problem of its split exactly once, and no other problems.",
    "export-jsonl": "A line of the JSONL export equals the problem in the output of dedup (if export.names is original).",
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
