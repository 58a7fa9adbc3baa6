"""What a neural reader reads: anonymised names, vocabulary, encoded problems."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from support.reader_problems import verb_problems
from support.reading import reading_problem
from wdw_bench.systems.neural import AttentionSumConfig
from wdw_bench.systems.neural import tokens as neural
from wdw_bench.systems.neural.batches import ProblemEncoder
from wdw_build.reading import ReadingChoice

PASSAGE, CHOICES = "Bo Lee met Roe . Ann Fox and Lee saw Kim Day Roe .", [("Ann Fox", "Fox"), ("Bo Lee", "Lee")]
PROBLEM = reading_problem("Kim Day Roe told XXX to go .", PASSAGE, CHOICES, persons=["Kim Day Roe"])


def test_markers_are_numbered_by_first_occurrence_in_the_passage_and_stand_in_the_question_too():
    tokens = neural.anonymised_tokens(PROBLEM)
    assert " ".join(tokens.passage) == "@entity0 met @entity1 . @entity2 and @entity0 saw @entity1 ."
    assert list(tokens.markers) == [2, 0]
    assert tokens.marker_count == 3
    assert list(tokens.question) == ["@entity1", "told", "XXX", "to", "go", "."]
    assert tokens.blank == 2
    mentions = [(tokens.passage[first:last], choice) for first, last, choice in tokens.mentions]
    assert mentions == [(["@entity0"], 1), (["@entity2"], 0), (["@entity0"], 1)]


def test_a_person_whom_the_passage_does_not_name_stays_in_words():
    problem = reading_problem("Kim Roe told XXX .", "Ann Fox met Bo Lee .", ["Ann Fox", "Bo Lee"], persons=["Kim Roe"])
    assert list(neural.anonymised_tokens(problem).question) == ["Kim", "Roe", "told", "XXX", "."]


def test_namesakes_in_the_question_get_the_marker_of_the_longest_match():
    passage, persons = "Kim Roe met Ann Fox . Bo Lee met Ed Roe .", ["Ed Roe", "Kim Roe"]
    problem = reading_problem("Ed Roe and Kim Roe told XXX .", passage, ["Ann Fox", "Bo Lee"], persons=persons)
    tokens = neural.anonymised_tokens(problem)
    assert list(tokens.passage) == "@entity0 met @entity1 . @entity2 met @entity3 .".split()
    assert list(tokens.question) == "@entity3 and @entity0 told XXX .".split()


def test_raw_names_keep_their_words_and_have_no_marker():
    tokens = neural.raw_tokens(PROBLEM)
    assert list(tokens.passage) == list(PROBLEM.passage_tokens)
    assert [" ".join(tokens.passage[first:last]) for first, last, _ in tokens.mentions] == ["Bo Lee", "Ann Fox", "Lee"]
    assert set(tokens.markers) == {neural.NO_MARKER}


@given(st.integers(0, 10_000))
def test_anonymised_problems_name_no_choice(seed):
    (labelled,) = verb_problems(1, seed)
    tokens = neural.anonymised_tokens(labelled.problem)
    names = {word for choice in labelled.problem.choices for word in choice.tokens}
    assert not names & {*tokens.passage, *tokens.question}
    assert sorted(set(tokens.markers)) == list(range(len(labelled.problem.choices)))


spans = st.tuples(st.integers(0, 11), st.integers(1, 3)).map(lambda span: (span[0], min(span[0] + span[1], 12)))


@given(st.lists(st.lists(spans, max_size=3), min_size=2, max_size=3), st.lists(spans, max_size=3))
def test_whatever_the_mentions_markers_stand_for_them_and_other_words_stay(mentions, persons):
    words = [f"word{number}" for number in range(12)]
    problem = msgspec.structs.replace(
        reading_problem("one two XXX " + " ".join(words), " ".join(words), ["Ann Fox", "Bo Lee", "Cy Ray"]),
        choices=tuple(ReadingChoice(name="Ann", tokens=("Ann",), mentions=tuple(found)) for found in mentions),
        question_persons=tuple((first + 3, last + 3) for first, last in persons),
    )
    tokens = neural.anonymised_tokens(problem)
    assert tokens.question[tokens.blank] == "XXX"
    for mention in tokens.mentions:
        assert tokens.passage[mention.first : mention.last] == [neural.marker(tokens.markers[mention.person])]
    named = {index for found in mentions for first, last in found for index in range(first, last)}
    asked = {index for first, last in persons for index in range(first, last)}
    kept = [word for word in tokens.passage if word in words]
    assert kept == sorted(kept, key=words.index)
    assert set(kept) >= {word for index, word in enumerate(words) if index not in named | asked}
    seen = [word for word in tokens.passage if word not in words]
    assert list(dict.fromkeys(seen)) == [neural.marker(number) for number in range(len(set(seen)))]


def counted(passage, markers):
    """The two commonest words of a passage."""
    tokens = neural.ReaderTokens(question=[], blank=-1, passage=passage, mentions=[], markers=[], marker_count=markers)
    return neural.count_vocabulary([tokens], AttentionSumConfig(vocabulary=2))


def test_the_vocabulary_has_the_commonest_words_and_those_of_one_count_in_alphabetical_order():
    vocabulary = counted(["The", "the", "b", "a", "@entity0"], 1)
    assert vocabulary.words == ("the", "a")
    first = neural.FIRST_ENTITY + neural.FEWEST_MARKERS
    assert vocabulary.ids(["@entity0", "THE", "a", "b"]) == [neural.FIRST_ENTITY, first, first + 1, neural.UNKNOWN]


def test_a_vocabulary_of_raw_names_has_no_marker_and_one_of_anonymised_names_at_least_as_many_as_training():
    markers = [counted(["a"], count).markers for count in (0, 1, neural.FEWEST_MARKERS + 1)]
    assert markers == [0, neural.FEWEST_MARKERS, neural.FEWEST_MARKERS + 1]


def test_markers_beyond_those_of_training_are_unknown():
    vocabulary = neural.Vocabulary(words=("a",), markers=2, characters=(), fold_case=True)
    assert [vocabulary.marker_id(number) for number in (-1, 1, 2)] == [0, neural.FIRST_ENTITY + 1, neural.UNKNOWN]


VOCABULARY = neural.count_vocabulary([neural.raw_tokens(PROBLEM)], AttentionSumConfig())
ENCODER = ProblemEncoder(VOCABULARY, AttentionSumConfig())


def test_the_blank_has_its_own_word_and_words_of_the_question_are_marked_in_the_passage():
    encoded = ENCODER.encode(PROBLEM, 1)
    assert encoded.question[encoded.blank] == neural.BLANK_WORD
    shared = [word for word, found in zip(PROBLEM.passage_tokens, encoded.in_question, strict=True) if found]
    assert shared == ["Roe", ".", "Kim", "Day", "Roe", "."]


def test_a_problem_without_blank_or_passage_can_be_encoded():
    encoded = ENCODER.encode(reading_problem("Who left ?", "", ["Ann Fox", "Bo Lee"]))
    assert encoded.blank == 2
    assert list(encoded.passage) == [neural.UNKNOWN]
