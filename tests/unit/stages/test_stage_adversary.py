"""adversary: who judges whom, the rounds, and no adversaries."""

import msgspec
import pytest

from support import fakes, make, stage_runs
from wdw_build.core.section import Section
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.reading import Prediction, SystemEntry, TrainingContext
from wdw_build.reading.adversaries import SystemAdversaries
from wdw_build.records import BaselinePredictions, Predictions
from wdw_build.selection.settings import SplitConfig, SuppressConfig
from wdw_build.stages.adversary import STAGE

COUNT = 20
POOLED = SuppressConfig(bounds="pooled")


def problem(number, passage=None, answer=None):
    """The problem of one day about three persons of its own; the answer of every third one is the last choice."""
    names = [f"{given} Lee{number:02}" for given in ("Ann", "Bo", "Cy")]
    if answer is None:
        answer = 2 if number % 3 == 0 else 0
    return make.met(f"q{number:02}", names, answer, date=make.day(number), article_id=passage)


def with_alternatives(count=COUNT, answers=(0, 1, 2)):
    """Articles with an alternative for each of these answers."""
    return [[problem(number, answer=answer) for answer in answers] for number in range(count)]


def predictions(given):
    """The predictions for the alternatives of an article."""
    first, *others = map(_predictions, given)
    own = msgspec.structs.asdict(first)
    return BaselinePredictions(id=given[0].id, date=given[0].date, others=tuple(others), **own)


def _predictions(one):
    guesses = {"first-person": 0, "most-frequent": int(one.id[1:3]) % 3, "ngram": 1}
    scores = {name: tuple(float(at == guess) for at in range(3)) for name, guess in guesses.items()}
    return Predictions(choices=3, answer=one.answer, guesses=guesses, scores=scores)


def run(folder, *names, given=None, adversaries=None, suppress=POOLED, seed=0, **settings):
    """Run the stage on articles, each a problem or the problems of its alternatives."""
    given = [one if isinstance(one, list) else [one] for one in given or map(problem, range(COUNT))]
    adversaries = adversaries or fakes.FakeAdversaries(*names)
    section = STAGE.config(**{"systems": names, "min_problems": 1, "folds": 4, **settings})
    inputs = {
        "baselines": [predictions(one) for one in given],
        "dedup": [make.alternatives(*one) for one in given],
        "ingest": make.passage_articles(*(one for every in given for one in every)),
        "names": [],
    }
    shared = {"suppress": suppress, "split": SplitConfig()}
    models = {"adversaries": adversaries, "solver": fakes.ScipySolver()}
    return stage_runs.run_stage(STAGE, folder, inputs, section=section, shared=shared, seed=seed, **models), adversaries


def test_the_guesses_of_the_baselines_come_first_and_stay(tmp_path):
    ran, _ = run(tmp_path, "last")
    for name, one in ran.records.items():
        baselines = [("first-person", 0), ("most-frequent", int(name[1:]) % 3), ("ngram", 1)]
        assert [*one.guesses.items()] == [*baselines, ("last", 2)]
    assert ran.records["q00"].scores["last"] == (0.0, 1.0, 2.0)


def test_problems_with_one_passage_are_in_one_fold(tmp_path):
    given = [problem(number, passage=f"p{number // 2}") for number in range(COUNT)]
    ran, _ = run(tmp_path, "last", given=given)
    folds = [ran.records[f"q{number:02}"].fold for number in range(COUNT)]
    assert folds[::2] == folds[1::2]
    assert sorted(set(folds)) == [0, 1, 2, 3]


THREE_EVENTS = [problem(number, passage=f"p{number % 3}") for number in range(COUNT)]


@pytest.mark.parametrize("settings", [{"systems": ()}, {"min_problems": COUNT + 1}, {"given": THREE_EVENTS}])
def test_without_adversaries_or_with_too_few_problems_or_events_the_predictions_pass_unchanged(tmp_path, settings):
    ran, adversaries = run(tmp_path, "last", **settings)
    assert not adversaries.folds
    assert all(tuple(one.guesses) == ("first-person", "most-frequent", "ngram") for one in ran.records.values())
    assert len(ran.records) == COUNT


def test_a_system_that_is_named_twice_is_refused_before_any_stage_runs():
    with pytest.raises(ConfigError, match=r"adversary\.systems has 'last' 2 times"):
        STAGE.config(systems=("last", "last"))


def test_an_adversary_named_like_a_baseline_is_refused_before_any_is_trained(tmp_path, monkeypatch):
    monkeypatch.setattr(fakes.FakeAdversaries, "scores", None)
    with pytest.raises(ConfigError, match="'ngram' is a baseline already"):
        run(tmp_path, "last", "ngram")


def test_the_problems_that_systems_read_are_no_part_of_the_output(tmp_path):
    run(tmp_path, "last")
    assert not (tmp_path / "adversary/problems.jsonl").exists()


# --- alternatives -----------------------------------------------------------------------------------------------------


def article(alternative):
    """The article of an alternative that a system read."""
    return alternative.partition("~")[0]


def ids_of(count=COUNT, alternatives=3):
    return {f"q{number:02}" + f"~{at}" * bool(at) for number in range(count) for at in range(alternatives)}


def test_every_alternative_is_answered_with_the_question_of_its_blank(tmp_path):
    ran, adversaries = run(tmp_path, "last", given=with_alternatives())
    assert {one.id for one in adversaries.problems} == ids_of()
    read = {one.id: one for one in adversaries.problems}
    assert read["q03"].problem.question.startswith("XXX, Bo Lee03, Cy Lee03 met")
    assert read["q03~2"].problem.question.startswith("Ann Lee03, Bo Lee03, XXX met")
    assert read["q03~2"].problem.passage == "Ann Lee03 came. Bo Lee03 came. Cy Lee03 came."
    assert [one.guesses["last"] == one.answer for one in ran.records["q03"].each()] == [False, False, True]
    assert all(len(one.others) == 2 for one in ran.records.values())


class Spy:
    """A system that notes the articles that it is trained on and those that it answers."""

    parameters = 0
    pairs = ()

    def fit(self, training, validation, workspace):
        self.seen = [one.id for one in (*training, *validation)]

    def choose(self, asked):
        for one in asked:
            type(self).pairs += ((frozenset(self.seen), one.id),)
            yield Prediction((1.0,) * len(one.choices))


@pytest.mark.parametrize("suppress", [POOLED, SuppressConfig()], ids=["pooled", "by_choices"])
def test_no_system_is_trained_on_an_article_that_it_judges_and_each_article_trains_once(tmp_path, suppress):
    spy = type("Spy", (Spy,), {"pairs": ()})
    entry = SystemEntry(name="spy", title="Spy", source="", group="probe", trained=True, make=lambda settings: spy())
    systems, workspace = {"spy": (entry, Section())}, TrainingContext()
    backend = SystemAdversaries(systems, given={}, root=tmp_path, workspace=workspace, pick_device=lambda: "cpu")
    run(tmp_path, "spy", given=with_alternatives(), adversaries=backend, suppress=suppress, rounds=1)
    assert {name for _, name in spy.pairs} == ids_of()
    for seen, judged in spy.pairs:
        articles = [article(name) for name in seen]
        assert articles
        assert article(judged) not in articles
        assert len(set(articles)) == len(articles)


def test_an_article_with_the_id_of_another_article_s_alternative_is_an_error_of_the_corpus(tmp_path):
    clash = make.met("q00~1", ["Ann Fox", "Cy Dorn", "Di Dunn"], date=make.day(30))
    with pytest.raises(CorpusError, match=r"articles 'q00' and 'q00~1' both have a problem with the id 'q00~1'"):
        run(tmp_path, "last", given=[*with_alternatives(), clash])


class RightOn(fakes.FakeAdversaries):
    """An adversary that is right on the alternatives that ``knows(round, alternative)`` names, and wrong on the others."""

    def __init__(self, name, knows):
        super().__init__(name)
        self._knows = knows

    def choose(self, labelled):
        count = len(labelled.problem.choices)
        wanted = labelled.answer if self._knows(self, labelled) else (labelled.answer + 1) % count
        return tuple(float(at == wanted) for at in range(count))


def knows_its_training(adversary, labelled):
    return labelled.id in adversary.training[-1]


BY_CHOICES = SuppressConfig(max_per_passage=0, max_per_event=0, max_per_answer=0.0)


def judged(folder, knows, suppress=BY_CHOICES, **settings):
    """Run the stage on sixty articles with an adversary that is right where ``knows`` says so."""
    adversaries = RightOn("last", knows)
    return run(folder, "last", given=with_alternatives(60), adversaries=adversaries, suppress=suppress, **settings)


@pytest.mark.parametrize("suppress", [BY_CHOICES, msgspec.structs.replace(BY_CHOICES, bounds="pooled")])
def test_rounds_end_when_a_system_that_is_trained_afresh_is_at_chance(tmp_path, suppress):
    ran, adversaries = judged(tmp_path, lambda _, one: int(one.id[1:3]) % 2 == 0, suppress, rounds=5)
    shares = [sum(int(name[1:3]) % 2 == 0 for name in training) / len(training) for training in adversaries.training]
    assert shares == [pytest.approx(1 / 2, abs=0.05), pytest.approx(1 / 3, abs=0.02)]
    assert list(ran.records["q00"].guesses)[3:] == ["last"]


def test_while_systems_beat_chance_every_round_adds_a_system_to_bound(tmp_path):
    ran, adversaries = judged(tmp_path, knows_its_training, rounds=3)
    assert len(adversaries.training) == 3
    assert list(ran.records["q00"].guesses)[3:] == ["last", "last-2", "last-3"]
    assert set(ran.records["q00"].others[0].scores) == set(ran.records["q00"].guesses)
    first, second, third = adversaries.training
    # The systems of earlier rounds are bounded at chance by the selection of later rounds.
    assert abs(len(first & second) - len(second) / 3) <= 0.5 + 1e-6
    for earlier in (first, second):
        assert abs(len(earlier & third) - len(third) / 3) <= 0.5 + 1e-6
    name = min(third)
    record, number = ran.records[article(name)], int(name.partition("~")[2] or 0)
    assert record.of(number).guesses["last-3"] == record.of(number).answer


def test_runs_with_neighbouring_seeds_share_no_division_and_no_training_seed(tmp_path):
    made = [judged(tmp_path / str(seed), knows_its_training, seed=seed, rounds=3)[1] for seed in range(2)]
    divisions = [tuple(sorted(folds.items())) for one in made for folds in one.folds]
    assert len(divisions) == 6 == len(set(divisions))
    assert len({seed for one in made for seed in one.seeds}) == 6


def test_too_few_selected_problems_train_no_adversary(tmp_path):
    # The answer is always the first choice, so the bounds leave almost nothing.
    given = with_alternatives(40, answers=(0,))
    ran, adversaries = run(tmp_path, "last", given=given, suppress=BY_CHOICES, min_problems=30)
    assert not adversaries.training
    assert all(list(one.guesses) == ["first-person", "most-frequent", "ngram"] for one in ran.records.values())


def test_suppress_is_an_ingredient_only_with_adversaries():
    assert set(STAGE.shared_keys(STAGE.config(systems=("last",)))["suppress"]) >= {"strict", "bounds"}
    assert STAGE.shared_keys(STAGE.config(systems=())) == {}
