"""Commands that serve pages until Ctrl-C: their options, and what they print."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from wdw_build.cli.actions import CommandParser, whole_number
from wdw_build.core.progress import Progress
from wdw_build.errors import UsageError

if TYPE_CHECKING:
    from wdw_build.web.base import Access, Application, Listener


def add_address(parser: CommandParser) -> None:
    """Add ``--host`` and ``--port``."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default: 127.0.0.1, this machine only; 0.0.0.0: every network)",
    )
    parser.add_argument("--port", type=whole_number(0), default=0, help="port to listen on (default: a free one)")


def add_token_file(parser: CommandParser, whose: str) -> None:
    """Add ``--token-file``. A token on the command line would be shown by ``ps``."""
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"file with the {whose} token (default: a kept random one)"
    )


def serve_to_people(
    options: argparse.Namespace,
    listener: Listener,
    app_of: Callable[[Access, Listener], Application],
    progress: Progress,
    *,
    secrets: Path,
    facts: dict[str, str],
    title: str,
    people: str,
    shown: str,
) -> None:
    """Serve pages that people and their owner open by different addresses, until Ctrl-C.

    ``secrets`` keeps the tokens of the addresses. ``--json`` prints ``facts`` with the addresses, else ``title`` precedes
    them; ``people`` are those who get the first address, and ``shown`` is what only the owner may see.
    """
    from wdw_build.cli.base import print_json

    access = _kept_access(secrets, options.token_file)
    addresses = {people: listener.address(access.reader), "owner": listener.address(access.owner)}

    def ready() -> None:
        if options.json:
            print_json({**facts, **addresses})
            return
        print(title)
        for name, address in addresses.items():
            print(f"{name + ':':<{len(people) + 1}} {address}")
        print(f"Give the first address to the {people}. Keep the second: it shows {shown}. Ctrl-C stops the server.")

    serve_until_stopped(options.command, app_of(access, listener), listener, progress, ready)


def _kept_access(secrets: Path, token_file: Path | None) -> Access:
    """The tokens kept in ``secrets``; with a file, its content is the readers' token. Raises ``UsageError`` for a bad one."""
    from wdw_build.web.base import Access

    access = Access.kept(secrets)
    if token_file is None:
        return access
    try:
        return access.with_reader(token_file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{token_file}: {error}", hint="give a text file that holds the token alone") from error


def serve_until_stopped(
    name: str, app: Application, listener: Listener, progress: Progress, ready: Callable[[], None]
) -> None:
    """Serve until Ctrl-C. ``ready`` prints the addresses; a warning precedes it if other machines can reach the page."""
    from wdw_build.web.base import serve

    def announce() -> None:
        if listener.warning:
            print(f"warning: {listener.warning}", file=sys.stderr)
        ready()
        sys.stdout.flush()

    serve(app, listener, announce)
    progress.say(f"{name}: stopped")
