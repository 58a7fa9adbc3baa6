"""Plans, estimates and summaries as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.run.staging import RunStatus
from wdw_build.core.stage import RUN
from wdw_build.core.store.manifest import Cause, is_linked
from wdw_build.views.table import columns

if TYPE_CHECKING:
    from wdw_build.corpus_look.estimate import Estimate, EstimatedStage
    from wdw_build.pipeline.plan import PlannedStage


class StepRow(msgspec.Struct, frozen=True):
    """The state of a stage: whether the stage would run, and why (``reasons`` are ``typed_causes`` in words)."""

    stage: str
    would_run: bool
    reasons: tuple[str, ...]
    output: str
    typed_causes: tuple[Cause, ...]
    begun: RunStatus | None = None
    """A run of the stage that has begun: its finished shards."""
    run: str = ""
    """The run's name."""
    link_differences: tuple[str, ...] = ()
    """If the stage is up to date in the store, but the run does not link to ``output``: the differences, in words."""
    typed_link_differences: tuple[Cause, ...] = ()
    """``link_differences`` as data."""
    unexamined: dict[str, str] = {}
    """Backends of which a part is missing, such as the corpus, with the error: whether they changed is unknown."""

    @property
    def is_current(self) -> bool:
        """Whether the stage is up to date and the run links to its output."""
        return not self.would_run and not self.typed_link_differences


def step_row(step: PlannedStage, run: str, *, forced: bool) -> StepRow:
    """The row of a step of this run."""
    name, output = step.stage.name, str(step.output.folder) if step.output else ""
    causes = (Cause(kind="forced", stage=name),) if forced else step.causes
    return StepRow(
        stage=name,
        would_run=bool(causes),
        reasons=tuple(map(str, causes)),
        output=output,
        typed_causes=causes,
        begun=step.begun,
        run=run,
        link_differences=tuple(map(str, step.link_causes)),
        typed_link_differences=step.link_causes,
        unexamined={port: error.message for port, error in step.unexamined.items()},
    )


def plan(rows: Iterable[StepRow]) -> str:
    """One line for each stage, and one for a run of it that has begun; then one for each backend that was not examined."""
    rows = list(rows)
    unexamined = {port: message for row in rows for port, message in row.unexamined.items()}
    notes = [
        f"not known: whether the {port.replace('_', ' ')} changed: {printable(message)}"
        for port, message in unexamined.items()
    ]
    return "\n".join([*(line for row in rows for line in _plan_lines(row)), *notes])


def _plan_lines(row: StepRow) -> Iterator[str]:
    if row.begun is not None and row.begun.is_alive:
        yield f"{row.stage:<10} running: {_progress(row.begun)}"
    else:
        yield f"{row.stage:<10} {_state(row)}"
        if row.begun is not None:
            yield f"{'':<10} a run stopped: {_progress(row.begun)}; the next run resumes there"


def _state(row: StepRow) -> str:
    if row.would_run:
        return f"would run: {'; '.join(row.reasons)}"
    if row.is_current:
        return f"up to date, unless the {_ports(row)} changed" if row.unexamined else "up to date"
    if not is_linked(row.typed_link_differences):
        return f"up to date in the store, but run {printable(row.run)} has no link to the output"
    differences = "; ".join(row.link_differences)
    return f"up to date in the store, but run {printable(row.run)} links to another output: {differences}"


def _ports(row: StepRow) -> str:
    return " or the ".join(port.replace("_", " ") for port in row.unexamined)


def _progress(begun: RunStatus) -> str:
    step = "" if begun.step == RUN else f"{printable(begun.step)}, "
    return f"{step}{begun.done} of {begun.tasks} shards, the last one {clock(begun.seconds_ago)} ago"


def clock(seconds: float) -> str:
    """Seconds in words, with no more digits than an estimate justifies."""
    if seconds < 1:
        return "< 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 1200:
        tens = round(seconds / 10)
        return f"{tens // 6} min" + (f" {tens % 6 * 10} s" if tens % 6 else "")
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 360_000 else f"{seconds / 86_400:.1f} days"


def _estimate_row(row: EstimatedStage, sign: str) -> list[str]:
    return [
        row.stage,
        f"{sign}{row.read:,}",
        f"{sign}{row.written:,}",
        "up to date" if row.up_to_date else clock(row.seconds),
    ]


def estimate(estimated: Estimate) -> str:
    """The estimate of ``--dry-run``."""
    sign, about = ("", "") if estimated.is_whole else ("~", "about ")
    low, high = clock(estimated.low_seconds), clock(estimated.high_seconds)
    lines = [f"loading of models and libraries: {clock(estimated.loading_seconds)}"]
    lines.append(f"total: {low if low == high else f'{low} to {high}'} with {estimated.workers}")
    if (problems := estimated.problems) is not None:
        to = f" to {problems.high:,}" if problems.high != problems.low else ""
        lines.append(f"strict problems in the end: {problems.low:,}{to}")
    lines += [f"note: {printable(note)}" for note in estimated.notes]
    rows = [_estimate_row(row, sign) for row in estimated.rows]
    return "\n\n".join(
        [
            f"Estimate: {about}{estimated.articles:,} articles; {estimated.articles_tried:,} articles tried in "
            f"{clock(estimated.sample_seconds)}",
            columns([["Stage", "records in", "out", "time"], *rows]),
            "\n".join(lines),
        ]
    )
