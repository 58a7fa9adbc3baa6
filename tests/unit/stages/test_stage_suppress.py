"""suppress: what is kept by hand, no bound broken by more than half a problem, and strict within relaxed.

The first tests are about the paper's program: one alternative for each article, pooled bounds and no caps.
"""

from collections import Counter

import msgspec
import pytest

from support import fakes, make, stage_runs
from support.make import day
from wdw_build.core.hashing import uniform_hash
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.records import AdversaryPredictions, Predictions, TraitShare
from wdw_build.selection.settings import SplitConfig
from wdw_build.stages.suppress import STAGE, TRAITS

NAMES = ("first-person", "most-frequent", "ngram", "unigram")


def guesses(name, solved, choices=2):
    """A problem with that many choices that the baselines with a 1 in ``solved`` solve."""
    chosen = {baseline: int(digit == "0") for baseline, digit in zip(NAMES, solved, strict=False)}
    scores = dict.fromkeys(NAMES, tuple(map(float, range(choices, 0, -1))))
    return AdversaryPredictions(id=name, date=day(0), choices=choices, answer=0, guesses=chosen, scores=scores)


def many(**cells):
    """``many(a10_2=5)``: five problems of two choices, of the cell 10."""
    found = []
    for cell, count in cells.items():
        solved, choices = cell[1:].split("_")
        found += [guesses(f"{cell}-{number:03d}", solved, int(choices)) for number in range(count)]
    return found


NO_CAPS = {"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0}
PAPER = {"bounds": "pooled", "shared_articles": "allow", "event_weight": 0.0, **NO_CAPS}


def record_of(predictions):
    """An article with one alternative, in a passage that no other article has."""
    people = [f"Ann{at} Lee" for at in range(predictions.choices)]
    return make.alternatives(make.met(predictions.id, people, date=predictions.date, article_id=f"p-{predictions.id}"))


def select(tmp_path, articles, seed=0, solver=None, split=None, **settings):
    """Run the stage on articles: for each, a record of ``dedup`` and the predictions for its alternatives."""
    records, predictions = ([article[at] for article in articles] for at in (0, 1))
    inputs = {"adversary": predictions, "dedup": records, "ingest": make.articles_of(*records)}
    section, shared = STAGE.config(**{**NO_CAPS, **settings}), {"split": SplitConfig(**split or {})}
    solver = solver or fakes.ScipySolver()
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, shared=shared, seed=seed, solver=solver)


def suppress(tmp_path, problems, **settings):
    """Run the stage on articles with one alternative each."""
    return select(tmp_path, [(record_of(one), one) for one in problems], **{"min_kept": 1, **PAPER, **settings})


def strict_ids(ran):
    return {one.id for one in ran.records.values() if one.strict}


def test_what_is_suppressed_is_rejected_and_a_bound_of_one_suppresses_nothing(tmp_path):
    problems = many(a1_2=30, a0_2=10)
    ran = suppress(tmp_path / "on", problems, strict="chance", relaxed=0.5)
    assert set(ran.reasons.values()) == {"suppressed"}
    assert len(ran.rejections) == 19
    assert next(iter(ran.rejections.values())).detail == "1 with 2 choices"
    off = suppress(tmp_path / "off", problems, strict=1.0, relaxed=1.0)
    assert (len(off.records), off.rejections) == (40, {})


@pytest.mark.real
@pytest.mark.parametrize("bound", ["chance", 0.3])
def test_two_levels_with_one_bound_are_the_same_problems(tmp_path, bound):
    from wdw_build.adapters.pulp_solver import PulpSolver

    problems = many(a11_3=201, a10_2=137, a01_4=91, a00_3=79)
    ran = suppress(tmp_path, problems, strict=bound, relaxed=bound, solver=PulpSolver())
    assert strict_ids(ran) == set(ran.records)


def test_relaxed_keeps_what_strict_leaves_out(tmp_path):
    ran = suppress(tmp_path, many(a1_4=30, a0_4=30), strict="chance", relaxed=0.5)
    assert len(ran.records) == 60
    assert 30 < len(strict_ids(ran)) < 60


def test_between_equal_problems_the_draws_of_their_ids_decide(tmp_path):
    problems = many(a1_2=30, a0_2=10)
    one, same = suppress(tmp_path / "1", problems), suppress(tmp_path / "2", problems[::-1])
    assert one.records == same.records
    assert all(found.draw == uniform_hash(0, "suppress", found.id) for found in one.records.values())
    kept = strict_ids(one)
    draws = {problem.id: uniform_hash(0, "suppress", problem.id) for problem in problems if problem.id[1] == "1"}
    assert set(sorted(draws, key=draws.get)[:11]) == {name for name in kept if name[1] == "1"}
    other = suppress(tmp_path / "3", problems, seed=1)
    assert strict_ids(other) != strict_ids(one)
    assert len(strict_ids(other)) == len(strict_ids(one))


@pytest.mark.parametrize(("strict", "relaxed"), [(0.5, 0.4), (0.5, "chance")])
def test_a_relaxed_bound_below_the_strict_one_is_refused_before_any_stage_runs(strict, relaxed):
    with pytest.raises(ConfigError, match=r"suppress\.relaxed"):
        STAGE.config(strict=strict, relaxed=relaxed)


def test_a_relaxed_bound_that_the_strict_problems_exceed_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match=r"suppress\.relaxed: a baseline exceeds 0\.3 on the strict problems"):
        suppress(tmp_path / "pooled", many(a1_2=30, a0_2=30), strict="chance", relaxed=0.3)
    with pytest.raises(ConfigError, match=r"suppress\.relaxed: a baseline exceeds 0\.2 on the strict problems"):
        select(tmp_path / "among", THIRTY, strict="chance", relaxed=0.2, bounds="pooled", max_per_answer=9.0)
    # By number of choices, a bound below chance means chance.
    ran = select(tmp_path / "by_choices", THIRTY, strict="chance", relaxed=0.2)
    assert answers_of(THIRTY, ran)[0] <= len(ran.records) / 3 + 0.5


def test_as_many_strict_problems_as_the_least_are_enough(tmp_path):
    problems = [guesses(f"p{at}", "0000") for at in range(6)]
    assert len(suppress(tmp_path / "enough", problems, min_kept=6).records) == 6
    with pytest.raises(CorpusError, match=r"keeps 6 of 6 problems, fewer than suppress\.min_kept = 7"):
        suppress(tmp_path / "fewer", problems, min_kept=7)


def test_the_shares_of_traits_are_a_file_of_the_stage_and_a_key_bounds_them(tmp_path):
    """Problems with two choices are solved by all baselines, and a number of mentions is that of all answers."""
    problems = many(a1_2=60, a0_3=40)

    def shares(name, **settings):
        suppress(tmp_path / name, problems, **settings)
        found = msgspec.json.decode((tmp_path / name / "suppress" / TRAITS).read_bytes(), type=list[TraitShare])
        return {share.value: share for share in found if share.trait == "choices"}, found

    free, every = shares("free")
    assert (free["2"].problems, free["3"].problems, free["3"].differs) == (60, 40, True)
    assert {share.ratio for share in every if share.trait == "mentions of the answer"} == {1.0}
    bound, _ = shares("bound", max_enrichment=1.2)
    strict = bound["2"].strict + bound["3"].strict
    assert bound["3"].strict <= 1.2 * 0.4 * strict + 0.5
    assert free["3"].strict > 1.2 * 0.4 * (free["2"].strict + free["3"].strict) + 0.5


# --- alternatives -----------------------------------------------------------------------------------------------------


def article(number, answers=(0, 1, 2), passages=None):
    """An article and the predictions for its alternatives: one for each answer, by position in the passage.

    All baselines choose the first person.
    """
    name, people = f"q{number:03}", [f"{given} Lee{number:03}" for given in ("Ann", "Bo", "Cy")]
    problems = [
        make.met(name, people, at, date=day(number), article_id=passage)
        for at, passage in zip(answers, passages or [f"p{number:03}"] * len(answers), strict=True)
    ]
    scores = dict.fromkeys(NAMES, (1.0, 0.0, 0.0)) | {"first-person": (2.0, 1.0, 0.0)}
    guesses = dict.fromkeys(NAMES, 0)
    first, *others = (Predictions(choices=3, answer=at, guesses=guesses, scores=scores) for at in answers)
    predictions = AdversaryPredictions(id=name, date=day(number), others=tuple(others), **msgspec.structs.asdict(first))
    return make.alternatives(*problems), predictions


THIRTY = [article(number) for number in range(30)]


def answers_of(articles, ran, level="relaxed"):
    """How often each place is the answer of a selected alternative."""
    kept = {name: one for name, one in ran.records.items() if level == "relaxed" or one.strict}
    return Counter(one.of(kept[one.id].alternative).answer for _, one in articles if one.id in kept)


def test_of_each_article_at_most_one_alternative_is_selected_and_the_decision_names_it(tmp_path):
    ran = select(tmp_path, THIRTY)
    assert len(ran.records) == 30
    assert {one.alternatives for one in ran.records.values()} == {3}
    counts = answers_of(THIRTY, ran, "strict")
    total = counts.total()
    # The answer's place is uniform to within one problem, and the first person is right to within half a problem.
    assert all(abs(counts[place] - total / 3) <= 1 + 1e-6 for place in range(3))
    assert abs(counts[0] - total / 3) <= 0.5 + 1e-6


def test_the_cell_is_that_of_the_selected_alternative(tmp_path):
    predictions = {found.id: found for _, found in THIRTY}
    for name, one in select(tmp_path, THIRTY).records.items():
        predicted = predictions[name].of(one.alternative)
        assert one.cell == ("1111" if predicted.answer == 0 else "0000")
        assert one.choices == predicted.choices


def test_alternatives_keep_articles_that_are_suppressed_with_their_first_alternative_alone(tmp_path):
    alone = select(tmp_path / "alone", [article(number, answers=(0,)) for number in range(30)])
    assert len(alone.records) < 5
    assert set(alone.reasons.values()) == {"suppressed"}
    assert next(iter(alone.rejections.values())).detail == "1111 with 3 choices"
    assert len(select(tmp_path / "all", THIRTY).records) == 30


def test_strict_problems_are_relaxed_problems_with_the_same_alternative(tmp_path):
    articles = [article(number, answers=(0, 1) if number % 3 else (0,)) for number in range(40)]
    strict = select(tmp_path / "strict", articles, strict="chance", relaxed="chance")
    both = select(tmp_path / "both", articles, strict="chance", relaxed=0.6)
    chosen = {name: one.alternative for name, one in both.records.items() if one.strict}
    assert chosen == {name: one.alternative for name, one in strict.records.items() if one.strict}
    assert len(both.records) > len(chosen)
    assert answers_of(articles, both)[0] <= 0.6 * len(both.records) + 0.5


@pytest.mark.parametrize("bounds", ["by_choices", "pooled"])
def test_caps_reject_articles_with_their_reason(tmp_path, bounds):
    articles = [article(number, passages=["same"] * 3) for number in range(6)]
    ran = select(tmp_path, articles, strict=1.0, relaxed=1.0, bounds=bounds, max_per_passage=2)
    assert len(ran.records) == 2
    assert set(ran.reasons.values()) == {"passage-cap"}


# --- articles that two problems share ---------------------------------------------------------------------------------


def readers(number):
    """Articles of which every second one reads the article before it."""
    return [article(at, answers=(1,), passages=[f"q{at - 1:03}" if at % 2 else f"p{at}"]) for at in range(number)]


def test_problems_that_share_an_article_are_selected_where_the_key_allows_it(tmp_path):
    """One article a day; the last days of 20 are held out."""

    def kept_of(shared, **split):
        settings = {"strict": 1.0, "relaxed": 1.0, "shared_articles": shared, "split": split}
        return select(tmp_path / shared, readers(20), **settings)

    assert len(kept_of("allow").records) == 20
    never = kept_of("forbid")
    assert len(never.records) == 10
    assert set(never.reasons.values()) == {"shared-article"}
    within = kept_of("within-split", test_from=day(14))
    assert sorted(within.records)[:14] == [f"q{at:03}" for at in range(14)]
    assert len(within.records) == 14 + 3
    assert set(within.reasons.values()) == {"shared-article"}


def test_only_within_splits_do_keys_of_the_split_matter():
    assert STAGE.shared_keys(STAGE.config(shared_articles="within-split")) == {"split": SplitConfig.held_out_keys}
    assert not any(STAGE.shared_keys(STAGE.config(shared_articles="allow")).values())
