"""An estimate of a toy corpus: the stages run on a sample in a temporary folder, and their results are extrapolated."""

import msgspec
import pytest

from support import toy_pipeline as toy
from wdw_build.cli.render import clock
from wdw_build.cli.render import estimate as estimate_text
from wdw_build.corpus_look import estimate as estimating
from wdw_build.corpus_look.estimate import Estimate, estimate
from wdw_build.errors import CorpusError
from wdw_build.pipeline.stage_order import BY_NAME, ON_DEMAND

ALL = [name for name in BY_NAME if name not in ON_DEMAND]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A store in which the whole chain was run."""
    folder = tmp_path_factory.mktemp("store")
    toy.begun(folder).run()
    return folder


@pytest.fixture
def sampled(monkeypatch):
    """Let the sample have at most this number of articles."""
    return lambda most: monkeypatch.setattr(estimating, "_ARTICLES", most)


def told(folder, running=ALL, names=None, backends=None, **changes):
    return estimate(toy.pipeline(folder, **changes), names, running, backends or toy.ports())


def strict_of(root):
    return sum(decision.strict for decision in toy.pipeline(root).output("suppress").records())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The estimate of the whole toy corpus, and the folder of the store that it would be run in."""
    folder = tmp_path_factory.mktemp("whole")
    return told(folder), folder


def test_a_corpus_that_is_run_as_a_whole_gives_the_numbers_of_the_run_and_writes_nothing(whole, root):
    (found, folder), made = whole, toy.pipeline(root)
    assert found.is_whole
    assert [row.stage for row in found.rows] == ALL
    for row in found.rows:
        manifest = made.output(row.stage).manifest
        assert (row.read, row.written) == (manifest.read, manifest.written)
    assert (found.problems.low, found.problems.high) == (strict_of(root),) * 2
    assert list(folder.iterdir()) == []


def test_counts_of_a_sample_are_extrapolated_and_the_range_contains_the_problems_of_the_run(tmp_path, root, sampled):
    sampled(25)
    found = told(tmp_path)
    assert not found.is_whole
    assert found.articles_tried < 24
    assert found.articles == pytest.approx(24, abs=1)
    assert found.problems.low <= strict_of(root) <= found.problems.high
    assert found.problems.low < found.problems.high


def test_bounds_lower_the_expected_problems(tmp_path, whole):
    """First mention and most mentions are never the answer, and chance is a lower bound, too."""
    bounded = msgspec.structs.replace(toy.config(tmp_path).suppress, strict="chance", relaxed=0.5)
    assert told(tmp_path, suppress=bounded).problems.high < whole[0].problems.high


def test_a_stage_that_would_not_run_takes_no_time(tmp_path):
    found = told(tmp_path, ["split", "export"])
    rows = {row.stage: row for row in found.rows}
    assert [name for name, row in rows.items() if not row.up_to_date] == ["split", "export"]
    assert all(row.seconds == 0 for row in rows.values() if row.up_to_date)
    assert found.low_seconds < found.loading_seconds + sum(row.seconds for row in rows.values()) < found.high_seconds


def test_a_plan_that_ends_before_suppression_expects_no_problems(tmp_path):
    found = told(tmp_path, ["ingest"], ["ingest"])
    assert found.problems is None
    assert [row.stage for row in found.rows] == ["ingest"]


def test_a_sample_without_problems_says_so_and_a_corpus_without_problems_is_an_error(tmp_path, sampled):
    no_questions = toy.ListReader([article for article in toy.events() if article.id.startswith("p")])
    with pytest.raises(CorpusError):
        told(tmp_path, backends=toy.ports(reader=no_questions))
    sampled(8)
    found = told(tmp_path, backends=toy.ports(reader=no_questions))
    assert "ended early on the sample" in found.notes[0]
    assert found.problems.low == 0


def test_it_is_json_and_it_can_be_read(whole):
    found, _ = whole
    assert msgspec.json.decode(msgspec.json.encode(found), type=Estimate) == found
    text = estimate_text(found)
    for part in ("Estimate: 24 articles; 24 articles tried in", "records in", "total: ", "with 1 worker"):
        assert part in text
    assert f"strict problems in the end: {found.problems.low}" in text


def test_a_time_is_rounded_to_the_precision_of_an_estimate():
    assert clock(0.2) == "< 1 s"
    assert clock(90) == "90 s"
    assert clock(136) == "2 min 20 s"
    assert clock(600) == "10 min"
    assert clock(3600) == "60 min"
    assert clock(7300) == "2.0 h"
    assert clock(500_000) == "5.8 days"
