"""Sections of the report and the datasheet that other packages leave in a run's folder, such as the table of ``bench``."""

from __future__ import annotations

from pathlib import Path

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.errors import DamagedOutputError
from wdw_build.views.dataset import Facts, Run
from wdw_build.views.table import Row, Table

FOLDER = "sections"


class ReportSection(msgspec.Struct, frozen=True, kw_only=True):
    """`runs/<run>/sections/NAME.json`: a table with a title, which `report` and `datasheet` show."""

    title: str
    """Title of the section."""
    fingerprint: str
    """`Run.fingerprint` when the table was made. The table of other outputs is not shown; empty: it is of no outputs."""
    head: tuple[str, ...]
    """Names of the columns."""
    rows: tuple[tuple[str | int, ...], ...]
    """Cells of the rows."""
    notes: tuple[str, ...] = ()
    """Paragraphs before the table."""

    @property
    def table(self) -> Table:
        """The table."""
        rows: list[Row] = list(self.rows)
        return Table(self.head, rows)


def leave_section(run_folder: Path, name: str, section: ReportSection) -> None:
    """Write ``sections/<name>.json`` into a run's folder."""
    folder = run_folder / FOLDER
    folder.mkdir(exist_ok=True)
    replace_file(folder / f"{name}.json", jsonl.document(section))


def sections(run: Run, facts: Facts) -> list[ReportSection]:
    """The sections of a run, by file name. Raises ``DamagedOutputError`` for a file that is not a section."""
    stored = []
    for path in sorted((run.folder / FOLDER).glob("*.json")):
        try:
            section = msgspec.json.decode(path.read_bytes(), type=ReportSection)
        except msgspec.MsgspecError as error:
            raise DamagedOutputError(
                f"{path} is not a section: {error}", hint="run the command that wrote it again"
            ) from error
        if section.fingerprint not in ("", facts.fingerprint):
            stale = f"These figures are of earlier outputs of the run, and are not shown ({path.name})."
            section = msgspec.structs.replace(section, notes=(stale,), rows=())
        stored.append(section)
    return stored
