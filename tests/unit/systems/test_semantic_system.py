"""The semantic system: a task of syntax, saving, streaming, and settings."""

import random

import msgspec
import pytest

from support.reading import labelled, reading_problem
from wdw_bench.systems.lexical import SLIDING_WINDOW_DISTANCE, WORD_OVERLAP, WindowDistanceSettings
from wdw_bench.systems.semantic import SEMANTIC_FEATURES, SemanticSettings
from wdw_bench.systems.semantic.features import GROUPS, NAMES
from wdw_bench.systems.semantic.system import BATCH, SemanticFeatures
from wdw_build.core.section import Section
from wdw_build.errors import MissingResourceError
from wdw_build.reading import TrainingContext

PEOPLE = "Ann Bo Cy Dee Ed Flo Gus Hal".split()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("semantic")
    (folder / "vectors.txt").write_text("praised 1 0\nlauded 0.9 0.1\nslowly 0 1\n")
    return TrainingContext(vectors=folder / "vectors.txt")


@pytest.fixture(scope="module")
def system(workspace):
    return trained(workspace)


def passive_problems(count, seed):
    """ "A praised B. B praised C." Who was praised by B? Every word matches A's sentence as well as C's."""
    source = random.Random(seed)
    problems = []
    for number in range(count):
        first, middle, last = source.sample(PEOPLE, 3)
        sentences = [f"{first} praised {middle}.", f"{middle} praised {last}."]
        source.shuffle(sentences)
        choices = [first, last] if source.random() < 0.5 else [last, first]
        problem = reading_problem(f"XXX was praised by {middle}.", " ".join(sentences), choices, id=f"p{number}")
        problems.append(labelled(problem, choices.index(last)))
    return problems


def share_right(system, problems):
    predictions = system.choose(labelled.problem for labelled in problems)
    return sum(p.first_choice == known.answer for p, known in zip(predictions, problems, strict=True)) / len(problems)


TRAINING, VALIDATION = passive_problems(30, 1), passive_problems(10, 2)


def trained(workspace, training=TRAINING, validation=VALIDATION, **settings):
    system = SemanticFeatures(SemanticSettings(**settings))
    system.fit(training, validation, workspace)
    return system


def test_a_rule_of_syntax_is_learnt_that_matching_words_cannot_tell(workspace, system):
    held_out = passive_problems(60, 3)
    for entry, settings in ((WORD_OVERLAP, Section()), (SLIDING_WINDOW_DISTANCE, WindowDistanceSettings())):
        assert share_right(entry.make(settings), held_out) < 0.7
    assert share_right(system, held_out) == 1
    others = tuple(group for group in GROUPS if group != "lexical")
    assert share_right(trained(workspace, leave_out=others), held_out) < 0.7


def test_a_retrained_system_chooses_as_before(workspace, system):
    held_out = [known.problem for known in passive_problems(20, 4)]
    assert list(system.choose(held_out)) == list(trained(workspace).choose(held_out))


def test_choosing_reads_no_more_than_a_batch_ahead(system):
    held_out, read = passive_problems(2 * BATCH + 1, 5), []
    for answered, _ in enumerate(system.choose(read.append(known) or known.problem for known in held_out)):
        assert len(read) <= answered + BATCH
    assert read == held_out


def test_the_order_of_problems_does_not_change_their_scores(system):
    held_out = [known.problem for known in passive_problems(40, 6)]
    assert list(system.choose(held_out)) == list(system.choose(held_out[::-1]))[::-1]


def test_without_training_problems_the_weights_are_those_set_by_hand(workspace):
    problem = reading_problem("XXX praised Bo.", "Cy ate. Ann praised Bo.", ["Cy", "Ann"])
    assert next(trained(workspace, [], []).choose([problem])).first_choice == 1


def test_training_problems_beyond_the_set_number_have_no_effect_on_the_weights(workspace):
    weights = []
    for answer in (0, 1):
        problems = passive_problems(10, 8)
        problems[1::2] = [msgspec.structs.replace(known, answer=answer) for known in problems[1::2]]
        weights.append(trained(workspace, problems, [], max_training=5)._weights.tolist())
    assert weights[0] == weights[1]


def test_features_that_are_left_out_have_no_weight_and_are_no_parameters(workspace):
    system = trained(workspace, leave_out=("position",))
    assert SemanticFeatures(SemanticSettings()).parameters - system.parameters == 2
    assert system._weights[NAMES.index("position")] == 0.0


def test_the_backends_name_the_vectors_and_a_missing_file_is_refused(tmp_path):
    assert set(SEMANTIC_FEATURES.backends(SemanticSettings(), TrainingContext())) == {"numpy", "scipy", "vectors"}
    with pytest.raises(MissingResourceError):
        SEMANTIC_FEATURES.backends(SemanticSettings(), TrainingContext(vectors=tmp_path / "none.txt"))
