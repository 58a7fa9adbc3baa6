"""What limited the yield: counted by hand on a toy run, and rows that name a key and another value."""

import msgspec
import pytest

from support import toy_pipeline as toy
from wdw_build.cli import render
from wdw_build.core.config.settings import DedupConfig, QuestionsConfig, RetrieveConfig, SplitConfig
from wdw_build.core.progress import Progress
from wdw_build.dataset import open_run
from wdw_build.dataset.yield_limits import OtherValue, YieldLimit, remedy, shown_limits, yield_limits
from wdw_build.pipeline import STAGES
from wdw_build.records import Candidate, Rejection, SuppressionCost
from wdw_build.stages import retrieve
from wdw_build.views.report import gather, page
from wdw_build.views.summary import Suppression, summarise


def made(root, **changes):
    toy.begun(root, **changes).run()
    return open_run(root / "runs/toy", STAGES)


def row(run, rule):
    (found,) = (limit for limit in yield_limits(run) if limit.rule == rule)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return made(tmp_path_factory.mktemp("toy"))


def test_every_rejected_article_counts_once(run):
    by_stage = {}
    for limit in yield_limits(run):
        by_stage[limit.stage] = by_stage.get(limit.stage, 0) + limit.articles
    rejected = {table.name: table.manifest.rejected for table in run.tables.values() if table.exists}
    assert by_stage == {name: count for name, count in rejected.items() if count and name != "suppress"}


def test_the_most_costly_come_first(run):
    costs = [limit.articles for limit in yield_limits(run)]
    assert costs == sorted(costs, reverse=True)
    assert all(costs)


def test_a_lower_event_score_lets_as_many_articles_pass_as_a_run_with_it(tmp_path):
    scores = [
        candidate.event
        for retrieval in made(tmp_path / "all").retrievals
        for candidate in retrieval.candidates
        if not candidate.rule
    ]
    least = round(max(scores) + 0.03, 2)
    strict = toy.begun(tmp_path / "none", retrieve=RetrieveConfig(min_event_score=least))
    strict.run(["retrieve"])
    limit = row(open_run(tmp_path / "none/runs/toy", STAGES), "other-event")
    assert (limit.stage, limit.key, limit.next_stage) == ("retrieve", "retrieve.min_event_score", "")
    lower = toy.begun(tmp_path / "lower", retrieve=RetrieveConfig(min_event_score=float(limit.other.value)))
    lower.run(["retrieve"])
    assert limit.other.articles == len(open_run(tmp_path / "lower/runs/toy", STAGES).retrievals)
    assert limit.other.exact


def test_shorter_sentences_pass_with_a_lower_minimum(tmp_path):
    shown = made(tmp_path, questions=QuestionsConfig(min_tokens=9))
    lengths = [int(one.detail.split()[0]) for one in shown.questions.rejections("sentence-too-short")]
    limit = row(shown, "sentence-too-short")
    assert limit.articles == len(lengths)
    assert limit.other == OtherValue(value="7", articles=sum(length >= 7 for length in lengths), exact=False)


def test_repeated_questions_pass_with_a_threshold_above_their_share(tmp_path):
    limit = row(made(tmp_path, dedup=DedupConfig(threshold=0.5)), "duplicate-question")
    assert (limit.key, limit.value) == ("dedup.threshold", "0.5")
    assert limit.other is None or limit.other.articles <= limit.articles


def test_without_a_gap_all_problems_of_the_gap_are_in_the_dataset(tmp_path):
    limit = row(made(tmp_path, split=SplitConfig(max_share=0.5, gap_days=4)), "within-gap")
    assert limit.other == OtherValue(value="0", articles=limit.articles, exact=True)
    assert remedy(limit) == f"split.gap_days 0 instead of 4: about {limit.articles} more reach export"


def test_keys_that_no_rejection_names_count_the_articles_that_reached_them(tmp_path):
    searched = RetrieveConfig(max_candidates=1, min_event_score=1.0)
    toy.begun(tmp_path, questions=QuestionsConfig(persons="last"), retrieve=searched).run(["retrieve"])
    few = open_run(tmp_path / "runs/toy", STAGES)
    rejections = list(few.retrievals.rejections())
    assert row(few, "persons").articles == len(rejections)
    tried = [rejection for rejection in rejections if rejection.candidates]
    assert (row(few, "max_candidates").articles, row(few, "max_candidates").key) == (
        len(tried),
        "retrieve.max_candidates",
    )


def candidate(rule, number=0, blank=0):
    return Candidate(
        article=f"a{number}", date=toy.dt.date(2014, 3, 1), window=1, rank=1, score=1.0, rule=rule, blank=blank
    )


@pytest.mark.parametrize(
    ("rules", "stopped"),
    [
        (("no-other-person", "reprint", "other-event"), "other-event"),
        (("no-other-person", "sentence-overlap"), "sentence-overlap"),
        (("no-other-person", "table", "table"), "table"),
    ],
)
def test_an_article_counts_for_the_candidate_that_passed_the_most_tests(rules, stopped):
    from wdw_build.dataset.yield_limits import _stopped_by

    rejection = Rejection(id="q", reason="no-valid-candidate", candidates=tuple(map(candidate, rules)))
    assert _stopped_by(retrieve.STAGE, rejection) == stopped
    assert _stopped_by(retrieve.STAGE, msgspec.structs.replace(rejection, reason="else", candidates=())) == "else"


def limit(articles, key=""):
    return YieldLimit(stage="s", rule=f"r{articles}", meaning="", articles=articles, key=key, value="1")


def test_about_ten_rows_are_shown_most_of_them_with_a_key():
    many = tuple(limit(100 - number, "s.k" if number % 2 else "") for number in range(60))
    shown = shown_limits(many)
    assert len(shown) == 10
    assert sum(bool(one.key) for one in shown) == 7
    assert shown[0].articles == 100


def test_the_summary_ends_with_the_limits_and_the_report_has_them(run):
    totals = summarise(run)
    text = render.summary(totals)
    assert totals.yield_limits == yield_limits(run)
    assert "What limited the yield" in text.split("\n\n")[-2]
    assert totals.size_notes[0] in text
    assert "What limited the yield" in page(gather(run, 0, Progress("quiet")), None)


def cost(key, more, price="anything goes"):
    return SuppressionCost(key=key, value="1", other="0", kept=20, other_kept=20 + more, price=price)


def test_the_summary_and_the_report_say_what_suppression_cost(run):
    totals = summarise(run)
    stored = run.decisions.output.folder / "costs.json"
    assert totals.suppression.costs == msgspec.json.decode(stored.read_bytes(), type=tuple[SuppressionCost, ...])
    assert (totals.suppression.problems, totals.suppression.strict) == (run.decisions.manifest.read, 12)
    costs = cost("suppress.strict", 20), cost("suppress.max_per_event", 9), cost("adversary.rounds", 1)
    costly = msgspec.structs.replace(totals, suppression=Suppression(1250, 20, costs))
    assert render.summary(costly).split("\n\n")[-1].split("\n") == [
        "Suppression kept 20 of 1,250 problems as strict; without any bound, it would keep about 40.",
        "suppress.max_per_event 0 instead of 1: about 9 more, but anything goes",
        "adversary.rounds 0 instead of 1: about 1 more, but anything goes",
    ]
    facts = gather(run, 0, Progress("quiet"))
    shown = page(facts._replace(summary=costly))
    assert "Suppression kept 20 of 1,250 problems as strict" in shown
    assert "<li>suppress.max_per_event 0 instead of 1: about 9 more, but anything goes</li>" in shown
