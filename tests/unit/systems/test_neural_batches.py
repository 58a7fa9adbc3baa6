"""Batches of the neural readers."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from support.reader_problems import verb_problems
from support.reading import reading_problem
from wdw_bench.systems.neural import AttentiveConfig, GatedAttentionConfig
from wdw_bench.systems.neural.batches import ProblemEncoder, collate, reader_tokens
from wdw_bench.systems.neural.tokens import FIRST_ENTITY, count_vocabulary
from wdw_bench.systems.torch_training import sorted_order, training_order

SHORT = reading_problem("XXX met Lee .", "Ann Fox left . Lee and Fox ran .", [("Ann Fox", "Fox"), ("Bo Lee", "Lee")])
THREE = ["Bo Lee", "Ann Fox", "Cy Ray"]
LONG = reading_problem("Who saw XXX today ?", "Bo Lee came , then Ann Fox , then Cy Ray .", THREE)


def batch(problems, settings, answers=(0, 1)):
    vocabulary = count_vocabulary((reader_tokens(problem, settings) for problem in problems), settings)
    encoder = ProblemEncoder(vocabulary, settings)
    encoded = [encoder.encode(problem, answer) for problem, answer in zip(problems, answers, strict=False)]
    return collate(encoded, encoder.spellings()), encoder


MADE, ENCODER = batch([SHORT, LONG], GatedAttentionConfig())


def test_rows_are_padded_with_zeros_to_the_longest_problem():
    assert MADE.passage.shape == (2, 12)
    assert MADE.passage_lengths.tolist() == [9, 12]
    assert not MADE.passage[0, 9:].any()
    assert MADE.question_lengths.tolist() == [4, 5]
    assert MADE.choices.tolist() == [[True, True, False], [True, True, True]]
    assert MADE.blank.tolist() == [0, 2]
    assert MADE.answer.tolist() == [0, 1]


def test_mentions_have_weight_one_on_all_their_tokens():
    assert MADE.mentions[0].nonzero().tolist() == [[0, 0], [0, 1], [0, 6], [1, 4]]
    assert MADE.mentions[1].sum(dim=1).tolist() == [2, 2, 2]


def test_choices_have_the_ids_of_their_markers_and_of_their_words():
    made, _ = batch([SHORT, LONG], AttentiveConfig())
    assert made.choice_entities[0].tolist() == [FIRST_ENTITY, FIRST_ENTITY + 1, 0]
    assert (made.choice_words != 0).sum(dim=2).tolist() == [[2, 2, 0], [2, 2, 2]]


def test_types_spell_the_words_at_their_places():
    letters = ["", "?", *ENCODER._vocabulary.characters]
    spelled = ["".join(letters[letter] for letter in row) for row in MADE.types.tolist()]
    assert tuple(spelled[row] for row in MADE.passage_types[1]) == LONG.passage_tokens
    assert tuple(spelled[row] for row in MADE.question_types[0, :4]) == SHORT.question_tokens
    assert len(set(spelled)) == len(spelled), "each word is spelled once"
    assert spelled[0] == "", "padding is the empty word"


def test_a_batch_has_the_spellings_of_its_own_words_alone():
    problems = [labelled.problem for labelled in verb_problems(20)]
    encoder = ProblemEncoder(count_vocabulary((), GatedAttentionConfig()), GatedAttentionConfig())
    encoded = [encoder.encode(problem) for problem in problems]
    made = collate(encoded[:1], encoder.spellings())
    assert len(made.types) == 1 + len({*problems[0].passage_tokens, *problems[0].question_tokens})


@given(st.lists(st.integers(1, 50), max_size=300), st.integers(1, 8), st.integers(0, 5))
def test_an_epoch_has_each_problem_once(sizes, size, epoch):
    order = training_order(np.array(sizes, int), size, 1, epoch)
    assert sorted(number for numbers in order for number in numbers) == list(range(len(sizes)))
    assert all(len(numbers) <= size for numbers in order)


def test_the_order_depends_on_seed_and_epoch_alone():
    def order(seed, epoch):
        return [numbers.tolist() for numbers in training_order(np.arange(500) % 37, 8, seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) not in (order(1, 1), order(2, 0))


def test_problems_of_a_batch_have_like_sizes():
    sizes = np.random.default_rng(0).integers(1, 1000, 400)
    spread = [np.ptp(sizes[numbers]) for numbers in training_order(sizes, 8, 1, 0)]
    assert max(spread) < 200
    assert [list(numbers) for numbers in sorted_order(np.array([3, 1, 2]), 2)] == [[1, 2], [0]]


def test_the_cpu_batch_is_not_copied():
    made, _ = batch([SHORT], AttentiveConfig())
    assert made.to("cpu") is made
    assert made.question.dtype == torch.int64
