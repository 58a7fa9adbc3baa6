"""``annotate forget`` and ``collect forget``: delete what a study holds of one person."""

from __future__ import annotations

import argparse

from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.people import count_events, forget
from wdw_build.cli.base import print_result
from wdw_build.core.progress import printable

# Files of a study that repeat what people did.
_COPIES = ("score.json", "export")


def print_forgotten(options: argparse.Namespace, log: EventLog, study: str) -> None:
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
