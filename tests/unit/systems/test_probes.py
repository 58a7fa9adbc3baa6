"""Probes find a planted artefact, stay near chance without one, and see only their part."""

import functools
import random

import msgspec
import pytest

from support.reading import labelled, reading_problem
from wdw_bench.systems import probes
from wdw_build.reading import TrainingContext
from wdw_build.reading.probes import features
from wdw_build.reading.probes.cues import _person, _question, cues
from wdw_build.reading.probes.features import NameCounts
from wdw_build.reading.probes.log_linear import SHALLOW, LogLinearRanker, RankerSettings, encode
from wdw_build.reading.words import _tokens_of

COUNTED = [probes.ANSWER_POSITION, probes.COMMONEST_ANSWER, probes.FIRST_BY_COUNT, probes.FREQUENT_BY_COUNT]
FITTED = [probes.CHOICES_ONLY, probes.QUESTION_ONLY, probes.PASSAGE_ONLY, SHALLOW]
every_probe = pytest.mark.parametrize("entry", COUNTED + FITTED, ids=lambda entry: entry.name)
WOMEN = "Ann Eva Ida Joan Lucia Nora Olga Rosa".split()
MEN = "Adam Boris Carl Hugo Igor Karl Leo Omar".split()
SURNAMES = "Fox Lee Hill Stone Reed Marsh Vale Brook Dale Field Wood Lane".split()


def make(number, answer_of, *, question="XXX won .", before="then"):
    """A problem of three people, one a woman; ``answer_of`` returns the index of its answer."""
    generator = random.Random(number)
    names = [generator.choice(WOMEN), *generator.sample(MEN, 2)]
    generator.shuffle(names)
    names = [f"{name} {surname}" for name, surname in zip(names, generator.sample(SURNAMES, 3), strict=True)]
    answer = answer_of(names, generator)
    sentences = [f"So {before if index == answer else 'then'} {name} went." for index, name in enumerate(names)]
    again = [f"So {name.split()[1]} left." for index, name in enumerate(names) for _ in range((index + number) % 3)]
    asked = question(names, answer) if callable(question) else question
    return labelled(reading_problem(asked, " ".join(sentences + again), names, id=str(number)), answer)


def woman(names, generator):
    return next(index for index, name in enumerate(names) if name.split()[0] in WOMEN)


def anyone(names, generator):
    return generator.randrange(len(names))


def trained(entry, *trainings):
    """The system of an entry after some trainings, each with problems for training and for validation."""
    system = entry.make(entry.settings())
    for training, validation in trainings:
        system.fit(training, validation, TrainingContext())
    return system


def accuracy(entry, examples, held_out=120):
    system = trained(entry, (examples[held_out:], examples[: held_out // 3]))
    test = examples[held_out // 3 : held_out]
    pairs = zip(system.choose(example.problem for example in test), test, strict=True)
    return sum(found.first_choice == example.answer for found, example in pairs) / len(test)


def he_or_she(names, answer):
    return f"XXX said {'she' if names[answer].split()[0] in WOMEN else 'he'} won ."


ARTEFACTS = {
    "second": {"answer_of": lambda names, generator: 1},
    "third": {"answer_of": lambda names, generator: 2},
    "first by name": {"answer_of": lambda names, generator: names.index(min(names))},
    "a woman": {"answer_of": woman},
    "he or she": {"answer_of": anyone, "question": he_or_she},
    "a president": {"answer_of": anyone, "before": "President"},
    "none": {"answer_of": anyone},
}


@functools.cache
def with_artefact(name, count=420):
    return [make(number, **ARTEFACTS[name]) for number in range(count)]


def test_a_probe_finds_its_artefact():
    assert accuracy(probes.ANSWER_POSITION, with_artefact("second")) >= 0.95
    assert accuracy(probes.COMMONEST_ANSWER, with_artefact("first by name")) >= 0.6
    assert accuracy(probes.FIRST_BY_COUNT, with_artefact("third")) >= 0.95
    assert accuracy(probes.CHOICES_ONLY, with_artefact("a woman")) >= 0.95
    # By the pronoun alone, half of the men's problems can be solved.
    assert accuracy(probes.QUESTION_ONLY, with_artefact("he or she")) >= 0.55
    assert accuracy(probes.PASSAGE_ONLY, with_artefact("a president")) >= 0.95
    assert accuracy(SHALLOW, with_artefact("a president")) >= 0.95
    assert accuracy(SHALLOW, with_artefact("a woman")) >= 0.95
    assert accuracy(SHALLOW, with_artefact("second")) >= 0.95


def test_frequency_probe_finds_that_the_least_mentioned_choice_is_right():
    problems = [example.problem for example in with_artefact("none")[:90]]
    examples = [labelled(problem, list(features.frequency_ranks(problem)).index(2)) for problem in problems]
    assert accuracy(probes.FREQUENT_BY_COUNT, examples, held_out=60) == 1.0


@every_probe
def test_a_probe_stays_near_chance_without_an_artefact(entry):
    # 200 answers by chance are right in 1/3 ± 0.033 (standard error).
    assert accuracy(entry, with_artefact("none", 600), held_out=300) == pytest.approx(1 / 3, abs=0.11)


@every_probe
def test_a_probe_that_is_trained_again_forgets_the_first_training(entry):
    first, other = with_artefact("a woman")[:20], with_artefact("none")[20:40]
    again, once = trained(entry, (first, first), (other, other)), trained(entry, (other, other))
    problems = [example.problem for example in first]
    assert list(again.choose(problems)) == list(once.choose(problems))


@every_probe
def test_a_probe_without_training_problems_still_answers(entry):
    (prediction,) = trained(entry, ([], [])).choose([make(1, anyone).problem])
    assert prediction.first_choice == 0


def test_what_training_did_not_have_is_ranked_by_position():
    def scores(entry, *names):
        unseen = reading_problem("XXX won .", f"{' met '.join(names)}.", names)
        return next(iter(trained(entry, (with_artefact("second")[:3], [])).choose([unseen]))).scores

    # A number of choices that training did not have takes the rank of all problems.
    assert scores(probes.ANSWER_POSITION, "Ann Fox", "Leo Hill") == (0.0, 1.0)
    # Unseen names are ranked by position.
    assert scores(probes.COMMONEST_ANSWER, "Bo Q", "Bo R", "Bo S") == (0.0, 0.5, 0.0)


PASSAGE, CHOICES = "Leo Hill met Ann Fox. Fox left. Bo Reed and Fox.", ["Bo Reed", ("Ann Fox", "Fox"), "Leo Hill"]
MIXED = reading_problem("XXX won .", PASSAGE, CHOICES)


def test_ranks_follow_the_first_mentions_or_the_frequencies_and_equal_choices_keep_their_order():
    assert list(features.first_mention_ranks(MIXED)) == [2, 1, 0]
    assert list(features.frequency_ranks(MIXED)) == [1, 0, 2]


def parts(problem, *names):
    return {name: getattr(problem, name) for name in names}


OTHER = reading_problem("Did XXX lose ?", "Mr. Hill slept. " * 3, ["Leo Hill"])
OTHER_PASSAGE = parts(OTHER, "passage", "token_layout", "sentence_starts")
OTHER_QUESTION = parts(OTHER, "before_blank", "after_blank", "question_tokens", "blank")
NO_MENTIONS = {"choices": tuple(msgspec.structs.replace(choice, mentions=()) for choice in MIXED.choices)}


PARTS = [
    (features.choices_only, OTHER_PASSAGE | NO_MENTIONS | OTHER_QUESTION, {}),
    (features.question_only, OTHER_PASSAGE | NO_MENTIONS, OTHER_QUESTION),
    (features.passage_only, OTHER_QUESTION, NO_MENTIONS),
]


@pytest.mark.parametrize(("part", "hidden", "seen"), PARTS)
def test_features_depend_on_the_shown_part_alone(part, hidden, seen):
    names = NameCounts({"ann fox": 3}, {"leo hill": 1})
    shown = part(MIXED, names)
    assert part(msgspec.structs.replace(MIXED, **hidden), names) == shown
    assert not seen or part(msgspec.structs.replace(MIXED, **seen), names) != shown


@pytest.mark.parametrize("entry", FITTED)
def test_the_versions_of_the_solver_are_a_part_of_what_decides_the_predictions(entry):
    assert entry.backends(entry.settings(), TrainingContext()).keys() == {"numpy", "scipy"}


@pytest.mark.parametrize(
    "part", [features.choices_only, features.question_only, features.passage_only, features.all_parts]
)
def test_kept_features_get_the_name_counts_of_each_system(part):
    for names in (NameCounts({"ann fox": 3}, {"leo hill": 1}), NameCounts({"leo hill": 9}), NameCounts()):
        ranker = LogLinearRanker(part, RankerSettings())
        assert ranker._encoded(MIXED, names).ids.tolist() == encode(part(MIXED, names)).ids.tolist()


def test_problems_with_the_same_passage_question_or_choices_do_not_mix_their_features():
    similar = [
        MIXED,
        reading_problem("XXX left Leo Hill .", PASSAGE, CHOICES),
        reading_problem("XXX left Leo Hill .", PASSAGE, CHOICES, persons=["Leo Hill"]),
        reading_problem("XXX left Leo Hill .", PASSAGE, CHOICES[1:]),
        reading_problem("XXX left Leo Hill .", PASSAGE.replace("left", "met"), CHOICES),
        msgspec.structs.replace(MIXED, sentence_starts=(0,)),
        msgspec.structs.replace(MIXED, blank=-1),
    ]
    kept = [_tokens_of, _person, _question]
    kept += [features._name_features, features._question_pairs, features._mention_features]

    def encoded(problem):
        shown = encode(features.all_parts(problem, NameCounts()), cues(problem))
        return [part.tolist() for part in vars(shown).values()]

    together = [encoded(problem) for problem in similar]
    for problem, expected in zip(similar, together, strict=True):
        for function in kept:
            function.cache_clear()
        assert encoded(problem) == expected
    assert len({str(found) for found in together}) == len(similar)
