"""An estimate of a toy corpus: what would run is tried, what is up to date is counted, and the store is left alone."""

import msgspec
import pytest

from support import toy_pipeline as toy
from wdw_build.cli.render import clock
from wdw_build.cli.render import estimate as estimate_text
from wdw_build.estimate import Estimate, estimate
from wdw_build.pipeline import BY_NAME

ALL = [name for name, stage in BY_NAME.items() if not stage.on_demand]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A store in which the whole chain was run."""
    folder = tmp_path_factory.mktemp("store")
    toy.pipeline(folder).run()
    return folder


def told(folder, running=ALL, names=None, **changes):
    return estimate(toy.pipeline(folder, **changes), names, running, toy.ports())


def test_every_stage_has_its_row_and_the_numbers_are_those_of_the_run(tmp_path, root):
    rows = {row.stage: row for row in told(tmp_path).rows}
    assert list(rows) == ALL
    made = toy.pipeline(root)
    for name in ("ingest", "index", "sentences", "names", "questions", "retrieve", "choices"):
        manifest = made.output(name).manifest
        assert (rows[name].read, rows[name].written) == (manifest.read, manifest.written)
    assert rows["ingest"].basis == "counted"
    assert {rows[name].basis for name in ("adversary", "suppress", "split", "export")} == {"assumed"}
    assert not any(row.up_to_date for row in rows.values())


def test_nothing_is_written_where_the_store_would_be(tmp_path):
    told(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_up_to_date_is_counted_and_costs_nothing(root):
    found = told(root, running=["dedup", "baselines"], names=["baselines"])
    rows = {row.stage: row for row in found.rows}
    assert list(rows) == ALL[: ALL.index("adversary")]
    assert [name for name, row in rows.items() if row.up_to_date] == ALL[: ALL.index("dedup")]
    assert {row.basis for row in rows.values() if row.up_to_date} == {"counted"}
    assert sum(row.seconds for row in rows.values()) == pytest.approx(found.total_seconds)
    assert rows["choices"].written == rows["dedup"].read


@pytest.mark.parametrize("first", ALL)
def test_a_run_can_begin_at_any_stage(root, first):
    running = ALL[ALL.index(first) :]
    assert [row.stage for row in told(root, running).rows if not row.up_to_date] == running


@pytest.mark.parametrize("finished", [{"ingest", "sentences", "names", "questions"}, {"ingest", "index"}])
def test_retrieve_is_tried_with_an_index_and_questions_of_the_same_articles(root, finished):
    rows = {row.stage: row for row in told(root, [name for name in ALL if name not in finished]).rows}
    made = toy.pipeline(root).output("retrieve").manifest
    assert (rows["retrieve"].read, rows["retrieve"].written) == (made.read, made.written)


def test_the_stages_after_baselines_are_estimated_without_a_trial(root):
    found = told(root, running=["split"], names=["split"])
    assert found.corpus.articles_tried == 0
    assert found.model_seconds == 0


def test_it_is_json_and_it_can_be_read(tmp_path):
    found = told(tmp_path)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Estimate) == found
    text = estimate_text(found)
    for part in (
        "Estimate: 24 articles",
        "counted",
        "records in",
        "total: about",
        "with 2 nodes",
        "a GPU would save",
    ):
        assert part in text
    assert "up to date" not in text


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "< 1 s"),
        (90, "90 s"),
        (136, "2 min 20 s"),
        (600, "10 min"),
        (3600, "60 min"),
        (7300, "2.0 h"),
        (500_000, "5.8 days"),
    ],
)
def test_a_time_is_rounded_to_the_precision_of_an_estimate(seconds, words):
    assert clock(seconds) == words
