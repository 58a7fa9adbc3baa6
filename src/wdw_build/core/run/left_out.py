"""Records that a stage left out because worker processes died on them. The next run tries them again, once.

Workers may have died for another reason: a record is then innocent, and the stage's second output contains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.stage import WORKER_DIED
from wdw_build.core.store.causes import RecordsLeftOut
from wdw_build.core.store.manifest import read_manifest, read_timing


@dataclass(frozen=True)
class LeftOut:
    """The number of records that a stage left out; ``tried_again``: the stage has run a second time because of them."""

    stage: str
    records: int
    tried_again: bool

    def __str__(self) -> str:
        """The loss, the command that lists the records, and what the next run does."""
        records = "1 record" if self.records == 1 else f"{self.records} records"
        following = (
            "They were tried a second time; --force tries them once more"
            if self.tried_again
            else "The next run of the same command tries them again, once"
        )
        return (
            f"{self.stage} left out {records} because worker processes died on them (reason {WORKER_DIED}). "
            f"wdw-build inspect {self.stage} --rejected {WORKER_DIED} -c FILE lists them. {following}"
        )


def left_out(stage: str, folder: Path) -> LeftOut | None:
    """The records that the output in ``folder`` lacks; None if there are none, or no output."""
    manifest = read_manifest(folder)
    if manifest is None or WORKER_DIED not in manifest.reasons:
        return None
    timing = read_timing(folder)
    return LeftOut(stage, manifest.reasons[WORKER_DIED], timing is not None and timing.tried_again)


def retry_cause(stage: str, folder: Path) -> tuple[RecordsLeftOut, ...]:
    """The cause of a second run of a stage with a finished output; empty if no record is to be tried again."""
    lost = left_out(stage, folder)
    return () if lost is None or lost.tried_again else (RecordsLeftOut(stage=stage, records=lost.records),)
