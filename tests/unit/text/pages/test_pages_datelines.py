"""Datelines: every form that agencies write is taken off, and sentences with a dash are left whole."""

import pytest

from wdw_build.text.pages.datelines import split_dateline, split_opening

SENTENCE = "The president said on Tuesday that he would go."


DATELINES = [
    "CORVANE, Valdoria (Meridian) -- ",
    "PORT ANSEL _ ",
    "PORT ANSEL, Quillora (HP) _ ",
    "Haldrup, March 11 (Altus) - ",
    "Haldrup, Valdoria (Altus Sports) - ",
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
    "SANTIAGO DE CHILE, March 1 /EFE/ -- ",
    "NEW YORK, March 1, 2011 /PRNewswire-FirstCall/ -- ",
    # With a known agency, no dash is needed.
    "(CNN)",
    "(CNN) ",
    "Washington (CNN)",
    "White Plains, New York (CNN)",
    "Washington, D.C. (CNN)",
    "(AP) ",
    "LONDON (Reuters)",
    "Taipei, Feb. 1 (CNA) ",
    "Taipei, Jan. 5 (CNA)--",
    "Washington, Jan. 3 (CNA) ",
    # A known agency in capitals needs no parentheses after a place.
    "Doha, Qatar CNN — ",
    "New York CNN — ",
    "Kibbutz Be'eri, Israel CNN — ",
    "MOSCOW Reuters — ",
    "Moscow, Russia Reuters — ",
    "Reuters — ",
    "AP — ",
    # Empty regions, stray commas and unknown agencies in capitals.
    "LONDON, , Ohio (AFP) - ",
    "(MERIDIAN) - ",
    "LONDON (Meridian) - ",
    "WASHINGTON , - ",
    "LONDON, May 3, - ",
    # Brackets that are lost, a full stop after them, and a date alone.
    "Washington, Oct. 15 CNA) ",
    "Washington, Oct. 15 CNA)--",
    "Taipei, Feb. 1 (CNA ",
    "Taipei, Feb. 1 (CNA -- ",
    "Tegucigalpa, Jan 2 (EFE).- ",
    "Mar 1 - ",
    "1 March - ",
    "June 1 , (Daily Lamp) - ",
    "June 07 (Daily Lamp) - ",
    "Feb. 6 (cricketlamp) - ",
    "(Daily Lamp) - ",
    "(Meridian) -",
    # An agency and the date without a dash; a semicolon; a dash that touches the name or the sentence.
    "Corvane, June 2 (Daily Lamp) ",
    "CORVANE (Lamp 1st); ",
    "(NDTV); ",
    "LAMPNEXT- ",
    "LAMPNEXT –",
    "Corvane, April 1 (Daily Lamp) -",
    "Quell (AP — ",
    "QUELL, May 5 HWN) - ",
]


@pytest.mark.parametrize("dateline", DATELINES)
def test_a_dateline_is_taken_off_with_its_dash_and_stray_commas(dateline):
    assert split_dateline(dateline + SENTENCE) == (dateline, SENTENCE)


NOTES = [
    "(The Dec. 1 story was refiled to mend a word (in paragraph 2).) (Reuters) - ",
    "(Corrects name) WASHINGTON (Reuters) - ",
    "WASHINGTON (Reuters) - (This story corrects the name) ",
    "(Adds quotes) ",
    "UPDATE 2-",
    "RPT-UPDATE 1-",
    "EXCLUSIVE: ",
    "BREAKING: ",
    "WATCH: ",
    "Video: ",
    "BREAKING — ",
    "Taipei, Feb. 28 (CNA) (By Lilian Wu) ",
    "(EDITOR'S NOTE: Names were changed.) ",
    "NEW YORK (AP) — ",
    "Scroll down for video ",
    "Story Continued Below LONDON (Reuters) - ",
    "ADVERTISEMENT ",
    "10.42am ",
    "14:05 GMT - ",
    "8:05pm: ",
    "[10:42] ",
    "1. ",
    "10.17 PM - ",
    "• ",
    "•LONDON (Reuters) - ",
]


@pytest.mark.parametrize("opening", NOTES)
def test_notes_and_labels_go_with_the_dateline(opening):
    assert split_opening(opening + SENTENCE) == (opening, SENTENCE)


NO_OPENINGS = [
    "Associated Press (AP) President Ann Ames said so.",
    "Palestinian Authority (PA) President Ann Ames said so.",
    "Taiwan's Central News Agency (CNA) Director Ann Ames said so.",
    "The senator (CNN) said so.",
    "Islamic State (ISIS) Leader Ann Ames said so.",
    "(Ann Ames, 40, has left.) The mayor stayed.",
    "Watch the mayor: he is tall.",
    "Updates: none today.",
    "By Ann Ames's count 40 people drowned.",
    "By Monday Ann Ames had left.",
    "Advertisement sales fell, Ann Ames said.",
    "(CNN)",
    "WATCH:",
    "10.5 million people voted.",
    "9:30 Report host Ann Ames left.",
    "24.6 Degrees won.",
]


@pytest.mark.parametrize("paragraph", NO_OPENINGS)
def test_a_paragraph_without_an_opening_stays_whole(paragraph):
    assert split_opening(paragraph) == ("", paragraph)


NO_DATELINES = [
    SENTENCE,
    "Smith - the mayor - said he would go.",
    "Smith -- The Mayor, to his friends -- said he would go.",
    "U.S. President George Bush - in Rome for talks - said he would go.",
    "U.S. - Japan trade talks failed.",
    "LONDON (Reuters Life!)- More people are ill, officials said.",
    "May 25, 2010 - 4:00 PM the mayor said he would go.",
    "NEW YORK-based Acme Corp said - after talks - it would buy.",
    "IBM - the computer maker - said it would buy.",
    "NATO - Russia talks failed.",
    "On Friday, March 11 - Smith's birthday - he resigned.",
    "March 11 - Smith's birthday - he resigned.",
    "April 20, 2010 - Explosion and fire kill 11.",
    "May 25 - 4:00 PM | by: Ann Ames",
    "LONDON (Reuters Life!) The mayor stayed.",
    "The Guardian (Ann Ames CNN) The mayor stayed.",
    "Ann Ames (CNN reporter) said so.",
    "Friday, March 11 - Smith resigned.",
    "John Smith (Labour) - the mayor - said he would go.",
    "Microsoft (MSFT) - The company said it would buy.",
    "Sen. Mark Udall, D-Colo. - a friend - said he would go.",
    "Three men - two of them armed - robbed a bank.",
    "Ann Ames of CNN — The anchor, she says — left.",
    "Ann Ames, CNN — The feud goes on.",
    "Reuters — the agency — said so.",
    "Reuters — Ann Ames's agency — said so.",
    "Thomson Reuters — The firm in Tarn — said so.",
    "Former anchor at CNN — Bo Beck says — left.",
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
    # Only a dateline.
    "WASHINGTON (AP) --",
    "LONDON, April 3 (AFP) - ",
    "MOSCOW — ...",
    "(CNN) -- \n",
]


# Small letters, connecting words alone, and no agency.
NO_HEADS = [
    "LONDON, the red (AFP) - ",
    "London, the red (CNN) ",
    "London, and, of (CNN) ",
    "After London (CNN) ",
    "of the (AFP) - ",
    "of (CNN) ",
    "(meridian) - ",
    "LONDON (Meridian, 40) - ",
    "LONDON (40) - ",
]


@pytest.mark.parametrize("paragraph", [*NO_DATELINES, *(head + SENTENCE for head in NO_HEADS)])
def test_a_paragraph_without_a_dateline_or_with_nothing_else_stays_whole(paragraph):
    assert split_dateline(paragraph) == ("", paragraph)


def test_with_other_evidence_the_sentence_may_begin_with_a_small_letter():
    assert split_dateline("LONDON, April 3 (AFP) - al-Qaida said so.")[1] == "al-Qaida said so."
    assert split_dateline("LONDON - al-Qaida said so.")[0] == ""


LONGEST = [
    ("LONDON, One, Two, Three (AFP) - ", "LONDON, One, Two, Three, Four (AFP) - "),
    ("LONDON, New West Bank City (AFP) - ", "LONDON, New Big West Bank City (AFP) - "),
    ("London, One, Two, Three (CNN) ", "London, One, Two, Three, Four (CNN) "),
    ("ONE TWO THREE FOUR FIVE SIX SEVEN (AFP) - ", "ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT (AFP) - "),
    ("ONE TWO THREE FOUR FIVE - ", "ONE TWO THREE FOUR FIVE SIX - "),
    ("One Two Three Four Five (AFP) - ", "One Two Three Four Five Six (AFP) - "),
]


@pytest.mark.parametrize(("longest", "too_long"), LONGEST)
def test_a_dateline_has_so_many_regions_and_words_and_no_more(longest, too_long):
    assert split_dateline(longest + SENTENCE) == (longest, SENTENCE)
    assert split_dateline(too_long + SENTENCE) == ("", too_long + SENTENCE)


def test_a_dateline_may_stand_twice_and_no_more_than_four_openings_are_taken_off():
    assert split_opening(f"LONDON -- LONDON (AP) -- {SENTENCE}")[0] == "LONDON -- LONDON (AP) -- "
    assert split_opening(f"WATCH: VIDEO: LIVE: ALERT: PHOTO: {SENTENCE}")[0] == "WATCH: VIDEO: LIVE: ALERT: "
