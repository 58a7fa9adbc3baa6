"""The gender of persons: titles, apposition, pronouns, the corpus, and what weighs more."""

import random
import re

import pytest

from wdw_build.records import Span
from wdw_build.text.pseudonyms.genders import GenderVotes, corpus_genders, counts_by_key, gender_of
from wdw_build.text.pseudonyms.people import name_sequence

FEMALE, MALE = frozenset({"mary"}), frozenset({"tom", "ilkka"})
COUNTS = {"ilva quorn": 3, "orlo quorn": 9, "quorn": 4, "ilva tarn": 2, "tarn": 5, "reva": 1}


def spans(text, name):
    return [Span(start=match.start(), end=match.end()) for match in re.finditer(re.escape(name), text)]


def told(text, name="Quorn", others=("Dresch",), names=None, corpus=None):
    """The gender of a person with this name in a text with others."""
    starts = sorted(span.start for one in (name, *others) for span in spans(text, one))
    more = {} if corpus is None else {"corpus": corpus}
    forms = [name_sequence(one) for one in names or [name]]
    return gender_of([(text, spans(text, name), starts)], forms, FEMALE, MALE, **more)


def corpus_of(*texts):
    """The counts over texts, each with the name of its only person."""
    counts = counts_by_key(COUNTS)
    votes = GenderVotes(counts)
    for text, name in texts:
        votes.add(text, [(span, name) for span in spans(text, name)])
    return corpus_genders(counts, votes.votes, FEMALE, MALE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mrs. Quorn left .", "female"),
        ("The actress Quorn left .", "female"),
        ("Dresch and her husband, Quorn, left .", "male"),
        ("Quorn, a retired schoolmaster, left .", "male"),
        ("Quorn, 52, the first congresswoman of the valley, left .", "female"),
        ("Quorn is a patient gentleman .", "male"),
        ("the club of a woman Quorn liked .", ""),
        ("Chairman Quorn left .", ""),
        ("Dresch waited. Quorn said she would pay. He left.", "female"),
        ("Quorn blamed himself.", "male"),
        ("After the storm Quorn lost her boat.", "female"),
        ("Quorn won the race. She left.", "female"),
        ("Quorn left. The gentleman waved.", "male"),
        ("Quorn left.", ""),
    ],
)
def test_titles_nouns_in_apposition_and_pronouns_after_a_mention_show_the_gender(text, expected):
    assert told(text) == expected


def test_another_persons_pronouns_yield_to_those_of_the_subject():
    text = "Dresch beat Quorn . He laughed . Quorn lost her hat. Dresch saw Quorn . He left ."
    assert told(text) == "female"


def test_a_given_name_outweighs_a_pronoun_but_not_three_clear_ones():
    given = ["Ilkka Quorn", "Quorn"]
    assert told("Quorn said she left.", names=given) == "male"
    assert told("Quorn hurt herself. Quorn knew she lost. Quorn swore she won.", names=given) == "female"


def test_the_corpus_tells_a_person_without_evidence_in_the_problem():
    corpus = corpus_of(("Ilva Quorn said she would pay.", "Ilva Quorn"), ("Mrs. Ilva Quorn left.", "Ilva Quorn"))
    assert told("Quorn left.", names=["Ilva Quorn", "Quorn"]) == ""
    assert told("Quorn left.", names=["Ilva Quorn", "Quorn"], corpus=corpus) == "female"


def test_a_surname_alone_has_the_gender_of_most_of_its_bearers():
    women, men = ("Mrs. Ilva Quorn left.", "Ilva Quorn"), ("Mr. Orlo Quorn left.", "Orlo Quorn")
    assert told("Quorn left.", corpus=corpus_of(women, men)) == "male"
    assert told("Quorn left.", corpus=corpus_of(women)) == "female"
    assert told("Tarn left.", "Tarn", corpus=corpus_of(men)) == ""


def test_a_surname_that_is_also_a_given_name_is_read_as_a_surname():
    assert told("Tom left.", "Tom") == "male"
    corpus = corpus_genders(counts_by_key({"mary tom": 3}), {}, FEMALE, MALE)
    assert told("Tom left.", "Tom", corpus=corpus) == "female"


def test_the_counts_ignore_the_order_of_the_texts():
    texts = [
        ("Mrs. Ilva Quorn left.", "Ilva Quorn"),
        ("Orlo Quorn lost his hat.", "Orlo Quorn"),
        ("Quorn said he left.", "Quorn"),
        ("Reva hurt herself.", "Reva"),
    ]
    shuffled = texts[::-1]
    random.Random(1).shuffle(shuffled)
    assert corpus_of(*texts) == corpus_of(*shuffled)


def test_names_outside_the_table_of_names_are_not_counted():
    assert not corpus_of(("Mrs. Una Plover left.", "Una Plover")).by_name
