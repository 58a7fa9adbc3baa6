"""Takes the pictures of served pages for the documentation: python scripts/take_screenshots.py -c FILE [--only NAME].

It serves the pages of a finished run to a headless Chromium and writes docs/images/NAME.png, with few colours so that the
files are small. Pictures hold pages alone, no address line, so that no token and no path is on them. Take them of the
embedded corpus (configs/sample.yaml) alone, whose texts are free.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from collection_to_show import serve_collection, submit_easy_question
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.annotation.sheet_draw import DrawOptions, draw_sheet
from wdw_build.annotation.sheet_folder import open_or_draw
from wdw_build.dataset import Run, open_run
from wdw_build.errors import UsageError, WdwError
from wdw_build.pipeline import STAGES
from wdw_build.web.annotate import annotate_app
from wdw_build.web.base import Access, Listener, running

IMAGES = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1100, 750)
COLOURS = 128
MOST_BYTES = 150_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


@dataclass(frozen=True)
class Shot:
    """One picture: what to do on the first page before it is taken."""

    name: str
    steps: Callable[[Page, Run], object]


@dataclass(frozen=True)
class Site:
    """A site over a run: serves it while its pictures are taken, and gives the address that signs in."""

    serving: Callable[[Run], Iterator[str]]
    shots: Sequence[Shot]


# ---- annotate --------------------------------------------------------------------------------------------------------


@contextmanager
def _annotate(run: Run) -> Iterator[tuple[Access, Listener]]:
    with tempfile.TemporaryDirectory() as temporary:
        sheet, problems = draw_sheet(run, DrawOptions(problems=30), PunktSplitter().sentences)
        folder = open_or_draw(Path(temporary), sheet.name, lambda: (sheet, problems))
        access, listener = Access.kept(folder.secrets), Listener()
        with running(annotate_app(folder, access, listener), listener):
            yield access, listener


def _for_people(
    serve: Callable[[Run], AbstractContextManager[tuple[Access, Listener]]],
) -> Callable[[Run], Iterator[str]]:
    """Serves a site, and gives the address that signs people in."""

    def serving(run: Run) -> Iterator[str]:
        with serve(run) as (access, listener):
            yield listener.address(access.reader)

    return serving


def _start(page: Page, run: Run) -> None:
    page.get_by_label("Name").fill("Eve")
    page.get_by_role("button", name="Sign in").click()


def _problem(page: Page, run: Run) -> None:
    _start(page, run)
    page.get_by_role("link", name="Next open problem").click()
    page.wait_for_url("**/problem/*")
    page.keyboard.press("1")
    page.locator("#status", has_text="Saved.").wait_for()


# ---- collect -----------------------------------------------------------------------------------------------------------


def _refused(page: Page, run: Run) -> None:
    _start(page, run)
    submit_easy_question(page)


SITES = [
    Site(_for_people(_annotate), [Shot("annotate-problem", _problem)]),
    Site(_for_people(serve_collection), [Shot("collect-write", _refused)]),
]


def take(browser: Browser, address: str, run: Run, shot: Shot) -> Path:
    """Take one picture, signed in as a new person. Raises ``UsageError`` if its file is too large."""
    width, height = SIZE
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="light")
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
                if not shots:
                    continue
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
