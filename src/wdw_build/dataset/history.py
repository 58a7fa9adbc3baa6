"""One id in every stage of a run: the record or the rejection that each stage made of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from wdw_build.dataset.tables import Table
from wdw_build.errors import UsageError
from wdw_build.records import Record, Rejection

R = TypeVar("R", bound=Record)

WRITTEN, REJECTED, NOT_REACHED, NOT_RUN = "written", "rejected", "not-reached", "not-run"


class Outcome(NamedTuple):
    """What one stage made of an id. An article that is filed twice has a record and a rejection in ``ingest``."""

    table: Table[Any, Any]
    record: Record | None
    rejections: tuple[Rejection, ...]

    @property
    def state(self) -> str:
        """``written``, ``rejected``, ``not-reached`` (an earlier stage ended it) or ``not-run``."""
        if not self.table.exists:
            return NOT_RUN
        if self.record is not None:
            return WRITTEN
        return REJECTED if self.rejections else NOT_REACHED


class History(NamedTuple):
    """The outcomes of one id, in the order of the stages."""

    id: str
    outcomes: tuple[Outcome, ...]

    def outcome(self, table: Table[Any, Any]) -> Outcome:
        """What the stage of this table made of the id."""
        matching = (outcome for outcome in self.outcomes if outcome.table.name == table.name)
        return next(matching, Outcome(table, None, ()))

    def record(self, table: Table[R, Any]) -> R | None:
        """The record that the stage of this table wrote, or None."""
        return self.outcome(table).record  # type: ignore[return-value]  # a table's records have its type

    def rejections(self, table: Table[Any, Any]) -> tuple[Rejection, ...]:
        """The rejections by the stage of this table."""
        return self.outcome(table).rejections

    def rejection(self, table: Table[Any, Any]) -> Rejection | None:
        """Why the stage of this table wrote no record; None if it wrote one, or was not reached."""
        outcome = self.outcome(table)
        return outcome.rejections[0] if outcome.state == REJECTED else None


def history(run: str, tables: Iterable[Table[Any, Any]], record_id: str) -> History:
    """Look an id up in every table. Raises ``UsageError`` if no stage knows it."""
    outcomes = tuple(Outcome(table, table.find(record_id), table.rejections_of(record_id)) for table in tables)
    if all(outcome.state in (NOT_REACHED, NOT_RUN) for outcome in outcomes):
        raise UsageError(
            f"no stage of run {run!r} knows {record_id!r}",
            hint=f"wdw-build inspect {outcomes[0].table.name} -c FILE  lists ids; "
            "a place that cannot be read is an id, too (file:line)",
        )
    return History(record_id, outcomes)
