"""``annotate forget`` and ``collect forget``: delete what a study holds of one person."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import print_result
from wdw_build.cli.people.annotate_score import answered_sheet
from wdw_build.cli.people.collect import opened
from wdw_build.core.progress import printable
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_study.event_log import EventLog
from wdw_study.people import count_events, forget

# Files of a study that repeat what people did.
_COPIES = ("score.json", "export")


def annotate(options: argparse.Namespace) -> int:
    """``annotate forget``. Raises ``UsageError`` if it is not clear which sheet is meant, or if nobody has the name."""
    folder = answered_sheet(open_run(options.config, STAGES, options.overrides).folder, options.sheet)
    return _forget(options, folder.log, f"sheet {folder.sheet.name}")


def collect(options: argparse.Namespace) -> int:
    """``collect forget``. Raises ``UsageError`` if nobody has the name."""
    collection = opened(options)
    return _forget(options, collection.log, f"collection {collection.collection.name}")


def _forget(options: argparse.Namespace, log: EventLog, study: str) -> int:
    """Print how many events a person has; with ``--delete``, delete them. Raises ``UsageError`` if nobody has the name."""
    name, events = count_events(log, options.person)
    if options.delete:
        forget(log, name)
    copies = sorted(str(path) for pattern in _COPIES for path in log.path.parent.glob(pattern))
    what = f"{events:,} events of {printable(name)} in {printable(study)}"
    lines = [f"deleted: {what}"] if options.delete else [what, "to delete them, stop the server, and add --delete"]
    if copies:
        lines.append(f"these files may hold them, too: {', '.join(map(printable, copies))}")
    result = {"person": name, "events": events, "deleted": options.delete, "copies": copies}
    print_result(options, result, "\n".join(lines))
    return 0
