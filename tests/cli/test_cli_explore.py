"""``explore``: what it answers and what it refuses, over HTTP and in a real browser."""

import http.client
import threading
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from wdw_build.core.run.progress import Progress
from wdw_build.dataset import open_run
from wdw_build.errors import DamagedOutputError, UsageError
from wdw_build.pipeline import STAGES
from wdw_build.web.explore import make_server
from wdw_build.web.explore.catalogue import open_catalogue
from wdw_build.web.explore.search import Catalogue
from wdw_build.web.explore.site import Site

BROWSER = Path("/usr/bin/chromium")
# Kept for whoever wants to see what the pages look like; git does not.
SHOTS = Path(__file__).parents[2] / "artefacts" / "explore"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="module")
def run(built):
    return open_run(built.folder, STAGES)


@pytest.fixture(scope="module")
def address(run):
    """The address of a server over the real run."""
    server, found = make_server(run, 0, Progress("quiet"))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()
    thread.join()


def ask(address, path=None, method="GET", **headers):
    """(status, headers, page) of a request; ``path`` replaces the address's."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.putrequest(method, path if path is not None else f"{parts.path}?{parts.query}", skip_host=True)
    for name, value in {"Host": parts.netloc, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read().decode()
    connection.close()
    return found


def test_the_address_is_of_the_loopback_and_holds_a_secret(address):
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    assert len(parts.path.strip("/")) >= 32


def test_every_page_is_served_without_scripts_and_without_leaking_the_address(address, run):
    name = next(iter(run.raw_problems)).id
    for page in ("", "problems", "rejections", f"trace?{urlencode({'id': name})}"):
        status, headers, shown = ask(address + page)
        assert status == 200
        assert "<script" not in shown
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert (headers["Referrer-Policy"], headers["Cache-Control"]) == ("no-referrer", "no-store")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(address, host):
    status, _, page = ask(address, Host=host)
    assert status == 421
    assert "Run" not in page


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((path, 404) for path in ("/", "/problems", "/x/problems", "//", "/%00/")),
        *((path, 400) for path in ("http://127.0.0.1/", "*")),
    ],
)
def test_without_the_secret_nothing_is_told(address, path, expected):
    status, _, page = ask(address, path)
    assert status == expected
    assert "tiny" not in page


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
def test_only_get_is_answered(address, method):
    status, headers, _ = ask(address, method=method)
    assert (status, headers["Allow"]) == (405, "GET")


@pytest.mark.parametrize(
    ("page", "status"),
    [
        ("nothing", 404),
        ("trace?id=nobody", 404),
        ("trace", 404),
        ("problems?choices=many", 404),
        ("problems?page=0", 200),
        ("problems?page=99999", 200),
        ("problems?text=%27%20OR%201%3D1", 200),
        ("problems?split=%27%3BDROP%20TABLE%20problems", 200),
        ("problems?" + "&".join(f"a{n}=1" for n in range(30)), 400),
        ("problems?text=" + "a" * 5000, 400),
    ],
)
def test_odd_addresses_get_a_page_that_says_so(address, page, status):
    assert ask(address + page)[0] == status


def test_a_page_about_damaged_output_does_not_say_not_found(run, monkeypatch):
    def damaged(*_):
        raise DamagedOutputError("part-00000.jsonl was changed", hint="run the stage again with --force")

    site = Site(run, open_catalogue(run, Progress("quiet")), "/secret/")
    monkeypatch.setattr("wdw_build.web.explore.site.trace", damaged)
    status, page = site.answer("trace", {"id": "nobody"})
    assert status == 500
    assert "part-00000.jsonl was changed; run the stage again with --force" in page
    assert "Not found" not in page
    assert "<h1>Not found</h1>" in site.answer("nothing", {})[1]


def test_text_of_the_address_is_escaped(address):
    _, _, page = ask(address + "trace?" + urlencode({"id": "<b>x</b>"}))
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_filters_find_what_the_records_say(address, run):
    problems = list(run.raw_problems)
    one = problems[0]
    page = ask(address + "problems?" + urlencode({"text": one.choices[one.answer].name.upper()}))[2]
    assert one.id in page
    wanted = sum(len(problem.choices) == len(one.choices) for problem in problems)
    assert f"{wanted} found" in ask(address + f"problems?choices={len(one.choices)}")[2]
    assert "0 found" in ask(address + "problems?text=nowhere+to+be+found")[2]
    for reason, count in run.questions.manifest.reasons.items():
        assert f"{count} found" in ask(address + f"rejections?stage=questions&reason={reason}")[2]


def test_a_port_that_is_taken_is_a_message(address, run):
    with pytest.raises(UsageError, match="cannot listen on port"):
        make_server(run, urlsplit(address).port, Progress("quiet"))


def test_a_catalogue_is_made_once_and_anew_for_other_outputs(run, address):
    made = list(run.folder.glob("explore-*.sqlite"))
    assert len(made) == 1
    before = made[0].stat().st_mtime_ns
    make_server(run, 0, Progress("quiet"))[0].server_close()
    assert made[0].stat().st_mtime_ns == before


def test_a_run_that_stopped_after_choices_shows_its_problems_as_open(run, tmp_path):
    for stage in ("ingest", "questions", "retrieve", "choices"):
        (tmp_path / stage).symlink_to((run.folder / stage).resolve())
    partial = open_run(tmp_path, STAGES)
    catalogue = Catalogue(open_catalogue(partial, Progress("quiet")))
    assert catalogue.problems({}).total == len(run.raw_problems)
    assert catalogue.values("state") == ["open"]
    assert catalogue.rejections({"stage": "dedup"}).total == 0


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium of the system."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed (pip install -e .[browser])"
    )
    if not BROWSER.exists():
        pytest.skip(f"no Chromium in {BROWSER} (Debian: apt-get install chromium)")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=str(BROWSER), args=FLAGS)
        yield made
        made.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_person_searches_opens_a_trace_and_pages_through_rejections(browser, address, run, scheme):
    SHOTS.mkdir(parents=True, exist_ok=True)
    problem = next(iter(run.raw_problems))
    page = browser.new_page(color_scheme=scheme, viewport={"width": 1280, "height": 900})
    faults, elsewhere = [], []
    page.on("console", lambda message: faults.append(message.text))
    page.on("request", lambda request: elsewhere.append(request.url) if not request.url.startswith(address) else None)

    page.goto(address)
    assert page.title() == "Run tiny"
    page.screenshot(path=SHOTS / f"home-{scheme}.png", full_page=True)
    page.get_by_label("Search problems").fill(problem.choices[problem.answer].name)
    page.get_by_role("button", name="Search").click()
    assert page.get_by_role("cell", name=problem.choices[problem.answer].name, exact=True).first.is_visible()
    page.screenshot(path=SHOTS / f"problems-{scheme}.png", full_page=True)

    page.get_by_role("link", name=problem.id, exact=True).first.click()
    assert page.locator("h1").inner_text().startswith(problem.id)
    assert problem.question.blank.text in page.locator(".blank").all_inner_texts()
    assert page.locator("pre .climbed").count()
    page.screenshot(path=SHOTS / f"trace-{scheme}.png", full_page=True)

    page.get_by_role("link", name="Run tiny").click()
    reason = next(iter(run.questions.manifest.reasons))
    page.get_by_role("link", name=reason).first.click()
    assert reason in page.locator("h1").inner_text()
    page.screenshot(path=SHOTS / f"rejections-{scheme}.png", full_page=True)
    page.locator("tbody a").first.click()
    assert "rejected it" in page.locator(".ended").inner_text()
    page.screenshot(path=SHOTS / f"rejected-{scheme}.png", full_page=True)
    assert (faults, [url for url in elsewhere if not url.endswith("/favicon.ico")]) == ([], [])
    page.close()


def test_a_narrow_window_needs_no_scrolling_sideways(browser, address, run):
    page = browser.new_page(viewport={"width": 390, "height": 800})
    name = next(iter(run.raw_problems)).id
    for path in ("", "problems", "rejections", f"trace?{urlencode({'id': name})}"):
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.screenshot(path=SHOTS / "trace-narrow.png", full_page=True)
    page.close()
