"""A stored record as blocks, which the terminal and every page show alike.

``inspect`` and ``trace`` print the blocks of records, and ``report`` shows those of rejections. Only stored records are
read: no test is run again, and no model, index or rule is loaded. The blocks of a record also say what later stages
of its run stored about it, and what the rules mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from wdw_build import records
from wdw_build.views.blocks import (
    Block,
    Entries,
    Line,
    Mark,
    Segment,
    entries,
    find_name,
    line_of,
    prose,
    segments,
    table,
)
from wdw_build.views.dataset import Run

_LONGEST_REMOVED = 160
# A token of a tree in Penn brackets.
_LEAF = re.compile(r"\([^\s()]+ [^\s()]+\)")


def record_blocks(record: records.Record, run: Run, stage: str) -> Iterator[Block]:
    """The blocks of a record or a rejection of a stage."""
    match record:
        case records.Article():
            yield from _article(record)
        case records.FirstSentence():
            yield from _first_sentence(record)
        case records.Question():
            yield from _question(record, run)
        case records.Retrieval():
            question = run.questions.find(record.id)
            yield candidate_entries(with_verdicts(record.candidates, record.id, run), run, question)
        case records.ProblemAlternatives():
            yield from _alternatives(record, run)
        case records.Problem():
            yield from _problem(record, run)
        case records.Pseudonyms():
            yield from _pseudonyms(record)
        case records.BaselinePredictions():
            yield from _predictions(record, run)
        case records.SuppressionDecision():
            yield from _decision(record, run)
        case records.SplitAssignment():
            yield prose(Segment(f"{record.split}, {record.level}", "good"))
        case records.Exported():
            yield entries(map(line_of, record.files))
        case records.Rejection():
            yield from _rejection(record, run, stage)
        case _:
            fields = msgspec.to_builtins(record)
            yield prose("  ".join(f"{key} {value}" for key, value in fields.items() if key != "id"))


def _meaning(run: Run, rule: str) -> str:
    """A rule as "rule: meaning"."""
    return ": ".join(filter(None, [rule, run.meaning(rule)]))


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


# ---- article and question ---------------------------------------------------------------------------------------------


def _article(article: records.Article) -> Iterator[Block]:
    yield prose(
        f"{article.date}  {article.source}  {article.kind} {article.kind_score:.2f}  ", Segment(article.title, "strong")
    )
    if article.dateline:
        yield prose(Segment(f"dateline: {article.dateline}", "dim"))
    yield from (prose(paragraph) for paragraph in article.paragraphs)
    # The dateline is above.
    removed = [mark for mark in article.marks if mark.kind != "dateline"]
    if removed:
        yield prose(Segment("removed from the text:", "dim"))
        yield entries((Segment(_removed(mark), "dim"),) for mark in removed)


def _removed(mark: records.Mark) -> str:
    """A removed part with its kind, what showed it and, by the model, its probability."""
    score = f" {mark.score:.2f}" if mark.score < 1 else ""
    return f"{mark.kind} (by {mark.by}{score}): {' '.join(mark.text.split())[:_LONGEST_REMOVED]}"


def _first_sentence(sentence: records.FirstSentence) -> Iterator[Block]:
    """The sentence with its persons marked, and the tagged names of all kinds."""
    marks = [Mark(sentence.spans[name.start][0], sentence.spans[name.end - 1][1], name.kind) for name in sentence.names]
    persons = [mark._replace(kind="person") for mark in marks if mark.kind == "PERSON"]
    yield prose(*segments(sentence.text, persons))
    if marks:
        names = ", ".join(f"{sentence.text[mark.start : mark.end]} ({mark.kind})" for mark in marks)
        yield prose(Segment(f"tagged: {names}", "dim"))


def question_line(question: records.Question, refused: Iterable[records.Refusal] = ()) -> Line:
    """The sentence with its blank, the other persons, and the names that rules refused."""
    marks = [Mark(question.blank.start, question.blank.end, "blank")]
    marks += [Mark(other.start, other.end, "person") for other in question.others]
    return segments(question.sentence, [*marks, *_refused_marks(question.sentence, refused)])


def _refused_marks(sentence: str, refused: Iterable[records.Refusal]) -> list[Mark]:
    return [Mark(*span, "refused") for mention in refused for span in find_name(sentence, mention.name)]


def _question(question: records.Question, run: Run) -> Iterator[Block]:
    yield prose(*question_line(question, question.refused))
    lines = [line_of(Segment(question.name.text, "blank"), f"  deleted, in the phrase {question.blank.text!r}")]
    lines += [
        line_of(Segment(blank.name.text, "person"), f"  may be deleted, too, in the phrase {blank.blank.text!r}")
        for blank in question.more_blanks
    ]
    lines += [line_of(Segment(other.text, "person"), "  another person in the sentence") for other in question.others]
    yield entries([*lines, *_refusals(question.refused, run)])
    if question.tree:
        leaves, (first, last) = list(_LEAF.finditer(question.tree)), question.blank_tokens
        is_whole = len(leaves) == len(question.tokens)
        marks = [Mark(leaves[first].start(), leaves[last - 1].end(), "blank")] if is_whole else []
        yield prose(*segments(question.tree, marks))


def _refusals(refused: Iterable[records.Refusal], run: Run) -> list[Line]:
    return [
        line_of(Segment(refusal.name, "refused"), f"  {_meaning(run, refusal.rule)}{_in_brackets(refusal.detail)}")
        for refusal in refused
    ]


# ---- candidates -------------------------------------------------------------------------------------------------------


def with_verdicts(candidates: Iterable[records.Candidate], question: str, run: Run) -> Iterator[records.Candidate]:
    """The candidates of ``retrieve``; one that ``choices`` refused has the rule and the evidence of ``choices``."""
    refused = {
        (candidate.article, candidate.blank): candidate
        for record in run.all_alternatives.all_of(question)
        for candidate in (record.candidates if isinstance(record, records.Rejection) else record.refused)
    }
    return (refused.get((candidate.article, candidate.blank), candidate) for candidate in candidates)


def candidate_entries(
    candidates: Iterable[records.Candidate], run: Run, question: records.Question | None = None
) -> Entries:
    """Each candidate with its place, scores, title and the rule that refused it; then what these rules mean.

    Candidates that only differ in the blank of the ``question`` are one entry. Without the question, they are of as many
    blanks as there are among them.
    """
    alike: dict[records.Candidate, list[records.Candidate]] = {}
    for candidate in candidates:
        alike.setdefault(msgspec.structs.replace(candidate, blank=0, rank=0), []).append(candidate)
    blanks = {candidate.blank for group in alike.values() for candidate in group}
    number = 1 + len(question.more_blanks) if question else len(blanks)
    entries = (_candidate(group, run, question, of_all=len(group) == number) for group in alike.values())
    rules = dict.fromkeys(candidate.rule for candidate in alike if candidate.rule)
    meanings = ((line_of(Segment(_meaning(run, rule), "dim")),) for rule in rules)
    return Entries((*entries, *meanings))


def _candidate(
    alike: list[records.Candidate], run: Run, question: records.Question | None, *, of_all: bool
) -> tuple[Line, ...]:
    """A candidate of one or several blanks. ``of_all``: of all blanks of the question, so that none is named."""
    candidate = alike[0]
    deleted = "" if of_all else f"  if {' or '.join(_deleted(member.blank, question) for member in alike)} is deleted"
    place = f"{deleted}  {candidate.date}  within {candidate.window} d  {_scores(candidate.score, candidate.event)}  "
    verdict = Segment(f"refused: {candidate.rule}", "bad") if candidate.rule else Segment("valid", "good")
    evidence = _in_brackets(candidate.detail)
    first = line_of(f"{candidate.rank}. ", Segment(candidate.article, "id"), place, verdict, evidence)
    title = title_of(candidate.article, run)
    return (first, line_of(Segment(title, "strong"))) if title else (first,)


def _deleted(blank: int, question: records.Question | None) -> str:
    """The person whom a blank of the question deletes; the blank's number if the question is not known."""
    if question is None or blank > len(question.more_blanks):
        return f"blank {blank}"
    return question.with_blank(blank).name.text


def title_of(article_id: str, run: Run) -> str:
    """The title of an article; empty if the article is not stored, or has none."""
    article = run.articles.find(article_id)
    return article.title if article else ""


def _scores(bm25: float, event: float | None) -> str:
    return f"BM25 {bm25:.2f}" + ("" if event is None else f"  event {event:.2f}")


# ---- alternatives and problem -----------------------------------------------------------------------------------------


def _alternatives(record: records.ProblemAlternatives, run: Run) -> Iterator[Block]:
    """One line for each alternative, why none was selected, and the candidates that ``choices`` refused."""
    yield prose(*question_line(record.question))
    predictions, decision, refusal = _later(record, run)
    yield entries(
        _alternative(record, number, predictions, decision, is_refused=bool(refusal))
        for number in range(len(record.alternatives))
    )
    if refusal:
        yield prose(f"no alternative was selected: {refusal}")
    if record.refused:
        yield candidate_entries(record.refused, run, record.question)


def _later(
    record: records.ProblemAlternatives, run: Run
) -> tuple[records.BaselinePredictions | None, records.SuppressionDecision | None, str]:
    """Predictions, decision, and why none was selected; nothing if they were made from another list of alternatives."""
    predictions: records.BaselinePredictions | None = run.predictions.find(record.id)
    predictions = predictions or run.baseline_predictions.find(record.id)
    if predictions is None or 1 + len(predictions.others) != len(record.alternatives):
        return None, None, ""
    decision = run.decisions.find(record.id)
    if decision is not None and decision.alternatives != len(record.alternatives):
        decision = None
    refusals = (
        f"{table.name}: {_meaning(run, rejection.reason)}{_in_brackets(rejection.detail)}"
        for table in (run.predictions, run.decisions)
        for rejection in table.rejections_of(record.id)
    )
    return predictions, decision, next(refusals, "")


def _alternative(
    record: records.ProblemAlternatives,
    number: int,
    predictions: records.BaselinePredictions | None,
    decision: records.SuppressionDecision | None,
    *,
    is_refused: bool,
) -> Line:
    alternative = record.alternatives[number]
    passage = record.passages[alternative.passage]
    is_selected = decision is not None and decision.alternative == number
    scores = (("event", passage.event_score), ("evidence", alternative.evidence_score))
    scored = "".join(f", {name} {score:.2f}" for name, score in scores if score is not None)
    parts: list[str | Segment] = [
        f"{number}{'*' * is_selected}  ",
        Segment(record.question.with_blank(alternative.blank).name.text, "strong"),
        " in ",
        Segment(passage.article, "id"),
        f", {passage.window} d{scored}, {alternative.choice_set}:",
    ]
    for at, person in enumerate(alternative.choices):
        parts += [" ", choice_segment(passage.persons[person].name, at, alternative.answer)]
    if predictions is not None:
        parts.append(f"  solved by {solved_by(predictions.of(number))}")
    if decision is not None and is_selected:
        parts += ["  ", Segment(f"selected: {_level(decision)}", "good")]
    elif decision is not None or is_refused:
        parts += ["  ", Segment("not selected", "dim")]
    return line_of(*parts)


def choice_segment(text: str, at: int, answer: int) -> Segment:
    """A mention of a choice with the choice's number from 1, and an asterisk for the answer."""
    return Segment(text, "answer" if at == answer else "choice", f"{at + 1}{'*' * (at == answer)}")


def _problem(problem: records.Problem, run: Run) -> Iterator[Block]:
    """The question, the passage with the mentions of the choices, and the choices."""
    passage = problem.passage
    evidence = "" if problem.evidence_score is None else f"  evidence {problem.evidence_score:.2f}"
    scores = _scores(problem.score, problem.event_score) + evidence
    place = f"within {problem.window} d, {scores}, {passage.tokens} tokens"
    yield prose(*question_line(problem.question))
    yield prose(Segment(passage.article, "id"), f"  {passage.date}  {passage.source}  {place}")
    if passage.title:
        yield prose(Segment(passage.title, "strong"))
    yield from passage_blocks(problem)
    yield table(
        ("choice", "mentions"),
        (
            (choice_segment(choice.name, at, problem.answer), str(len(choice.mentions)))
            for at, choice in enumerate(problem.choices)
        ),
    )
    if problem.persons:
        yield prose(f"from {len(problem.persons)} persons: {', '.join(person.name for person in problem.persons)}")


def passage_blocks(problem: records.Problem) -> Iterator[Block]:
    """The paragraphs of the passage; every mention of a choice is marked with the choice's number."""
    offset = 0
    for paragraph in problem.passage.text.split("\n\n"):
        end = offset + len(paragraph)
        marks = [
            Mark(span.start - offset, span.end - offset, *choice_segment("", at, problem.answer)[1:])
            for at, choice in enumerate(problem.choices)
            for span in choice.mentions
            if offset <= span.start and span.end <= end
        ]
        yield prose(*segments(paragraph, marks))
        offset = end + 2


def _pseudonyms(pseudonyms: records.Pseudonyms) -> Iterator[Block]:
    """The code of each person."""
    for person in pseudonyms.persons:
        part = "other" if person.choice is None else f"choice {person.choice + 1}"
        yield prose(Segment(person.name, "strong"), f"  {part}  {person.code}")


# ---- predictions and selection ----------------------------------------------------------------------------------------


def _predictions(predictions: records.BaselinePredictions, run: Run) -> Iterator[Block]:
    """Every prediction for the selected alternative, or for the first one. ``choices`` has a line for each alternative."""
    decision = run.decisions.find(predictions.id)
    alternatives = predictions.each()
    number = decision.alternative if decision is not None and decision.alternatives == len(alternatives) else 0
    selected = alternatives[number]
    yield prose(
        f"alternative {number} of {len(alternatives)}: {selected.choices} choices, answer {selected.answer + 1}"
    )
    yield table(
        ("name", "verdict", "prediction", "scores by choice"),
        (_prediction(selected, name) for name in selected.guesses),
    )
    if isinstance(predictions, records.AdversaryPredictions):
        yield prose("no fold" if predictions.fold is None else f"fold {predictions.fold}")


def _prediction(predictions: records.BaselinePredictions, name: str) -> tuple[str | Segment, ...]:
    guess, scores = predictions.guesses[name], predictions.scores[name]
    verdict = Segment("right", "good") if guess == predictions.answer else Segment("wrong", "bad")
    return Segment(name, "strong"), verdict, f"choice {guess + 1}", "  ".join(f"{score:g}" for score in scores)


def solved_by(predictions: records.BaselinePredictions) -> str:
    """The baselines and adversaries that solve a problem."""
    return ", ".join(predictions.solvers) or "no baseline"


def _level(decision: records.SuppressionDecision) -> str:
    return "strict" if decision.strict else "relaxed"


def _decision(decision: records.SuppressionDecision, run: Run) -> Iterator[Block]:
    counted = f"alternative {decision.alternative} of {decision.alternatives}, " if decision.alternatives > 1 else ""
    predictions = run.predictions.find(decision.id)
    solved = f", solved by {solved_by(predictions.of(decision.alternative))}" if predictions else ""
    yield prose(counted, Segment(_level(decision), "good"), f", {decision.choices} choices{solved}")


# ---- rejections -------------------------------------------------------------------------------------------------------


def _rejection(rejection: records.Rejection, run: Run, stage: str) -> Iterator[Block]:
    """The reason with its evidence, the text that was rejected, and the refused names and candidates."""
    sentence = run.first_sentences.find(rejection.id) if stage == run.questions.name else None
    # The details of most rules of ``questions`` end with the sentence.
    detail = rejection.detail.removesuffix(sentence.text).removesuffix(": ") if sentence else rejection.detail
    if stage == run.decisions.name and rejection.reason == "suppressed":
        predictions = run.predictions.find(rejection.id)
        detail = "; ".join(dict.fromkeys(map(solved_count, predictions.each()))) if predictions else ""
    reason = Segment(f"rejected: {rejection.reason}", "bad")
    yield prose(reason, _meaning(run, rejection.reason).removeprefix(rejection.reason), _in_brackets(detail))
    if sentence is not None:
        yield prose(*segments(sentence.text, _refused_marks(sentence.text, rejection.refused)))
    else:
        yield from _rejected_question(rejection, run, stage)
    if rejection.refused:
        yield entries(_refusals(rejection.refused, run))
    if rejection.candidates:
        question = run.questions.find(rejection.id)
        yield candidate_entries(with_verdicts(rejection.candidates, rejection.id, run), run, question)


def solved_count(predictions: records.BaselinePredictions) -> str:
    """The number of choices, and how many baselines and adversaries solve the problem."""
    return f"{predictions.choices} choices, solved by {len(predictions.solvers)} of {len(predictions.guesses)}"


def _rejected_question(rejection: records.Rejection, run: Run, stage: str) -> Iterator[Block]:
    """The question of an id that was rejected, and the earlier question of a duplicate."""
    question = run.questions.find(rejection.id)
    if question is not None and stage not in (run.articles.name, run.first_sentences.name):
        yield prose(*question_line(question))
    earlier = run.questions.find(rejection.detail) if stage == run.alternatives.name else None
    if earlier is not None:
        yield prose("kept: ", Segment(earlier.id, "id"), "  ", *question_line(earlier))
