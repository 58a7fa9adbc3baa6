"""The page of an id: what every stage of a run stored about it.

``trace`` prints the page as text, as HTML or as JSON. Records are looked up by id, so the time hardly grows with the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from wdw_build.records import Record, Rejection
from wdw_build.views.blocks import (
    Block,
    Entries,
    Line,
    Section,
    Segment,
    Table,
    Terminal,
    block_lines,
    line_of,
    section_lines,
    table,
)
from wdw_build.views.dataset import Outcome, Run
from wdw_build.views.record_blocks import record_blocks

# The sections of a page, in their order; those of other stages follow. Index and table of names store nothing about the
# problem, and the stage ``adversary`` stores the predictions of ``baselines`` again.
_TITLES = {
    "problems": "Problem",
    "ingest": "Article",
    "sentences": "First sentence",
    "questions": "Question",
    "retrieve": "Candidate passages",
    "choices": "Alternatives",
    "dedup": "Duplicates",
    "adversary": "Predictions",
    "suppress": "Selection",
    "pseudonyms": "Codes",
    "split": "Split",
    "export": "Files",
}
_OMITTED = ("index", "names", "baselines")
_LEGEND = "[deleted] {other person} {n choice} {n* answer} ~refused~"
_OUTCOME_KINDS = {"written": "good", "rejected": "bad", "not-reached": "dim", "not-run": "dim"}
_RULE = "-" * 72
_LONGEST_DETAIL = 80


class StageOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one stage, with the records that it stored."""

    stage: str
    """Name of the stage."""
    outcome: str
    """`written`, `rejected`, `not-reached` (an earlier stage rejected the id) or `not-run`."""
    meaning: str = ""
    """The reason of the first rejection in words; empty without one."""
    note: str = ""
    """A warning, for example that the output was made from an older input; empty without a warning."""
    record: Any = None
    """The stored record, in full (`wdw-build inspect STAGE --schema`); null if the stage wrote none."""
    rejections: tuple[Rejection, ...] = ()
    """The stored rejections. An id that occurs twice in the corpus can have a record and a rejection."""


class RecordPage(msgspec.Struct, frozen=True, kw_only=True):
    """The output of ``wdw-build trace --json``."""

    id: str
    """Id of the article, question or problem."""
    run: str
    """Name of the run."""
    ended: str
    """The stage that rejected the id, or the last stage that wrote the id, in words."""
    stages: tuple[StageOutcome, ...]
    """The outcome of each stage."""


def record_page(run: Run, record_id: str) -> RecordPage:
    """The page of an id. Raises ``UsageError`` if no stage has the id."""
    outcomes = tuple(_stage_outcome(run, outcome) for outcome in run.history(record_id).outcomes)
    return RecordPage(
        id=record_id, run=run.name, ended=ended([table.name for table in run.main_line], outcomes), stages=outcomes
    )


def _stage_outcome(run: Run, outcome: Outcome) -> StageOutcome:
    table = outcome.table
    older = ", ".join(run.changed_inputs(table)) if table.exists else ""
    return StageOutcome(
        stage=table.name,
        outcome=outcome.state,
        meaning=run.meaning(outcome.rejections[0].reason) if outcome.rejections else "",
        note=f"made from an older output of {older}: wdw-build all brings it up to date" if older else "",
        record=outcome.record,
        rejections=outcome.rejections,
    )


def ended(main_line: Sequence[str], outcomes: tuple[StageOutcome, ...]) -> str:
    """The rejection after which no stage of the main line wrote the id, or the last stage that wrote it, in words.

    Stages outside of the main line do not end an id: ``problems`` and ``pseudonyms`` also read articles that ``suppress``
    rejected, and a problem that ``pseudonyms`` rejects goes on to the later stages.
    """
    written = [outcome.stage for outcome in outcomes if outcome.outcome == "written"]
    on_line = [outcome for outcome in outcomes if outcome.stage in main_line]
    last_written = max((at for at, outcome in enumerate(on_line) if outcome.outcome == "written"), default=-1)
    if main_line[-1] in written:
        return "it is in the dataset"
    for outcome in (*on_line[last_written + 1 :], *outcomes):
        if outcome.outcome == "rejected" and outcome.stage not in written:
            return f"{outcome.stage} rejected it: {_why(outcome)}"
    return f"{written[-1]} is the last stage that wrote it: later stages have not run, or not with this record"


def _why(outcome: StageOutcome) -> str:
    """The first rejection as "reason, meaning (detail)"; empty without one."""
    if not outcome.rejections:
        return ""
    rejection = outcome.rejections[0]
    detail = rejection.detail
    if len(detail) > _LONGEST_DETAIL:
        detail = f"{detail[: _LONGEST_DETAIL - 1]}…"
    return ", ".join(filter(None, [rejection.reason, outcome.meaning])) + (f" ({detail})" if detail else "")


# ---- rendering --------------------------------------------------------------------------------------------------------


def sections(page: RecordPage, run: Run) -> list[Section]:
    """A section for each stage that stored something that no earlier stage stored, and an overview of the stages.

    Entries of a list that an earlier section shows, such as the candidates that ``choices`` refused, are not shown again.
    """
    seen: list[Record] = []
    shown: set[tuple[Line, ...]] = set()
    of_stages: list[Section] = []
    outcomes = {outcome.stage: outcome for outcome in page.stages if outcome.stage not in _OMITTED}
    for name in (name for name in dict.fromkeys((*_TITLES, *outcomes)) if name in outcomes):
        stored = [*([outcomes[name].record] if outcomes[name].record else []), *outcomes[name].rejections]
        fresh = (record for record in stored if record not in seen)
        blocks = tuple(_new_blocks((block for record in fresh for block in record_blocks(record, run, name)), shown))
        of_stages += [Section(_TITLES.get(name, name), blocks)] if blocks else []
        seen += stored
    return [*of_stages, Section("Stages", (_overview(page.stages),))]


def _new_blocks(blocks: Iterable[Block], shown: set[tuple[Line, ...]]) -> Iterator[Block]:
    """The blocks without the entries in ``shown``, to which it adds the others."""
    for block in blocks:
        if isinstance(block, Entries):
            new = tuple(entry for entry in block.entries if entry not in shown)
            shown.update(new)
            if new:
                yield Entries(new)
        else:
            yield block


def _overview(outcomes: Sequence[StageOutcome]) -> Table:
    rows = []
    for outcome in outcomes:
        second = "rejected a second time: " if outcome.record and outcome.rejections else ""
        state = Segment(outcome.outcome.replace("-", " "), _OUTCOME_KINDS[outcome.outcome])
        rows.append(
            (Segment(outcome.stage, "strong"), state, "; ".join(filter(None, [second + _why(outcome), outcome.note])))
        )
    return table(("stage", "outcome", "why"), rows)


def page_text(page: RecordPage, out: Terminal, run: Run) -> str:
    """The page as text for a terminal."""
    head = out.line(line_of(Segment(page.id, "title"), f"  run {page.run}"))
    end = out.flow(line_of(Segment(page.ended, "strong")))
    return "\n".join([head, end, out.paint(_LEGEND, "dim"), *section_lines(sections(page, run), out)])


def page_html(page: RecordPage, run: Run) -> str:
    """The page as one HTML file without links and without a script."""
    from wdw_build.views.pages import html_environment

    return html_environment().get_template("record_page.html.j2").render(page=page, sections=sections(page, run))


def record_text(record: Record, out: Terminal, run: Run, stage: str) -> str:
    """One record or rejection as text for a terminal."""
    head = out.line(line_of(f"{record.id} {getattr(record, 'date', '')}".rstrip()))
    return "\n".join([_RULE, head, body_text(record, out, run, stage)])


def body_text(record: Record, out: Terminal, run: Run, stage: str) -> str:
    """One record or rejection without its id."""
    return "\n".join(line for block in record_blocks(record, run, stage) for line in block_lines(block, out))
