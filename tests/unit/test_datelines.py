"""Datelines: every form that agencies write is taken off, and sentences with a dash are left whole."""

import pytest

from wdw_build.text.datelines import split_dateline

SENTENCE = "The president said on Tuesday that he would go."


@pytest.mark.parametrize(
    "dateline",
    [
        "CORVANE, Valdoria (Meridian) -- ",
        "PORT ANSEL _ ",
        "PORT ANSEL, Quillora (HP) _ ",
        "Haldrup, March 11 (Altus) - ",
        "WASHINGTON (AP) -- ",
        "FRONT ROYAL, Va. (Reuters) - ",
        "LONDON, April 3 (AFP) - ",
        "WASHINGTON - ",
        "WASHINGTON--",
        "BEIJING, Oct. 5 (Xinhua) -- ",
        "NEW YORK, Feb 26 - ",
        "NEW YORK, Feb 26- ",
        "UNITED NATIONS, Aug. 3 (IPS)  - ",
        "MOSCOW — ",
        "MOSCOW—",
        "(CNN) -- ",
        "(Reuters) - ",
        "GENEVA, 5 July 2003 (UN News) – ",
        "KABUL, Afghanistan, Tuesday, April 3, 2003 (AP) _ ",
        "JERUSALEM/RAMALLAH, West Bank (Reuters) - ",
        "AIX-EN-PROVENCE, France, April 1 (AFP) - ",
        "L'AQUILA, Italy (AP) -- ",
        "SÃO PAULO, Brazil (AP) -- ",
        "ST. LOUIS (AP) _ ",
        "ON THE IRAQ-KUWAIT BORDER, April 1 (AFP) - ",
        "RIO de JANEIRO, March 3 - ",
        "London, Feb 26 - ",
        "****PARIS, June 19 - ",
    ],
)
def test_a_dateline_is_taken_off_with_its_dash(dateline):
    assert split_dateline(dateline + SENTENCE) == (dateline, SENTENCE)


@pytest.mark.parametrize(
    "paragraph",
    [
        SENTENCE,
        "Smith - the mayor - said he would go.",
        "Smith -- The Mayor, to his friends -- said he would go.",
        "U.S. President George Bush - in Rome for talks - said he would go.",
        "U.S. - Japan trade talks failed.",
        "NEW YORK-based Acme Corp said - after talks - it would buy.",
        "IBM - the computer maker - said it would buy.",
        "NATO - Russia talks failed.",
        "On Friday, March 11 - Smith's birthday - he resigned.",
        "Friday, March 11 - Smith resigned.",
        "John Smith (Labour) - the mayor - said he would go.",
        "Microsoft (MSFT) - The company said it would buy.",
        "Sen. Mark Udall, D-Colo. - a friend - said he would go.",
        "Three men - two of them armed - robbed a bank.",
        "FIRE DESTROYS MILL - OWNER SAYS ALL IS LOST",
        'He said: "We will go - now."',
        "Score: Roddick (6-3) - Agassi",
        "- a list entry",
        "--",
        "",
        "   ",
        "(see below) - The text",
        "WASHINGTON said - in a note - that",
        "A" * 200 + " - The text",
    ],
)
def test_a_paragraph_without_a_dateline_stays_whole(paragraph):
    assert split_dateline(paragraph) == ("", paragraph)


@pytest.mark.parametrize("paragraph", ["WASHINGTON (AP) --", "LONDON, April 3 (AFP) - ", "MOSCOW — ...", "(CNN) -- \n"])
def test_a_paragraph_that_is_only_a_dateline_stays_whole(paragraph):
    assert split_dateline(paragraph) == ("", paragraph)


def test_a_small_agency_is_known_by_the_source():
    paragraph = f"Corvane (Meridian Wire) - {SENTENCE}"
    assert split_dateline(paragraph) == ("", paragraph)
    assert split_dateline(paragraph, "meridian wire") == ("Corvane (Meridian Wire) - ", SENTENCE)


def test_with_other_evidence_the_sentence_may_begin_with_a_small_letter():
    assert split_dateline("LONDON, April 3 (AFP) - al-Qaida said so.")[1] == "al-Qaida said so."
    assert split_dateline("LONDON - al-Qaida said so.")[0] == ""
