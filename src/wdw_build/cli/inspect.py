"""``inspect``: prints the records or rejections of a stage. Records are streamed.

Unless asked for more, it prints the short form of a record, of at most six lines.
"""

from __future__ import annotations

import heapq
import itertools
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from typer import Argument, Option

from wdw_build.command import ConfigFile, Json, Overrides, Quiet, Seed, stage_names
from wdw_build.command.opened import open_built, print_json
from wdw_build.core.progress import Progress
from wdw_build.core.section import schema
from wdw_build.core.stage import Stage
from wdw_build.core.store import jsonl
from wdw_build.errors import UsageError, meant
from wdw_build.pipeline.stage_order import stage_named
from wdw_build.records import (
    BaselinePredictions,
    Candidate,
    Exported,
    Problem,
    ProblemAlternatives,
    Question,
    Record,
    Rejection,
    SplitAssignment,
    SuppressionDecision,
)
from wdw_build.views.blocks import Line, Segment, Terminal, block_lines, line_of, terminal
from wdw_build.views.dataset import Run, Table, open_run
from wdw_build.views.record_blocks import choice_segment, question_line, record_blocks, solved_count, title_of
from wdw_build.views.record_page import body_text, record_text

AnyTable = Table[Any, Any]


def inspect(
    config: ConfigFile,
    overrides: Overrides,
    name: Annotated[str, Argument(metavar="STAGE", help="stage to inspect", autocompletion=stage_names)],
    reason: Annotated[
        str, Argument(metavar="REASON", show_default=False, help="with --rejected: only rejections for this reason")
    ] = "",
    quiet: Quiet = False,
    as_json: Json = False,
    id: Annotated[str | None, Option("--id", metavar="ID", help="print the record or rejection with this id")] = None,
    sample: Annotated[
        int | None, Option("--sample", min=1, metavar="N", help="print N randomly sampled records")
    ] = None,
    seed: Seed = 0,
    rejected: Annotated[bool, Option("--rejected", help="print rejections instead of records")] = False,
    full: Annotated[
        bool, Option("--full", help="print whole records, not six lines of each (default with --id)")
    ] = False,
    wants_schema: Annotated[bool, Option("--schema", help="print the JSON schema of the record or rejection")] = False,
    limit: Annotated[int, Option("-n", "--limit", min=0, metavar="N", help="print at most N records (0: all)")] = 10,
) -> None:
    """``inspect``."""
    pipeline = open_built(config, overrides, quiet=quiet)
    stage = stage_named(name)
    _check(stage, id, sample, reason, rejected=rejected)
    if wants_schema:
        print_json(schema(Rejection if rejected else stage.writes))
        return
    table: AnyTable = Table(pipeline.config.run, stage, pipeline.output(stage.name))
    if id is not None:
        records = _with_id(table, id)
    elif sample is not None:
        records = random_sample(_records(table, reason, pipeline.progress, rejected=rejected), sample, seed)
    else:
        matching = _records(table, reason, Progress("quiet"), rejected=rejected)
        records = itertools.islice(matching, limit or None)
    if as_json:
        sys.stdout.buffer.writelines(map(jsonl.encode, records))
        return
    _print(records, open_run(config, overrides), stage.name, full=full or id is not None)


def _check(stage: Stage, id: str | None, sample: int | None, reason: str, *, rejected: bool) -> None:
    if id is not None and sample is not None:
        raise UsageError("--id names one record and cannot be combined with --sample", hint="leave out one of them")
    if reason and not rejected:
        raise UsageError("a reason needs --rejected", hint=f"wdw-build inspect {stage.name} --rejected {reason}")
    if reason and reason not in stage.reasons:
        raise UsageError(
            f"{stage.name} has no rejection reason {reason!r}",
            hint=f"{meant(reason, stage.reasons)}reasons: {', '.join(stage.reasons) or 'none'}",
        )


def _print(records: Iterable[Record], run: Run, stage: str, *, full: bool) -> None:
    out, is_empty = terminal(), True
    for record in records:
        is_empty = False
        print(f"{_whole(record, out, run, stage) if full else short_text(record, out, run, stage)}\n")
    if is_empty:
        print("no records")


def _whole(record: Record, out: Terminal, run: Run, stage: str) -> str:
    """A record as text; those that have the split of a problem and not its text are followed by the problem."""
    problem = run.distinct_problems.find(record.id) if isinstance(record, SplitAssignment | Exported) else None
    body = f"\n{body_text(problem, out, run, run.distinct_problems.name)}" if problem else ""
    return record_text(record, out, run, stage) + body


def _with_id(table: AnyTable, id: str) -> Iterable[Record]:
    """The records and rejections with an id. Raises ``UsageError`` if there are none."""
    records: Iterable[Record] = table.all_of(id)
    if not records:
        raise UsageError(
            f"{table.name} has no record or rejection {id!r}", hint=f"wdw-build inspect {table.name} -c FILE  lists ids"
        )
    return records


def _records(table: AnyTable, reason: str, progress: Progress, *, rejected: bool) -> Iterator[Record]:
    """All records, or all rejections for a reason (empty: for any)."""
    total = table.manifest.rejected if rejected else table.manifest.written
    with progress.bar("inspect", total, "records") as bar:
        for record in table.rejections(reason) if rejected else table:
            bar.advance(1)
            yield record


def random_sample(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """``count`` records in the order of the stage, each set of that size equally likely.

    Rejections of one stage can share an id, so a hash sample of ids would not work.
    """
    generator = random.Random(seed)  # noqa: S311 (a sample to look at, not a secret)
    drawn = ((generator.random(), number, record) for number, record in enumerate(records))
    lowest = heapq.nsmallest(count, drawn, key=lambda draw: draw[:2])
    return [record for _, _, record in sorted(lowest, key=lambda draw: draw[1])]


# ---- the short form --------------------------------------------------------------------------------------------------

_MOST_LINES, _MOST_OF_QUESTION = 6, 3
_INDENT, _MORE = "  ", " …"


def short_text(record: Record, out: Terminal, run: Run, stage: str) -> str:
    """A record or rejection in at most six lines. Lines that are cut off are marked with an ellipsis."""
    out = Terminal(out.colour, out.width - len(_MORE))
    problem, candidates = _problem(record, run), getattr(record, "candidates", ())
    question = run.questions.find(record.id) if candidates else None
    parts = [str(getattr(question or record, "date", "")), *_state(record)]
    if problem is not None:
        parts += _scores(problem, run)
        lines = list(_problem_lines(problem, run, out))
    elif question is not None:
        lines = list(_candidates(candidates, question, run, out))
    else:
        lines = [line for block in record_blocks(record, run, stage) for line in block_lines(block, out)]
    head = out.flow(line_of(Segment(record.id, "id"), *(f"  {part}" for part in parts if part)))
    return "\n".join(_clipped("\n".join([head, *lines]).split("\n"), _MOST_LINES))


def _clipped(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].removesuffix(_MORE) + _MORE]


def _wrapped(line: Line, most: int, out: Terminal) -> list[str]:
    """A line of segments, wrapped and cut after ``most`` lines."""
    return _clipped(out.flow(line, _INDENT, _INDENT).split("\n"), most)


def _state(record: Record) -> Iterator[str]:
    """What a record says besides the problem or the candidates that it is about."""
    match record:
        case SuppressionDecision():
            yield "strict" if record.strict else "relaxed"
        case SplitAssignment():
            yield f"{record.split}, {record.level}"
        case Rejection() if record.candidates:
            yield f"rejected: {record.reason}, {len(record.candidates)} candidates"


# ---- problems --------------------------------------------------------------------------------------------------------


def _problem(record: Record, run: Run) -> Problem | None:
    """The problem that a record is about; None for other records, and if ``problems`` has not run."""
    match record:
        case Problem():
            return record
        case ProblemAlternatives():
            return run.problem_of(record)
        case BaselinePredictions() | SuppressionDecision() | SplitAssignment() | Exported():
            return run.distinct_problems.find(record.id)
    return None


def _scores(problem: Problem, run: Run) -> Iterator[str]:
    """Event score, evidence score, and how many baselines and adversaries solve the problem."""
    for name, score in (("event", problem.event_score), ("evidence", problem.evidence_score)):
        if score is not None:
            yield f"{name} {score:.2f}"
    predictions = run.predictions.find(problem.id)
    if predictions is not None and problem.alternative <= len(predictions.others):
        yield solved_count(predictions.of(problem.alternative))


def _problem_lines(problem: Problem, run: Run, out: Terminal) -> Iterator[str]:
    """The question, the choices with the answer, and the passage."""
    choices = (choice_segment(choice.name, at, problem.answer) for at, choice in enumerate(problem.choices))
    named = _wrapped(line_of(*(part for choice in choices for part in (choice, " "))), 2, out)
    yield from _wrapped(question_line(problem.question), min(_MOST_OF_QUESTION, _MOST_LINES - 2 - len(named)), out)
    yield from named
    passage = problem.passage
    place, title = f"  {passage.date}  {passage.tokens} tokens  ", title_of(passage.article, run)
    yield from _wrapped(line_of(Segment(passage.article, "id"), place, title), 1, out)


# ---- candidate passages ----------------------------------------------------------------------------------------------


def _candidates(candidates: tuple[Candidate, ...], question: Question, run: Run, out: Terminal) -> Iterator[str]:
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
