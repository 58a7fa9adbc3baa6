"""``annotate forget`` and ``collect forget``: delete what a study holds of one person."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.people import count_events, forget
from wdw_build.cli.base import print_result
from wdw_build.cli.options import ConfigFile, Json, Overrides, Quiet
from wdw_build.cli.people.annotate_score import SheetName, answered_sheet
from wdw_build.cli.people.collect import Collection, opened
from wdw_build.core.progress import printable
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES

# Files of a study that repeat what people did.
_COPIES = ("score.json", "export")


Person = Annotated[str, Argument(metavar="NAME", help="name of the person")]
Delete = Annotated[bool, Option("--delete", help="delete the person's work; stop the server first")]


def annotate(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
    is_deleting: Delete = False,
) -> None:
    """``annotate forget``. Raises ``UsageError`` if it is not clear which sheet is meant, or if nobody has the name."""
    folder = answered_sheet(open_run(config, STAGES, overrides).folder, sheet)
    _forget(folder.log, person, f"sheet {folder.sheet.name}", is_deleting=is_deleting, as_json=as_json)


def collect(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    name: Collection = "questions",
    is_deleting: Delete = False,
) -> None:
    """``collect forget``. Raises ``UsageError`` if nobody has the name."""
    collection = opened(config, overrides, name)
    study = f"collection {collection.collection.name}"
    _forget(collection.log, person, study, is_deleting=is_deleting, as_json=as_json)


def _forget(log: EventLog, person: str, study: str, *, is_deleting: bool, as_json: bool) -> None:
    """Print how many events a person has; with ``--delete``, delete them. Raises ``UsageError`` if nobody has the name."""
    name, events = count_events(log, person)
    if is_deleting:
        forget(log, name)
    copies = sorted(str(path) for pattern in _COPIES for path in log.path.parent.glob(pattern))
    what = f"{events:,} events of {printable(name)} in {printable(study)}"
    lines = [f"deleted: {what}"] if is_deleting else [what, "to delete them, stop the server, and add --delete"]
    if copies:
        lines.append(f"these files may hold them, too: {', '.join(map(printable, copies))}")
    result = {"person": name, "events": events, "deleted": is_deleting, "copies": copies}
    print_result(result, "\n".join(lines), as_json=as_json)
