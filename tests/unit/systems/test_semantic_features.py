"""Features of the semantic system: statements, pronouns, words near the blank, pairs in order, and their shapes."""

import numpy as np
import pytest

from support.reading import reading_problem
from wdw_bench.systems.semantic.alignment import align, nearness, ordered_pairs, share, with_neighbours
from wdw_bench.systems.semantic.features import NAMES, features
from wdw_bench.systems.semantic.view import Lexicon, antecedents, statement, tokens_of, view
from wdw_bench.systems.vectors import Vectors
from wdw_build.reading import BLANK
from wdw_build.reading.words import stem

PASSAGE = "Ann Fox praised Bill Lee. He thanked her in Rome. Cy Orr left."
NAMES_OF_CHOICES = ["Ann Fox", "Bill Lee", "Cy Orr"]


@pytest.fixture
def lexicon(tmp_path):
    """Vectors of two words with a cosine of 0.6; every word is as rare as any other."""
    (tmp_path / "vectors.txt").write_text("lauded 1 0\npraised 0.6 0.8\n")
    return Lexicon(Vectors(tmp_path / "vectors.txt"), {}, 3, np.zeros(2, np.float32))


def viewed(problem, lexicon):
    tokens = tokens_of(problem)
    lexicon.learn(tokens.words())
    return view(tokens, lexicon)


def feature_values(problem, lexicon, name):
    values = features(viewed(problem, lexicon), lexicon)[:, :, NAMES.index(name)]
    return np.round(values.astype(float), 3).tolist()


def test_a_question_becomes_a_statement_with_a_place_for_the_choice():
    def made(question):
        tokens = question.split()
        words, slot = statement(tokens, tokens.index(BLANK) if BLANK in tokens else -1)
        return " ".join(words), slot

    assert made(f"Then {BLANK} left .") == ("Then left .", 1)
    assert made("Who was having a party ?") == ("was having a party", 0)
    assert made("What did Ann promise to do ?") == ("Ann promise to do", 4)
    assert made("What was the name of the dog ?") == ("the name of the dog was", 6)
    assert made("After lunch , who left ?") == ("After lunch , left", 3)
    assert made("Name the dog .") == ("Name the dog .", 4)


def test_inflected_forms_have_one_stem():
    hops, carries = "hops hopped hopping hope hoped", "carry carries carried carrying"
    forms = {"hop": hops, "carry": carries, "watch": "watch watches watched", "miss": "miss misses missed missing"}
    forms |= {"fall": "falling falls", "sing": "sing", "red": "red", "bus": "bus", "dog": "dog’s dog's dogs"}
    for expected, words in forms.items():
        assert {stem(word) for word in words.split()} == {expected}


def test_a_pronoun_stands_for_the_last_person_whose_gender_fits_or_for_itself():
    problem = reading_problem("XXX left.", PASSAGE, NAMES_OF_CHOICES)
    tokens = problem.passage_tokens
    found = antecedents(tokens, problem)
    assert [tokens[index] for index in found[[tokens.index("He"), tokens.index("her")]]] == ["Bill", "Ann"]
    assert found[tokens.index("left")] == tokens.index("left")
    before_all_names = reading_problem("XXX left.", "She left. Ann Fox came.", ["Ann Fox"])
    assert antecedents(before_all_names.passage_tokens, before_all_names)[0] == 0


def test_nearness_falls_with_the_distance_and_ends_at_the_sentence(lexicon):
    shown = viewed(reading_problem("XXX left.", "One two Ann left. Three.", ["Ann"]), lexicon)
    follows, precedes = nearness(shown.occurrences, shown, 4)
    assert follows.tolist() == [[0.75, 1, 0, 0, 0, 0, 0]]
    assert precedes.tolist() == [[0, 0, 0, 1, 0.75, 0, 0]]


def test_the_shares_of_the_question_in_each_sentence_are_those_counted_by_hand(lexicon):
    problem = reading_problem("XXX lauded Lee in Rome.", PASSAGE, NAMES_OF_CHOICES)
    # Of lauded, Lee and Rome, the first sentence has Lee and a word whose vector has the cosine 0.6; the second has Rome, and
    # "He" for Lee is resolved to the first word of the name, Bill.
    assert feature_values(problem, lexicon, "question words") == [[0.333, 0.333, 0]] * 3
    assert feature_values(problem, lexicon, "question words, vectors") == [[0.533, 0.333, 0]] * 3
    assert feature_values(problem, lexicon, "choice words") == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert feature_values(problem, lexicon, "choice words, names") == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert feature_values(problem, lexicon, "both") == [[0.333, 0, 0], [0.333, 0, 0], [0, 0, 0]]
    assert feature_values(problem, lexicon, "both, neighbours") == [[0.667, 0.667, 0.333]] * 2 + [[0, 0.667, 0.333]]


def test_words_count_on_the_side_of_the_blank_on_which_they_stand(lexicon):
    subject = reading_problem("XXX praised.", "Ann praised Bo.", ["Ann", "Bo"])
    object_ = reading_problem("Praised XXX.", "Ann praised Bo.", ["Ann", "Bo"])
    for right, left in (("near", "near"), ("verb right", "verb left"), ("beside right", "beside left")):
        assert feature_values(subject, lexicon, right) == [[1], [0]]
        assert feature_values(object_, lexicon, left) == [[0], [1]]


def test_pairs_of_words_match_in_their_order_only(lexicon):
    shown = viewed(reading_problem("XXX saw cats chase dogs.", "Cats chase dogs. Dogs chase cats.", ["Ann"]), lexicon)
    pairs = ordered_pairs(align(shown.question[shown.asked], shown, lexicon), shown)
    # Of saw-cats, cats-chase and chase-dogs.
    assert pairs.tolist() == pytest.approx([2 / 3, 0])


def test_other_persons_and_numbers_of_the_question_are_found(lexicon):
    passage = "On June 12 Ann came. Bo Lee too."
    problem = reading_problem("XXX met Bo Lee on 12 June.", passage, ["Ann"], persons=["Bo Lee"])
    assert feature_values(problem, lexicon, "persons of question") == [[0, 1]]
    assert feature_values(problem, lexicon, "numbers of question") == [[1, 0]]
    assert feature_values(problem, lexicon, "names of question") == [[0.333, 0.667]]


def test_windows_of_all_sizes_are_relative_to_the_best_choice(lexicon):
    # Four words or more hold the whole passage: IC is log 2 for each of the words, of which Ann left has two and Bo one.
    problem = reading_problem("XXX left.", "Ann left.", ["Ann", "Bo"])
    assert feature_values(problem, lexicon, "windows of all sizes") == [[1], [0.5]]


def test_the_best_match_of_neighbours_is_taken():
    assert with_neighbours(np.array([[0, 3, 1, 0, 2]], np.float32)).tolist() == [[3, 3, 3, 2, 2]]


def test_a_share_of_no_words_is_zero():
    assert share(np.zeros(0, np.float32), np.zeros((0, 3), np.float32)).tolist() == [0, 0, 0]


DEGENERATE = [
    ("XXX", "Ann.", ["Ann"]),
    ("XXX .", "...", ["Ann", "Bo"]),
    ("Who is it?", "The cat sat.", ["the", "a cat", "..."]),
    ("XXX left.", "", ["Ann", "Bo"]),
]


@pytest.mark.parametrize(("question", "passage", "choices"), DEGENERATE)
def test_degenerate_problems_have_finite_features(lexicon, question, passage, choices):
    values = features(viewed(reading_problem(question, passage, choices), lexicon), lexicon)
    assert (values.shape[0], values.shape[2]) == (len(choices), len(NAMES))
    assert np.isfinite(values).all()
