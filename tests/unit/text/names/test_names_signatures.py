"""Names in credits within a text: whom the story tells of nothing."""

import pytest

from wdw_build.records import Mention
from wdw_build.text.names.entities import only_persons
from wdw_build.text.names.signatures import signatures

STORY = "Mayor Ann Ames met Bob Beck."


def named(text, *names):
    mentions = [Mention(start=text.index(name), end=text.index(name) + len(name), text=name) for name in names]
    return [mention.text for mention in only_persons(mentions, text)]


@pytest.mark.parametrize(
    "credit",
    [
        "Cleo Cole contributed to this report.",
        "ABC News' Dora Dunn, J. Edgar Ertl and Cleo Cole contributed to this story.",
        "It was late. — Cleo Cole (@cleo) September 19, 2016 Then he left.",
        "Read the rest of the story at Cleo Cole’s blog",
    ],
)
def test_a_name_in_a_credit_is_no_person_of_the_story(credit):
    assert named(f"{STORY} {credit}", "Ann Ames", "Bob Beck", "Cleo Cole") == ["Ann Ames", "Bob Beck"]


@pytest.mark.parametrize(
    "text",
    [
        "Cleo Cole contributed to the campaign of Ann Ames.",
        "He wrote to Cleo Cole, and this report says so.",
        "The dispute – Cleo Cole said (twice) – is over.",
    ],
)
def test_a_sentence_of_the_story_is_no_credit(text):
    assert "Cleo Cole" in named(f"{STORY} {text}", "Cleo Cole")


def test_the_sentence_before_a_credit_is_none():
    text = f"{STORY} Cleo Cole contributed to this report."
    ((start, end),) = signatures(text)
    assert text[start:end].strip() == "Cleo Cole contributed to this report"
