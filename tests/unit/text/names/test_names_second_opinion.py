"""Two taggers' persons are weighed: ``text.names.second_opinion``."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.records import TaggedName
from wdw_build.text.names import second_opinion
from wdw_build.text.names.second_opinion import Opinion, SentenceNames, tagged_spans, weigh, weigh_articles

TAGS = ("O", "B-PERSON", "I-PERSON", "B-ORG", "I-ORG", "B-LOC")


def opinion(*tags, sure=0.98):
    """An opinion that gives its tags with the probability ``sure``."""
    rest = 1 - sure
    begins = [sure if tag == "B-PERSON" else rest / 2 for tag in tags]
    inside = [sure if tag == "I-PERSON" else rest / 2 for tag in tags]
    none, within = [0.0] * len(tags), [2.5 if tag.endswith("PERSON") else -2.5 for tag in tags]
    return Opinion(begins, inside, tags, none, none, within, none)


def unscored(names):
    return [TaggedName(name.start, name.end, name.kind) for name in names]


def weighed(names, opinion):
    return unscored(weigh(names, opinion))


def person(start, end):
    return TaggedName(start, end, "PERSON")


def test_a_person_of_both_taggers_is_a_person():
    assert weighed([person(1, 3)], opinion("O", "B-PERSON", "I-PERSON", "O")) == [person(1, 3)]


def test_a_word_that_the_second_tagger_surely_calls_an_organisation_is_one():
    assert weighed([person(1, 2)], opinion("B-ORG", "I-ORG", "O")) == [TaggedName(0, 2, "ORG")]


def test_a_person_that_only_the_first_tagger_sees_is_dropped_if_the_second_is_sure():
    assert weighed([person(0, 1)], opinion("O", "O")) == []


def test_names_of_other_kinds_stay_beside_the_persons():
    others = [TaggedName(0, 1, "LOC"), person(2, 3)]
    assert weighed(others, opinion("O", "O", "B-PERSON")) == others


def test_a_person_of_the_second_tagger_takes_the_place_of_a_name_of_another_kind():
    names = [TaggedName(0, 2, "ORG"), person(3, 4)]
    assert weighed(names, opinion("B-PERSON", "I-PERSON", "O", "B-PERSON"))[1] == person(3, 4)


def test_of_two_spans_that_overlap_the_more_probable_one_counts():
    assert weighed([person(0, 3)], opinion("O", "B-PERSON", "I-PERSON", "O")) == [person(1, 3)]


def test_the_probability_is_the_logistic_of_the_weighted_evidence(monkeypatch):
    monkeypatch.setattr(second_opinion, "WEIGHTS", (-1.0, 2.0, *[0.0] * 5, 3.0))
    assert second_opinion.probability(second_opinion.Evidence(1, *[0] * 5, 1)) == 0.982  # 1 / (1 + exp(-4))


def test_there_is_a_weight_for_each_kind_of_evidence():
    assert len(second_opinion.WEIGHTS) == 1 + len(second_opinion.Evidence._fields)


TAGGED = [
    (("O", "B-PERSON", "I-PERSON", "O"), [("PERSON", 1, 3)]),
    (("B-PERSON", "B-PERSON"), [("PERSON", 0, 1), ("PERSON", 1, 2)]),
    (("I-ORG", "I-ORG"), [("ORG", 0, 2)]),
    (("B-LOC", "I-ORG"), [("LOC", 0, 1), ("ORG", 1, 2)]),
    (("O",), []),
]


@pytest.mark.parametrize(("tags", "names"), TAGGED)
def test_tags_are_read_as_names(tags, names):
    assert tagged_spans(tags) == names


@st.composite
def _tagged_sentences(draw):
    size = draw(st.integers(1, 8))
    tags = draw(st.lists(st.sampled_from(TAGS), min_size=size, max_size=size))
    begins, inside = (draw(st.lists(st.floats(0, 0.5), min_size=size, max_size=size)) for _ in range(2))
    edges = sorted(draw(st.sets(st.integers(0, size), max_size=size + 1)))
    kinds = st.sampled_from(("PERSON", "ORG", "LOC"))
    names = [TaggedName(start, end, draw(kinds)) for start, end in zip(edges[::2], edges[1::2], strict=False)]
    none = [0.0] * len(tags)
    return names, Opinion(begins, inside, tags, none, none, none, none)


@given(_tagged_sentences())
def test_the_weighed_names_are_in_order_and_never_overlap(case):
    names, second = case
    assert all(one.end <= other.start for one, other in itertools.pairwise(weigh(names, second)))


@given(_tagged_sentences())
def test_every_person_is_a_person_of_one_of_the_taggers(case):
    names, second = case
    first = {(name.start, name.end) for name in names if name.kind == "PERSON"}
    also = {(start, end) for kind, start, end in tagged_spans(second.tags) if kind == "PERSON"}
    persons = {(name.start, name.end) for name in weigh(names, second) if name.kind == "PERSON"}
    assert persons <= first | also


def test_the_second_tagger_reads_a_name_of_an_article_only_until_its_opinion_is_known():
    asked = []

    def ask(sentences):
        asked.append(len(sentences))
        return [opinion("O")] * len(sentences)

    article = [SentenceNames(("Universe",), [person(0, 1)])] * 5
    assert weigh_articles([article, [], article[:1]], ask) == [[[]] * 5, [], [[]]]
    assert asked == [second_opinion.ENOUGH + 1]


def test_a_confirmed_name_stays_a_person_where_the_second_tagger_does_not_read():
    article = [SentenceNames(("Ferrante", "said"), [person(0, 1)])] * 4
    (of_article,) = weigh_articles([article], lambda sentences: [opinion("B-PERSON", "O")] * len(sentences))
    assert list(map(unscored, of_article)) == [[person(0, 1)]] * 4
    assert {(name.score, name.odds) for names in of_article for name in names} == {(0.96, 2.5)}


def test_a_sentence_without_a_person_is_not_read_again():
    def refuse(sentences):
        raise AssertionError(sentences)

    names = [TaggedName(0, 1, "ORG")]
    assert weigh_articles([[SentenceNames(("Universe",), names)]], refuse) == [[names]]


def test_only_a_person_of_one_word_has_the_log_odds_of_a_given_name():
    view = opinion("B-PERSON", "O", "B-PERSON", "I-PERSON")._replace(given=[1.5, 0.0, 2.5, -2.5])
    assert [name.given for name in weigh([person(0, 1), person(2, 4)], view)] == [1.5, 0.0]
