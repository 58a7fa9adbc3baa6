"""Two releases of a growing corpus: ids and keys of problems stay."""

import datetime as dt

import pytest

from support.renaming import ListedProblems
from support.toy_pipeline import ListReader, events, ports, run_of
from wdw_build.adapters.exports.keys import KeysExporter
from wdw_build.core.store import jsonl
from wdw_build.selection.settings import SplitConfig

OLD_TEST, NEW_TEST = dt.date(2014, 3, 25), dt.date(2014, 3, 31)


def released(root, run, articles, test_from, **split):
    backends = ports(reader=ListReader(articles, f"list {run}"))
    return run_of(root, backends, run=run, split=SplitConfig(test_from=test_from, **split))


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    """Releases of ten events, and of these with two later events; the test set is the newest."""
    root = tmp_path_factory.mktemp("releases")
    return released(root, "old", list(events(10)), OLD_TEST), released(root, "new", list(events(12)), NEW_TEST)


def key_lines(run, folder):
    """id -> line of the exported keys."""
    placed = {one.id: one for one in run.assignments}
    pairs = [(problem, placed[problem.id]) for problem in run.distinct_problems if problem.id in placed]
    KeysExporter().write_from(folder, ListedProblems(pairs), events(12))
    return dict(zip(placed, (folder / "keys/problems.jsonl").read_bytes().splitlines(), strict=True))


def test_the_ids_and_the_records_of_problems_do_not_depend_on_articles_added_later(releases):
    old, new = ({one.id: jsonl.encode(one) for one in run.distinct_problems} for run in releases)
    assert len(old) == 10
    assert old.items() < new.items()


def test_the_keys_of_two_releases_share_the_lines_of_problems_that_stay_in_their_split(releases, tmp_path):
    old, new = (key_lines(run, tmp_path / run.name) for run in releases)
    assert old.keys() < new.keys()
    assert {name for name in old if old[name] != new[name]} == {"q08", "q09"}
