"""Names in credits within a text: whom the story tells of nothing."""

import re

import pytest

from wdw_build.text.names.credited import reports, signatures

STORY = "Mayor Ann Ames met Bob Beck."


def named(text, *names):
    """The names that are in no credit."""
    credits = [text[start:end] for start, end in signatures(text)]
    return [name for name in names if not any(name in credit for credit in credits)]


CREDITS = [
    "It was late. — Cleo Cole (@cleo) September 19, 2016 Then he left.",
    "Photograph: Cleo Cole/Reuters The trial goes on.",
    "Credit: Reuters/Cleo Cole/The White House By Dora Dunn LONDON | Tue",
    "Cleo Cole / Getty Images",
    "By Dora Dunn and Cleo Cole Thursday, June 17, 2010",
    "By Dora Dunn BBC News, London By Cleo Cole BBC News",
    "By Cleo Cole\nThe trial goes on.",
    "From New London, Cleo Cole reports.",
    "The BBC's Cleo Cole reports.",
    "The BBC's Cleo Cole in London said so.",
    "He left, Cleo Cole reports from Abuja.\n\nIt was late.",
    "The BBC's Cleo Cole, in London, said so.",
    "So says Cleo Cole (@cleo) of him.",
    "He left.\n\nCleo Cole BBC News, London It is a familiar scene.",
    "He left. Cleo Cole Business editor, BBC News The leader spoke.",
    "By Cleo Cole Political correspondent The leader spoke.",
]


@pytest.mark.parametrize("credit", CREDITS)
def test_a_name_in_a_credit_is_no_person_of_the_story(credit):
    assert named(f"{STORY} {credit}", "Ann Ames", "Bob Beck", "Cleo Cole") == ["Ann Ames", "Bob Beck"]


NO_CREDITS = [
    "Cleo Cole contributed to the campaign of Ann Ames.",
    "He wrote to Cleo Cole, and this report says so.",
    "The dispute – Cleo Cole said (twice) – is over.",
    "The report by Cleo Cole was read.",
    "By Cleo Cole's account, he left.",
    "Write to Cleo Cole at home.",
    "Reporting by Dora Dunn shows that Cleo Cole left.",
    "By Cleo Cole, they meant another.",
    "A photo shows Cleo Cole.",
    "Cleo Cole reports to Ann Ames.",
    "The mayor's aide Cleo Cole reports a loss.",
    "They follow Cleo Cole on the road.",
    "The CNN's Cleo Cole in London said so.",
    "It was a man — Cleo Cole — who left.",
    "He was met (by Cleo Cole and others).",
    "Read also the book of Cleo Cole.",
]


@pytest.mark.parametrize("text", NO_CREDITS)
def test_a_sentence_of_the_story_is_no_credit(text):
    assert "Cleo Cole" in named(f"{STORY} {text}", "Cleo Cole")


def test_the_sentence_before_a_credit_is_none():
    text = f"{STORY} By Cleo Cole BBC News"
    assert {text[start:end] for start, end in signatures(text)} == {"By Cleo Cole", "By Cleo Cole BBC News"}


def reported(text):
    """Whether a text has a mention that names a person as a reporter or host."""
    return any(reports(text, *match.span()) for match in re.finditer(r"(?:Cleo )?Cole", text))


REPORTERS = [
    "It is late, she told CNN's Cleo Cole on Sunday.",
    "It is late, she told CNN's Dora Dunn and Cleo Cole.",
    "It is late, she told Fox News host Cleo Cole. Is it? Cole asked.",
    "He left, according to Texas Tribune reporter Cleo Cole.",
    "The Washington Post’s Cleo Cole noted that he left.",
    "In an interview with Cleo Cole, the mayor wept.",
    "The mayor was on Cleo Cole's radio show.",
    "Is it late? co-host Cleo Cole then asked.",
    "He said so on “Sunday Politics with Cleo Cole”.",
    "He left, said Cleo Cole, who covers the town for Reuters.",
]


@pytest.mark.parametrize("text", REPORTERS)
def test_a_person_who_only_reports_is_no_person_of_the_story(text):
    assert reported(text)


TOLD_OF = [
    "He mocked New York Times reporter Cleo Cole, who is ill.",
    "NBC's Cleo Cole faced criticism.",
    "The moderator, NBC anchor Cleo Cole, would do well.",
    "She told the mayor's aide Cleo Cole.",
    "Is it late? Cleo Cole asked.",
    "On Sunday, she met with Cleo Cole.",
    "“When I sat down, that day, with Cleo Cole, I wept.”",
]


@pytest.mark.parametrize("text", TOLD_OF)
def test_a_reporter_of_whom_the_story_tells_is_a_person(text):
    assert not reported(text)
