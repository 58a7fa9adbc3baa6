"""``explore``: what its pages show of a run, and what they refuse."""

import re
from urllib.parse import urlencode

import pytest
from markupsafe import escape
from starlette.testclient import TestClient

from support.stage_runs import stored
from support.toy_pipeline import begun
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run, open_run
from wdw_build.errors import DamagedOutputError
from wdw_build.pipeline import BY_NAME, STAGES
from wdw_build.records import Rejection, SplitAssignment
from wdw_build.web.explore import make_app
from wdw_build.web.explore.catalogue import PAGE, Catalogue, open_catalogue
from wdw_study.web.base import Access, Listener

QUIET = Progress("quiet")
PATHS = ("/", "/problems", "/rejections", "/trace?id=q01")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    toy = begun(tmp_path_factory.mktemp("explore"))
    toy.run()
    return open_run(toy.run_folder, STAGES)


@pytest.fixture(scope="module")
def app(run):
    listener = Listener()
    listener.socket.close()
    access = Access.fresh()
    made = make_app(run, QUIET, access, listener)
    made.state.owner, made.state.reader = access.owner, access.reader
    return made


@pytest.fixture(scope="module")
def owner(app):
    """The browser of the person who started the server."""
    client = TestClient(app, base_url="http://127.0.0.1")
    client.get("/enter", params={"token": app.state.owner}, follow_redirects=False)
    return client


@pytest.mark.parametrize("path", PATHS)
def test_no_page_is_shown_without_the_owners_token(app, path):
    client = TestClient(app, base_url="http://127.0.0.1")
    for token in ("", "wrong", app.state.reader):
        client.get("/enter", params={"token": token}, follow_redirects=False)
        answer = client.get(path)
        assert answer.status_code == 403
        assert "toy" not in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_pages_have_no_scripts_no_inline_styles_and_no_secret(app, owner, path):
    answer = owner.get(path)
    assert answer.status_code == 200
    assert not re.search(r"<script|<style| style=| on\w+=", answer.text)
    assert not any(token in answer.text for token in (app.state.owner, app.state.reader))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/trace?id=nobody", 404),
        ("/trace", 404),
        ("/problems?choices=many", 404),
        ("/problems?page=0", 200),
        ("/problems?page=99999", 200),
        ("/problems?name=x&fields=y", 200),
        ("/problems?text=%27%20OR%201%3D1", 200),
        ("/problems?text=%00%ff%ed%a0%80", 200),
        ("/problems?split=%27%3BDROP%20TABLE%20problems", 200),
        ("/problems?text=" + "a" * 5000, 414),
    ],
)
def test_odd_addresses_get_a_page_that_says_so(owner, path, status):
    assert owner.get(path).status_code == status


def test_damaged_output_is_named_with_what_to_do(owner, monkeypatch):
    def damaged(*_):
        raise DamagedOutputError("part-00000.jsonl was changed", hint="run the stage again with --force")

    monkeypatch.setattr("wdw_build.web.explore.trace", damaged)
    answer = owner.get("/trace?id=q01")
    assert answer.status_code == 500
    assert "part-00000.jsonl was changed; run the stage again with --force" in answer.text


def test_the_first_page_says_in_words_why_records_were_rejected(owner, run):
    reasons = {reason for table in run.tables.values() if table.exists for reason in table.manifest.reasons}
    shown = owner.get("/").text
    assert reasons
    assert all(f'</a> <span class="dim">{escape(run.meaning(reason))}</span>' in shown for reason in reasons)


def test_text_of_the_address_is_escaped(owner):
    for path in ("/trace?", "/problems?"):
        shown = owner.get(path + urlencode({"id": "<b>x</b>", "text": "<b>x</b>"})).text
        assert "<b>x</b>" not in shown
        assert "&lt;b&gt;x&lt;/b&gt;" in shown


def test_ids_in_a_trace_are_links_to_their_own_traces(owner, run):
    problem = next(iter(run.distinct_problems))
    shown = owner.get("/trace", params={"id": problem.id}).text
    link = f"/trace?{urlencode({'id': problem.passage.article})}"
    assert f'href="{link}">{problem.passage.article}</a>' in shown
    assert owner.get(link).status_code == 200


def test_filters_find_what_the_records_say(owner, run):
    problems = list(run.distinct_problems)
    problem = problems[0]
    assert problem.id in owner.get("/problems", params={"text": problem.choices[problem.answer].name.upper()}).text
    wanted = sum(len(other.choices) == len(problem.choices) for other in problems)
    assert f"{wanted} found" in owner.get(f"/problems?choices={len(problem.choices)}").text
    assert "0 found" in owner.get("/problems?text=nowhere+to+be+found").text
    for reason, count in run.questions.manifest.reasons.items():
        assert f"{count} found" in owner.get(f"/rejections?stage=questions&reason={reason}").text


def test_pages_of_a_long_list_keep_the_search(owner, run, monkeypatch):
    monkeypatch.setattr("wdw_build.web.explore.catalogue.PAGE", 5)
    first = owner.get("/problems?text=river&state=").text
    total = len(list(run.distinct_problems))
    assert f"{total} found, page 1 of {-(-total // 5)}" in first
    (following,) = set(re.findall(r'rel="next" href="([^"]+)"', first))
    assert following == "/problems?text=river&amp;page=2"
    assert "page 2 of" in owner.get(following.replace("&amp;", "&")).text
    assert PAGE > 5


def test_the_catalogue_is_made_once(run, owner):
    (made,) = run.folder.glob("explore-*.sqlite")
    before = made.stat().st_mtime_ns
    assert open_catalogue(run, QUIET) == made
    assert made.stat().st_mtime_ns == before


def test_a_run_that_stopped_after_choices_shows_its_problems_as_open(run, tmp_path):
    for stage in ("ingest", "questions", "retrieve", "choices"):
        (tmp_path / stage).symlink_to((run.folder / stage).resolve())
    partial = open_run(tmp_path, STAGES)
    catalogue = Catalogue(open_catalogue(partial, QUIET))
    assert catalogue.problems({}).total == len(run.distinct_problems)
    assert catalogue.values("state") == ["open"]
    assert catalogue.rejections({"stage": "dedup"}).total == 0


def rejecting(run, folder, stage, records, ids, reason):
    """The run as if a stage had written these records, and rejected these ids."""
    rejections = [Rejection(id=name, reason=reason) for name in ids]
    output = stored(folder / stage, BY_NAME[stage].writes, records, rejections)
    return Run(folder, run.stages, {**run.outputs, stage: output})


def test_the_state_of_an_article_without_a_selected_alternative_is_the_reason_of_suppress(run, tmp_path):
    first, second, *decisions = run.decisions
    assignments = [one for one in run.assignments if one.id != first.id]
    other = rejecting(run, tmp_path, "suppress", [second, *decisions], [first.id], "suppressed")
    other = Run(
        tmp_path, run.stages, {**other.outputs, "split": stored(tmp_path / "split", SplitAssignment, assignments)}
    )
    kept = assignments[0].id
    other = rejecting(other, tmp_path, "pseudonyms", [], [first.id, kept], "shared-name")
    states = {row["id"]: row["state"] for row in Catalogue(open_catalogue(other, QUIET)).problems({}).rows}
    assert states[first.id] == "suppressed"
    assert states[kept] == "shared-name"
