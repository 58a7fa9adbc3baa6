"""The SQLite file of ``explore`` holds what the run stores, and datasette serves it to the owner alone, escaped."""

import asyncio
import sqlite3
from contextlib import closing

import msgspec
import pytest

from support.toy_pipeline import ListReader, events, ports, run_of
from wdw_build.core.progress import Progress
from wdw_build.views.explore_file import metadata, write_file

QUIET = Progress("quiet")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in which the title of the first article is markup."""
    first, *others = events()
    reader = ListReader([msgspec.structs.replace(first, title="<script>alert(1)</script> harbour"), *others])
    return run_of(tmp_path_factory.mktemp("toy"), ports(reader=reader))


@pytest.fixture(scope="module")
def path(run, tmp_path_factory):
    path = tmp_path_factory.mktemp("explore") / "toy.sqlite"
    write_file(run, path, QUIET)
    return path


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_every_table_has_what_the_stages_stored(run, path):
    assert rows(path, "SELECT count(*) FROM articles") == [(len(run.articles),)]
    assert rows(path, "SELECT id FROM problems") == [(one.id,) for one in run.all_alternatives]
    made = {one.id: one.split for one in run.assignments}
    assert dict(rows(path, "SELECT id, split FROM problems WHERE state = 'in the dataset'")) == made
    found = [candidate for one in (*run.retrievals, *run.retrievals.rejections()) for candidate in one.candidates]
    assert rows(path, "SELECT count(*) FROM candidates") == [(len(found),)]
    refused = sum(bool(candidate.rule) for candidate in found)
    assert rows(path, "SELECT count(*) FROM candidates WHERE stage = 'retrieve'") == [(refused,)]
    rejected = sum(table.manifest.rejected for table in run.tables.values() if table.exists)
    assert rows(path, "SELECT count(*) FROM rejections") == [(rejected,)]
    for problem in run.distinct_problems:
        names = rows(path, f"SELECT name FROM choices WHERE problem = '{problem.id}' ORDER BY number")
        assert names == [(choice.name,) for choice in problem.choices]
        (answer,) = rows(path, f"SELECT name FROM choices WHERE problem = '{problem.id}' AND is_answer")
        assert answer == (problem.choices[problem.answer].name,)


def test_a_problem_that_a_later_stage_rejects_has_the_reason_as_its_state(run, path):
    wanted = {one.id: one.reason for table in (run.alternatives, run.decisions) for one in table.rejections()}
    assert dict(rows(path, "SELECT id, state FROM problems WHERE split = ''")) == wanted


def test_the_file_is_written_again_only_for_other_outputs(run, path, tmp_path):
    before = path.stat().st_mtime_ns
    write_file(run, path, QUIET)
    assert path.stat().st_mtime_ns == before
    outputs = {name: output for name, output in run.outputs.items() if name in ("ingest", "sentences")}
    write_file(type(run)(run.folder, outputs), path, QUIET)
    assert rows(path, "SELECT count(*) FROM problems") == [(0,)]
    write_file(run, path, QUIET)


def get(path, *addresses, actor=None):
    """The answers of datasette's application over the file."""
    app = pytest.importorskip("datasette.app", reason="datasette is not installed (the extra explore)")
    served = app.Datasette(immutables=[str(path)], metadata=metadata("toy", path.stem))
    cookies = {"ds_actor": served.sign({"a": actor}, "actor")} if actor else {}

    async def answers():
        await served.invoke_startup()
        return [await served.client.get(address, cookies=cookies) for address in addresses]

    return asyncio.run(answers())


def test_datasette_searches_counts_and_escapes(run, path):
    addresses = "/toy/articles", "/toy/articles.json?_search=alert&_shape=array", "/toy/problems.json?_facet=split"
    table, searched, facets = get(path, *addresses, actor={"id": "root"})
    assert "&lt;script&gt;alert(1)" in table.text
    assert "<script>alert(1)" not in table.text
    assert [article["id"] for article in searched.json()] == [next(iter(run.articles)).id]
    counted = {one["value"]: one["count"] for one in facets.json()["facet_results"]["state"]["results"]}
    assert counted["in the dataset"] == len(run.assignments)


def test_only_the_person_who_started_the_server_may_read(path):
    assert [answer.status_code for answer in get(path, "/", "/toy.json", "/toy.db")] == [403, 403, 403]
