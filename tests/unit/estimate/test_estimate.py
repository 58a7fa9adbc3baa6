"""An estimate of a toy corpus: what would run is tried, what is up to date is counted, and the store is left alone."""

import msgspec
import pytest

from support import toy_pipeline as toy
from wdw_build.cli.render import clock
from wdw_build.cli.render import estimate as estimate_text
from wdw_build.estimate import Estimate, estimate
from wdw_build.pipeline import BY_NAME, ON_DEMAND

ALL = [name for name in BY_NAME if name not in ON_DEMAND]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A store in which the whole chain was run."""
    folder = tmp_path_factory.mktemp("store")
    toy.begun(folder).run()
    return folder


def told(folder, running=ALL, names=None, **changes):
    return estimate(toy.pipeline(folder, **changes), names, running, toy.ports())


def test_every_stage_has_its_row_and_the_numbers_are_those_of_the_run(tmp_path, root):
    rows = {row.stage: row for row in told(tmp_path).rows}
    assert list(rows) == ALL
    made = toy.pipeline(root)
    for name in ("ingest", "index", "sentences", "names", "questions", "retrieve", "choices"):
        manifest = made.output(name).manifest
        assert (rows[name].read, rows[name].written, rows[name].basis) == (manifest.read, manifest.written, "counted")
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
    assert {(row.basis, row.seconds) for row in rows.values() if row.up_to_date} == {("counted", 0.0)}
    assert sum(row.seconds for row in rows.values()) == pytest.approx(found.total_seconds)
    assert rows["choices"].written == rows["dedup"].read


@pytest.mark.parametrize("first", ALL)
def test_a_run_can_begin_at_any_stage(root, first):
    running = ALL[ALL.index(first) :]
    assert [row.stage for row in told(root, running).rows if not row.up_to_date] == running


@pytest.mark.parametrize("finished", [{"ingest", "sentences", "names", "questions"}, {"ingest", "index"}])
def test_retrieve_is_tried_with_outputs_of_the_run_and_of_trials(root, finished):
    rows = {row.stage: row for row in told(root, [name for name in ALL if name not in finished]).rows}
    made = toy.pipeline(root).output("retrieve").manifest
    assert (rows["retrieve"].read, rows["retrieve"].written) == (made.read, made.written)


def test_a_run_of_late_stages_alone_is_estimated_without_a_trial(root):
    found = told(root, running=["split"], names=["split"])
    assert (found.corpus.articles_tried, found.model_seconds, found.worker_mb) == (0, 0, 0)


def test_more_workers_are_never_slower_and_the_range_holds_the_sum_of_the_stages(tmp_path):
    found = told(tmp_path)
    assert found.times[0].low < found.total_seconds < found.times[0].high
    highs = [time.high for time in found.times]
    assert highs == sorted(highs, reverse=True)


def test_the_range_of_problems_holds_those_of_the_run_and_a_finished_selection_is_counted(tmp_path, root):
    strict = sum(decision.strict for decision in toy.pipeline(root).output("suppress").records())
    tried, counted = told(tmp_path).problems, told(root, ["split", "export"])
    assert tried.basis == "extrapolated"
    assert tried.low <= strict <= tried.high
    assert (counted.problems.low, counted.problems.high, counted.problems.basis) == (strict, strict, "counted")
    assert f"strict problems in the end: {strict} (counted)" in estimate_text(counted)


def test_predictions_of_the_run_give_a_narrow_range(root):
    """The sample is the whole corpus, so that only whole numbers and adversaries are unknown."""
    strict = sum(decision.strict for decision in toy.pipeline(root).output("suppress").records())
    for first in ("dedup", "baselines", "adversary", "suppress"):
        problems = told(root, ALL[ALL.index(first) :]).problems
        assert problems.basis == "extrapolated"
        assert problems.low <= strict <= problems.high <= 1.5 * problems.low


def test_bounds_lower_the_expected_problems(tmp_path):
    """First mention and most mentions are never the answer, and chance is a lower bound, too."""
    strict = toy.config(tmp_path).suppress
    bounded = msgspec.structs.replace(strict, strict="chance", relaxed=0.5)
    assert told(tmp_path, suppress=bounded).problems.high < told(tmp_path).problems.low


def test_a_plan_without_a_sample_of_problems_assumes_their_share(tmp_path):
    reader = toy.Named([article for article in toy.events() if article.id.startswith("p")])
    found = estimate(toy.pipeline(tmp_path), None, ALL, toy.ports(reader=reader)).problems
    assert (found.low, found.basis) == (0, "assumed")


def test_a_plan_that_ends_before_suppression_expects_no_problems(tmp_path):
    assert told(tmp_path, ["ingest"], ["ingest"]).problems is None


def test_it_is_json_and_it_can_be_read(tmp_path):
    found = told(tmp_path)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Estimate) == found
    text = estimate_text(found)
    for part in (
        "Estimate: 24 articles (counted); 24 articles tried",
        "records in",
        "total: ",
        "with 2 workers, a core each",
        "a GPU would save",
        "per worker",
        f"strict problems in the end: {found.problems.low} to {found.problems.high}",
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


def test_what_is_odd_about_the_articles_is_noted(tmp_path):
    (note,) = told(tmp_path, ["ingest"], ["ingest"]).notes
    assert note.startswith(
        "12 of 24 first paragraphs have fewer than 10 words, such as 'the court of Arden opened early.'"
    )
