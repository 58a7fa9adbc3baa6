"""Records as text for people. Control characters of articles become escapes, so the terminal does not interpret them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import msgspec

from wdw_build import records
from wdw_build.core.progress import printable
from wdw_build.reading import BLANK
from wdw_build.views.marks import Mark, Segment, segments
from wdw_build.views.trace.candidate_blocks import alternative_entries, reading_lines
from wdw_build.views.trace.candidates import mentions
from wdw_build.views.trace.selection import Selection, alternatives
from wdw_build.views.trace.terminal import Terminal, block_lines

_RULE = "-" * 72


# Looks up what later stages made of the alternatives of an article.
Selections = Callable[[records.ProblemAlternatives], Selection]


def record_text(record: records.Record, out: Terminal, selections: Selections | None = None) -> str:
    """A record or rejection as text; marks are shown as brackets, and on a colour terminal also in colour."""
    head = f"{_RULE}\n{printable(record.id)} {getattr(record, 'date', '')}".rstrip()
    return f"{head}\n{_body(record, out, selections)}"


def _body(record: records.Record, out: Terminal, selections: Selections | None) -> str:
    match record:
        case records.ProblemAlternatives():
            return _alternatives(record, selections(record) if selections else Selection(), out)
        case records.Article():
            lines = [f"{record.source} ({record.kind}) {record.title}", record.dateline, *record.text.split("\n")]
            return "\n".join(map(printable, lines))
        case records.Question():
            return _question(record, out)
        case records.Retrieval():
            return "\n".join(map(_candidate, record.candidates))
        case records.Problem():
            return problem_text(record, out)
        case records.Pseudonyms():
            return _pseudonyms(record)
        case records.AdversaryPredictions():
            return f"{_predictions(record)}\n{_scope(record)}"
        case records.BaselinePredictions():
            return _predictions(record)
        case records.SuppressionDecision():
            return _decision(record)
        case records.SplitAssignment():
            return f"{record.split}, {record.level}"
        case records.Rejection():
            return _rejection(record)
        case _:
            fields = msgspec.to_builtins(record)
            return "  ".join(f"{key} {printable(str(value))}" for key, value in fields.items() if key != "id")


def _question(question: records.Question, out: Terminal) -> str:
    """The question with its blank; the other persons are marked."""
    marks = [Mark(question.blank.start, question.blank.end, "blank")]
    marks += [Mark(other.start, other.end, "person") for other in question.others]
    line = [
        segment._replace(text=BLANK) if segment.kind == "blank" else segment
        for segment in segments(question.sentence, marks)
    ]
    others = ", ".join(printable(other.text) for other in question.others)
    lines = [
        out.line(line),
        f"deleted: {printable(question.blank.text)}  name: {printable(question.name.text)}  others: {others}",
    ]
    lines += [
        f"or deleted: {printable(blank.blank.text)}  name: {printable(blank.name.text)}"
        for blank in question.more_blanks
    ]
    return "\n".join(lines)


def _alternatives(record: records.ProblemAlternatives, selected: Selection, out: Terminal) -> str:
    """The question, one line per alternative, why none was selected, and the refused candidates."""
    lines = [_question(record.question, out), *block_lines(alternative_entries(alternatives(record, selected)), out)]
    if selected.refused:
        lines.append(f"no alternative was selected by {printable(selected.refused)}")
    return "\n".join([*lines, *map(_candidate, record.refused)])


def _decision(decision: records.SuppressionDecision) -> str:
    counted = f"alternative {decision.alternative} of {decision.alternatives}, " if decision.alternatives > 1 else ""
    return (
        f"{counted}cell {decision.cell}, {decision.choices} choices, draw {decision.draw:.4f}: "
        f"{'strict' if decision.strict else 'relaxed'}"
    )


def _candidate(candidate: records.Candidate) -> str:
    verdict = f"refused: {candidate.rule} ({printable(candidate.detail)})" if candidate.rule else "valid"
    scores = _scores(candidate.score, candidate.event)
    blank = f", blank {candidate.blank}" if candidate.blank else ""
    place = f"{printable(candidate.article)} {candidate.date} within {candidate.window} d{blank}, {scores}"
    return f"  {candidate.rank:>3}. {place}  {verdict}"


def _scores(bm25: float, event: float | None) -> str:
    return f"{bm25:.2f}" if event is None else f"{bm25:.2f}, event {event:.2f}"


def problem_text(problem: records.Problem, out: Terminal) -> str:
    """The question, the passage and the choices of a problem, without its id."""
    passage = problem.passage
    scores = _scores(problem.score, problem.event_score)
    lines = [
        _question(problem.question, out),
        f"passage {printable(passage.article)} {passage.date} (within {problem.window} d, {scores}): "
        f"{printable(passage.title)}",
        _passage(problem, out),
    ]
    for index, choice in enumerate(problem.choices):
        sign = "*" if index == problem.answer else " "
        lines.append(
            f"  {sign} {index + 1} {printable(choice.name)} ({len(choice.mentions)} mention{'s' * (len(choice.mentions) != 1)})"
        )
    if problem.persons:
        names = ", ".join(printable(person.name) for person in problem.persons)
        lines.append(f"selected from {len(problem.persons)} persons: {names}")
    return "\n".join([*lines, *map(_candidate, problem.refused)])


def _passage(problem: records.Problem, out: Terminal) -> str:
    """The passage; every mention of a choice is marked with the choice's number."""
    paragraphs = reading_lines(problem.passage.text, mentions(problem), problem.answer + 1)
    return "\n\n".join("\n".join(map(out.line, _lines(paragraph))) for paragraph in paragraphs)


def _lines(paragraph: Iterable[Segment]) -> list[list[Segment]]:
    """The segments of a paragraph line by line."""
    lines: list[list[Segment]] = [[]]
    for segment in paragraph:
        first, *others = segment.text.split("\n")
        lines[-1].append(segment._replace(text=first))
        lines += [[segment._replace(text=other)] for other in others]
    return lines


def _predictions(predictions: records.BaselinePredictions) -> str:
    """The predictions for the first alternative with their scores, and one line for each other alternative."""
    lines = [f"{predictions.choices} choices, answer {predictions.answer}"]
    for name, guess in predictions.guesses.items():
        verdict = "right" if guess == predictions.answer else "wrong"
        lines.append(f"  {name:<14} choice {guess} {verdict}  {list(predictions.scores[name])}")
    for number, other in enumerate(predictions.others, 1):
        solved = ", ".join(name for name, guess in other.guesses.items() if guess == other.answer) or "no baseline"
        lines.append(f"alternative {number}: {other.choices} choices, answer {other.answer}, solved by {solved}")
    return "\n".join(lines)


def _scope(predictions: records.AdversaryPredictions) -> str:
    """The fold, and the adversaries whose bounds do not count the problem."""
    fold = "no fold" if predictions.fold is None else f"fold {predictions.fold}"
    unbounded = ", ".join(map(printable, predictions.unbounded))
    parts = [fold, *([f"not counted by the bounds of: {unbounded}"] if unbounded else [])]
    if predictions.excluded:
        parts.append(f"excluded alternatives: {', '.join(map(str, predictions.excluded))}")
    return "; ".join(parts)


def _pseudonyms(pseudonyms: records.Pseudonyms) -> str:
    """Each person with its code, and how often names are replaced."""
    lines = []
    for person in pseudonyms.persons:
        role = "other" if person.choice is None else f"choice {person.choice + 1}"
        lines.append(f"  {role:<9} {person.code:<10} {printable(person.name)}")
    for part in ("passage", "question", "title"):
        replacements = getattr(pseudonyms, part)
        kinds = Counter(replacement.kind for replacement in replacements)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        lines.append(f"replaced in the {part}: {counts or 'nothing'}")
    return "\n".join(lines)


def _rejection(rejection: records.Rejection) -> str:
    lines = [f"rejected: {rejection.reason}  {printable(rejection.detail)}"]
    lines += [
        f"  {printable(refusal.name)}: {refusal.rule} ({printable(refusal.detail)})" for refusal in rejection.refused
    ]
    return "\n".join([*lines, *map(_candidate, rejection.candidates)])
