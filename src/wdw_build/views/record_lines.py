"""The short form of a stored record for a terminal: at most six lines, which ``inspect`` prints unless asked for more."""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build import records
from wdw_build.dataset import Run
from wdw_build.views.blocks import Line, Terminal, block_lines, line_of
from wdw_build.views.marks import Segment
from wdw_build.views.record_blocks import choice_segment, question_line, record_blocks, solved_count, title_of

_MOST_LINES, _MOST_OF_QUESTION = 6, 3
_INDENT, _MORE = "  ", " …"


def short_text(record: records.Record, out: Terminal, run: Run, stage: str) -> str:
    """A record or rejection in at most six lines. Lines that are cut off are marked with an ellipsis."""
    out = Terminal(out.colour, out.width - len(_MORE))
    problem, candidates = _problem(record, run), getattr(record, "candidates", ())
    asked = run.questions.find(record.id) if candidates else None
    said = [str(getattr(asked or record, "date", "")), *_state(record)]
    if problem is not None:
        said += _scores(problem, run)
        lines = list(_problem_lines(problem, run, out))
    elif asked is not None:
        lines = list(_candidates(candidates, asked, run, out))
    else:
        lines = [line for block in record_blocks(record, run, stage) for line in block_lines(block, out)]
    head = out.flow(line_of(Segment(record.id, "id"), *(f"  {part}" for part in said if part)))
    return "\n".join(_clipped("\n".join([head, *lines]).split("\n"), _MOST_LINES))


def _clipped(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].removesuffix(_MORE) + _MORE]


def _wrapped(line: Line, most: int, out: Terminal) -> list[str]:
    """A line of segments, wrapped and cut after ``most`` lines."""
    return _clipped(out.flow(line, _INDENT, _INDENT).split("\n"), most)


def _state(record: records.Record) -> Iterator[str]:
    """What a record says besides the problem or the candidates that it is about."""
    match record:
        case records.SuppressionDecision():
            yield "strict" if record.strict else "relaxed"
        case records.SplitAssignment():
            yield f"{record.split}, {record.level}"
        case records.Rejection() if record.candidates:
            yield f"rejected: {record.reason}, {len(record.candidates)} candidates"


# ---- problems --------------------------------------------------------------------------------------------------------


def _problem(record: records.Record, run: Run) -> records.Problem | None:
    """The problem that a record is about; None for other records, and if ``problems`` has not run."""
    match record:
        case records.Problem():
            return record
        case records.ProblemAlternatives():
            return run.problem_of(record)
        case (
            records.BaselinePredictions()
            | records.SuppressionDecision()
            | records.SplitAssignment()
            | records.Exported()
        ):
            return run.distinct_problems.find(record.id)
    return None


def _scores(problem: records.Problem, run: Run) -> Iterator[str]:
    """Event score, evidence score, and how many baselines and adversaries solve the problem."""
    for name, score in (("event", problem.event_score), ("evidence", problem.evidence_score)):
        if score is not None:
            yield f"{name} {score:.2f}"
    predictions = run.predictions.find(problem.id)
    if predictions is not None and problem.alternative <= len(predictions.others):
        yield solved_count(predictions.of(problem.alternative))


def _problem_lines(problem: records.Problem, run: Run, out: Terminal) -> Iterator[str]:
    """The question, the choices with the answer, and the passage."""
    choices = (choice_segment(each.name, at, problem.answer) for at, each in enumerate(problem.choices))
    named = _wrapped(line_of(*(part for choice in choices for part in (choice, " "))), 2, out)
    yield from _wrapped(question_line(problem.question), min(_MOST_OF_QUESTION, _MOST_LINES - 2 - len(named)), out)
    yield from named
    passage = problem.passage
    place, title = f"  {passage.date}  {passage.tokens} tokens  ", title_of(passage.article, run)
    yield from _wrapped(line_of(Segment(passage.article, "id"), place, title), 1, out)


# ---- candidate passages ----------------------------------------------------------------------------------------------


def _candidates(
    candidates: tuple[records.Candidate, ...], question: records.Question, run: Run, out: Terminal
) -> Iterator[str]:
    """The question and the first candidates with their titles."""
    yield from _wrapped(question_line(question), _MOST_OF_QUESTION, out)
    seen = set[str]()  # An article can be tried for several blanks.
    for candidate in candidates:
        if candidate.article in seen or len(seen) == _MOST_LINES:
            continue
        seen.add(candidate.article)
        event = "" if candidate.event is None else f"  event {candidate.event:.2f}"
        verdict = Segment(candidate.rule, "bad") if candidate.rule else Segment("valid", "good")
        title = title_of(candidate.article, run)
        yield from _wrapped(line_of(Segment(candidate.article, "id"), f"{event}  ", verdict, f"  {title}"), 1, out)
