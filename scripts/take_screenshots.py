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
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from collection_to_show import serve_collection, submit_easy_question
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.judgements import ANSWERED, FAULTS_MARKED, NOTED, SHOWN
from wdw_build.annotation.people import SIGNED_IN, SignedIn
from wdw_build.annotation.sheet_draw import DrawOptions, draw_sheet
from wdw_build.annotation.sheet_folder import SheetFolder, open_or_draw
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run, open_run
from wdw_build.errors import UsageError, WdwError
from wdw_build.pipeline import STAGES
from wdw_build.web.annotate import annotate_app
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


# ---- annotate --------------------------------------------------------------------------------------------------------

_FIRST_SECOND, _SECONDS_A_PROBLEM = 1_790_000_000, 31
# Invented answers: person -> number of answered problems, and the numbers of those answered wrong.
_ANSWERS = {"Ada": (30, {4, 19}), "Ben": (30, {4, 11}), "Cleo": (17, {11})}


def _answer(folder: SheetFolder) -> None:
    """Fill the log with invented answers at fixed times."""
    now = _FIRST_SECOND
    log = EventLog(folder.log.path, clock=lambda: now)
    for person, (count, wrong) in _ANSWERS.items():
        log.append(person, SIGNED_IN, value=SignedIn())
        for problem in folder.problems[:count]:
            log.append(person, SHOWN, problem.id)
            now += _SECONDS_A_PROBLEM + len(problem.passage) % 17
            choice = (problem.answer + (problem.number in wrong)) % len(problem.choices)
            log.append(person, ANSWERED, problem.id, choice)
    log.append("Ben", FAULTS_MARKED, folder.problems[3].id, ["two-answers"])
    log.append("Ben", NOTED, folder.problems[3].id, "the passage leaves it open")


@contextmanager
def _annotate(run: Run) -> Iterator[tuple[Access, Listener]]:
    with tempfile.TemporaryDirectory() as temporary:
        sheet, problems = draw_sheet(run, DrawOptions(problems=30), PunktSplitter().sentences)
        folder = open_or_draw(Path(temporary), sheet.name, lambda: (sheet, problems))
        _answer(folder)
        access, listener = Access.kept(folder.secrets), Listener()
        with running(annotate_app(folder, access, listener), listener):
            yield access, listener


def _address(
    serve: Callable[[Run], AbstractContextManager[tuple[Access, Listener]]], role: Literal["reader", "owner"]
) -> Callable[[Run], Iterator[str]]:
    """Serves a site, and gives the address that signs in with a role."""

    def serving(run: Run) -> Iterator[str]:
        with serve(run) as (access, listener):
            yield listener.address(getattr(access, role))

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


def _adjudicate(page: Page, run: Run) -> None:
    page.get_by_role("link", name="Disagreements").click()
    page.get_by_role("link", name="Problem 4", exact=True).click()


# ---- collect -----------------------------------------------------------------------------------------------------------


def _refused(page: Page, run: Run) -> None:
    _start(page, run)
    submit_easy_question(page)


def _opened_page(name: str) -> Callable[[Page, Run], None]:
    def steps(page: Page, run: Run) -> None:
        _start(page, run)
        page.get_by_role("link", name=name, exact=True).click()

    return steps


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
    ),
    Site(
        _address(_annotate, "reader"),
        [
            Shot("annotate-start", _start),
            Shot("annotate-problem", _problem),
            Shot("annotate-problem-phone", _problem, PHONE),
        ],
    ),
    Site(
        _address(_annotate, "owner"),
        [
            Shot("annotate-progress", lambda page, run: None, (1100, 400)),
            Shot("annotate-scores", lambda page, run: page.get_by_role("link", name="Scores").click()),
            Shot("annotate-adjudicate", _adjudicate),
        ],
    ),
    Site(
        _address(serve_collection, "reader"),
        [
            Shot("collect-passages", _start),
            Shot("collect-write", _refused),
            Shot("collect-write-phone", _refused, PHONE),
            Shot("collect-validate", _opened_page("Validate")),
            Shot("collect-label", _opened_page("Label")),
        ],
    ),
    Site(_address(serve_collection, "owner"), [Shot("collect-progress", lambda page, run: None)]),
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
