"""What the terminal says when the pages of a study are served."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from wdw_build.cli.base import print_result

if TYPE_CHECKING:
    from wdw_study.web.serving import Announced


def announce(options: argparse.Namespace) -> Callable[[Announced], None]:
    """Prints the addresses, after a warning if other machines can reach the page."""

    def say(announced: Announced) -> None:
        if announced.warning:
            print(f"warning: {announced.warning}", file=sys.stderr)
        print_result(options, announced.value, announced.text)
        sys.stdout.flush()

    return say
