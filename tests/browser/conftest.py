"""A headless Chromium for the tests of pages: one browser for all tests of a process, one context for each person.

``visit`` opens an address as a new person (own cookies); a message in the console, an exception in a script or a request
to another host fails the test. ``check_page`` checks the page as it is shown now: accessibility in light and dark, and no
scrolling sideways on a phone. It leaves screenshots in ``artefacts/pages``, which git ignores.
"""

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from support.toy_pipeline import run_of

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
# Containers run tests as root and have little shared memory.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
SCREENSHOTS = Path(__file__).parents[2] / "artefacts" / "pages"
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 800}
# WCAG 2.0, 2.1 and 2.2 at the levels A and AA, and what axe-core counts as good practice: headings and landmarks.
ALL_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
# What can differ between light and dark.
COLOUR_RULES = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]}
# What can differ on a phone. A part that scrolls must be reachable with the keyboard.
PHONE_RULES = {
    "runOnly": {"type": "rule", "values": ["scrollable-region-focusable", "target-size"]},
    "resultTypes": ["violations"],
}


@pytest.fixture(scope="session")
def browser():
    """The browser. Tests are skipped where Playwright or Chromium is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (make browser)")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Visits:
    """Opens pages, each in a context of its own, and collects what goes wrong in them.

    A test that provokes an error, such as a page that is not found, removes it from ``faults``.
    """

    def __init__(self, browser):
        self._browser, self._contexts, self._faults = browser, [], []
        # A driver may type into a page before the page has set its focus, and the browser then says so.
        self._expected = ["Autofocus processing was blocked"]

    def __call__(self, address, *, viewport=DESKTOP, **options):
        """The page at an address, seen by a person who was not here before."""
        context = self._browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(30_000)
        context.on("console", lambda message: self._faults.append(f"{message.type}: {message.text}"))
        context.on("weberror", lambda error: self._faults.append(f"exception: {error.error}"))
        context.on("request", self._check_host)
        self._contexts.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    def _check_host(self, request):
        if urlsplit(request.url).hostname not in (None, "127.0.0.1", "localhost"):
            self._faults.append(f"request to {request.url}")

    def expect(self, text):
        """A message of the console with this text is no fault: the browser tells of every answer such as 403."""
        self._expected.append(text)

    @property
    def faults(self):
        return [fault for fault in self._faults if not any(text in fault for text in self._expected)]

    def close(self):
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser):
    """Opens an address as a new person; see ``Visits``."""
    visits = Visits(browser)
    yield visits
    visits.close()
    assert visits.faults == []


@pytest.fixture(scope="session")
def check_accessibility():
    """Fails with rule, selector and help for each violation that axe-core finds on a page as it is shown now."""
    axe = pytest.importorskip(
        "axe_playwright_python.base", reason="axe-playwright-python is not installed (make browser)"
    )

    def check(page, options=ALL_RULES):
        if page.evaluate("window.axe === undefined"):
            page.evaluate(axe.AXE_SCRIPT)
        violations = page.evaluate("async options => (await axe.run(options)).violations", options)
        found = [
            f"{violation['id']}: {node['target']}: {violation['help']}\n{node['failureSummary']}"
            for violation in violations
            for node in violation["nodes"]
        ]
        assert not found, f"{page.url.partition('?')[0]}\n" + "\n\n".join(found)

    return check


@pytest.fixture(scope="session")
def check_page(check_accessibility):
    """Checks a page as it is shown now, light and dark, on a desk and on a phone; takes screenshots NAME-*.png."""

    def check(page, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / f"{name}-light.png", full_page=True)
        check_accessibility(page)
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=SCREENSHOTS / f"{name}-dark.png")
        check_accessibility(page, COLOUR_RULES)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)
        page.screenshot(path=SCREENSHOTS / f"{name}-phone.png")
        check_accessibility(page, PHONE_RULES)
        width = page.evaluate("document.documentElement.scrollWidth")
        page.set_viewport_size(DESKTOP)
        assert width <= PHONE["width"], f"{name} scrolls sideways on a phone: it is {width} px wide"

    return check


@pytest.fixture(scope="session")
def toy_run(tmp_path_factory):
    """A complete run of twelve problems, made with fakes in a second. Tests leave its stages as they are."""
    return run_of(tmp_path_factory.mktemp("toy")).require_complete()
