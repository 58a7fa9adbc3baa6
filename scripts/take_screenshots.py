"""Takes the pictures of served pages for the documentation: python scripts/take_screenshots.py -c FILE [--only NAME].

It serves the pages of a finished run to a headless Chromium and writes docs/images/NAME.png, with few colours so that the
files are small. Pictures hold pages alone, no address line, so that no token and no path is on them.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from wdw_build.core.run.progress import Progress
from wdw_build.dataset import Run, open_run
from wdw_build.errors import UsageError, WdwError
from wdw_build.pipeline import STAGES
from wdw_build.web.base import Access, Listener, running
from wdw_build.web.explore import make_app

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DESK, PHONE = (1100, 750), (390, 750)
COLOURS = 128
MOST_BYTES = 150_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


@dataclass(frozen=True)
class Shot:
    """One picture: what to do on the first page before it is taken."""

    name: str
    steps: Callable[[Page, Run], object]
    size: tuple[int, int] = DESK
    scheme: Literal["light", "dark"] = "light"


@dataclass(frozen=True)
class Site:
    """A site over a run: serves it while its pictures are taken, and gives the address that signs in."""

    serving: Callable[[Run], Iterator[str]]
    shots: Sequence[Shot]


def explore(run: Run) -> Iterator[str]:
    """Serve ``explore``."""
    listener, access = Listener(), Access.fresh()
    with running(make_app(run, Progress("lines"), access, listener), listener):
        yield listener.address(access.owner)


def _trace(page: Page, run: Run) -> None:
    page.get_by_label("Trace an id").fill(next(iter(run.distinct_problems)).id)
    page.get_by_role("button", name="Open").click()


def _candidates(page: Page, run: Run) -> None:
    _trace(page, run)
    page.get_by_role("heading", name="Candidates", exact=True).evaluate("heading => heading.scrollIntoView()")


def _rejections(page: Page, run: Run) -> None:
    page.locator(".rejections a").nth(3).click()


SITES = [
    Site(
        explore,
        [
            Shot("explore-home", lambda page, run: None),
            Shot("explore-problems", lambda page, run: page.get_by_role("link", name="Problems").click()),
            Shot(
                "explore-problems-dark",
                lambda page, run: page.get_by_role("link", name="Problems").click(),
                DESK,
                "dark",
            ),
            Shot("explore-problems-phone", lambda page, run: page.get_by_role("link", name="Problems").click(), PHONE),
            Shot("explore-candidates", _candidates),
            Shot("explore-rejections", _rejections),
        ],
    )
]


def take(browser: Browser, address: str, run: Run, shot: Shot) -> Path:
    """Take one picture, signed in as a new person. Raises ``UsageError`` if its file is too large."""
    width, height = shot.size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=shot.scheme)
    page = context.new_page()
    page.goto(address)
    shot.steps(page, run)
    page.wait_for_load_state()
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    context.close()
    path = IMAGES / f"{shot.name}.png"
    picture.save(path, optimize=True)
    if path.stat().st_size > MOST_BYTES:
        raise UsageError(f"{path} has {path.stat().st_size} bytes", hint=f"lower COLOURS, now {COLOURS}")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the pictures and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "-c", "--config", type=Path, required=True, help="configuration of a finished run, or its folder"
    )
    parser.add_argument("--only", default="", help="take the pictures whose name begins with this")
    options = parser.parse_args(arguments)
    IMAGES.mkdir(parents=True, exist_ok=True)
    try:
        run = open_run(options.config, STAGES)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            for site in SITES:
                shots = [shot for shot in site.shots if shot.name.startswith(options.only)]
                with contextmanager(site.serving)(run) as address:
                    for shot in shots:
                        print(take(browser, address, run, shot))
            browser.close()
    except WdwError as error:
        print(f"error: {error.message}\n  try: {error.hint}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
