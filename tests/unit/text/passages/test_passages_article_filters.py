"""Article filters: each rule with articles that it refuses and near ones, real stories, that it lets pass."""

import pytest

from wdw_build.text.passages.article_filters import (
    EVIDENCE,
    correction_evidence,
    market_report_evidence,
    numeric_ratio,
    round_up_evidence,
    schedule_evidence,
)

STORY = ("Mayor Ann Ames closed the bridge on Monday after an engineer put his arm through a girder.", "It is ninety.")


@pytest.mark.parametrize(
    "title",
    [
        "AP News in Brief",
        "News in brief, March 4",
        "Wednesday's briefs: Courts and police",
        "World Briefs",
        "Briefs",
        "Thursday's People in the News",
        "Names in the Game",
        "Current Quotations",
        "Quote of the day",
        "REUTER WORLD NEWS HIGHLIGHTS 1300 GMT APRIL 7",
        "BC-WORLD-HIGHLIGHTS",
        "Business Highlights",
        "INTERNATIONAL CREDIT HIGHLIGHTS - APRIL 7",
        "Sports digest",
        "PRESS DIGEST - Iraq - Aug 22",
        "Economy at a glance",
        "The election at a glance:",
        "World markets round-up",
        "World news summary",
        "Major news items in leading papers",
        "What the British papers say",
        "Today in History",
        "Deaths elsewhere",
        "Chronology of the siege",
        "Factbox: Principal prizes",
        "Key events in the strike",
        "Newspaper headlines on Monday",
    ],
)
def test_a_round_up_is_known_by_its_title(title):
    assert round_up_evidence(title, STORY).startswith("title: ")


@pytest.mark.parametrize(
    "title",
    [
        "IADB DISPUTE HIGHLIGHTS LATIN DEBT CONFLICTS",
        "LIFE OF WARRANTS EXTENDED BRIEFLY",
        "Texaco files brief",
        "Lawyers brief the press",
        "People flee in the night",
        "Death of a salesman",
        "Readers Digest sells unit",
        "Quotation committee meets",
        "Ames glances at the past",
        "Roundup: Thai prime minister resigns",
        "Top storyteller dies",
        "",
    ],
)
def test_a_story_whose_title_holds_such_a_word_is_no_round_up(title):
    assert round_up_evidence(title, STORY) == ""


def test_three_datelines_are_three_stories():
    items = [f"{place} (HP) -- Something happened to somebody today." for place in ("LONDON", "PARIS", "GREYHAVEN")]
    assert round_up_evidence("T", items).startswith("3 datelines: LONDON (HP)")
    assert round_up_evidence("T", [*items[:2], *STORY]) == ""


def test_quotations_with_their_speakers_are_a_round_up_and_a_story_with_quotations_is_none():
    quoted = [f'"I never said that at all." -- {name}, on the bridge.' for name in ("Ann Ames", "Bob Beck", "Cy Cole")]
    assert round_up_evidence("T", quoted) == "3 quotations with their speakers"
    assert round_up_evidence("T", [*quoted, *STORY, *STORY]) == ""
    assert (
        round_up_evidence("T", [f'"I never said that at all," {name} said.' for name in ("Ames", "Beck", "Cole")]) == ""
    )


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("World sports calendar", ""),
        ("Economic Calendar", ""),
        ("AFP world news schedule", ""),
        ("Diary", ""),
        ("BC-AP News Advisory", ""),
        ("Upcoming events", ""),
        ("Week ahead: what to look for", ""),
        ("Premier League fixtures", ""),
        ("Schedule of World Cup matches", ""),
        ("Soccer fixtures on Saturday", ""),
        ("T", "Here are the top stories at this hour"),
        ("T", "The following is the weekly schedule of hearings:"),
        ("T", "All times GMT"),
        ("T", "The following stories are planned to move this afternoon."),
    ],
)
def test_a_schedule_is_known_by_title_or_first_paragraph(title, lead):
    assert schedule_evidence(title, [lead, "More."])


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("NIGERIA TO RESCHEDULE OFFICIAL DEBT", STORY[0]),
        ("INDONESIA'S EXPORTS DROP IN CALENDAR 1986", STORY[0]),
        ("IBM COMPUTER TO SHIP AHEAD OF SCHEDULE", STORY[0]),
        ("SUBSIDIARY SOLD", STORY[0]),
        ("U.S. budget", STORY[0]),
        ("Tough week ahead for Ames", STORY[0]),
        ("T", "The city is planning to move the depot."),
    ],
)
def test_a_story_whose_title_holds_a_schedule_is_none(title, lead):
    assert schedule_evidence(title, [lead]) == ""


@pytest.mark.parametrize(
    "line",
    ["0900 GMT - The court sits.", "9:30 a.m. The mayor speaks.", "Monday, April 3: A parade", "April 4 - A race"],
)
def test_lines_that_begin_with_a_day_or_time_are_a_schedule_if_they_are_the_most(line):
    assert schedule_evidence("T", [line] * 3 + list(STORY)) == "3 of 5 lines begin with a day or time"
    assert schedule_evidence("T", ["\n".join([line] * 3)]) == "3 of 3 lines begin with a day or time"
    assert schedule_evidence("T", [line] * 3 + list(STORY) * 2) == ""
    assert schedule_evidence("T", [line] * 2) == ""


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("Correction: Bridge story", ""),
        ("CORRECTION", ""),
        ("Correction to bridge story", ""),
        ("Clarification", ""),
        ("Note to editors: Schedule", ""),
        ("Editor's Note", ""),
        ("BC-Correction, Bridge", ""),
        ("T", "EDITORS: the story from Greyhaven is withdrawn."),
        ("T", "(Correction) - the name was wrong"),
        ("T", 'In Manila item "Phone firm plans split" please read in page 3 "the profits".'),
        ("T", "In a March 3 story about the bridge, The Associated Press erroneously reported that it was new."),
        ("T", "In a story on Monday about a bridge, the age of Ann Ames should have read 40."),
    ],
)
def test_a_correction_is_known_by_title_or_first_paragraph(title, lead):
    assert correction_evidence(title, [lead, "More."])


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("TOKYO STOCKS SEEN HEADING FOR POSSIBLE CORRECTION", STORY[0]),
        ("(CORRECTED) - GOODYEAR TO SELL UNIT", STORY[0]),
        ("Corrections officer held", STORY[0]),
        ("Kill or be killed", STORY[0]),
        ("Editors meet in Oslo", STORY[0]),
        ("T", "Editors of ten newspapers met on Monday."),
        ("T", "In a story of two brothers, the younger one sings."),
    ],
)
def test_a_story_about_corrections_or_editors_is_none(title, lead):
    assert correction_evidence(title, [lead]) == ""


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("DOLLAR CLOSES LOWER IN TOKYO", ""),
        ("U.S. CREDIT MARKETS CLOSE SHARPLY LOWER", ""),
        ("Asian stocks end mixed", ""),
        ("WALL STREET STOCKS HIGHER AT MIDSESSION", ""),
        ("Gold prices up in early trading", ""),
        ("ARGENTINE CATTLE MARKET REPORT", ""),
        ("WALL STREET STOCKS CLOSING AVERAGES", ""),
        ("Foreign exchange rates", ""),
        ("T", "Prices closed lower in active trading on the New York Stock Exchange."),
        ("T", "The Taiwan dollar closed slightly firmer on Thursday, dealers said."),
    ],
)
def test_a_market_report_is_known_by_title_or_first_paragraph(title, lead):
    assert market_report_evidence(title, [lead, "More."])


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("BAKER SAYS U.S. WANTS TO STABILIZE EXCHANGE RATES", STORY[0]),
        ("ICO TALKS ON COFFEE TO RESUME AT NOON", STORY[0]),
        ("LEGISLATORS COOL TO NEW STOCK TAX IDEA", STORY[0]),
        ("Market closes after 100 years", STORY[0]),
        ("Senate leader sees close vote", STORY[0]),
        ("Gold medal for Ames", STORY[0]),
        ("Dollar store opens", STORY[0]),
        ("T", "President Ann Ames said the dollar should be stronger and closed the meeting."),
    ],
)
def test_a_story_about_markets_or_money_is_none(title, lead):
    assert market_report_evidence(title, [lead]) == ""


@pytest.mark.parametrize("rule", EVIDENCE)
def test_a_story_breaks_no_rule_and_an_empty_article_does_not_either(rule):
    assert EVIDENCE[rule]("Bridge closed", STORY) == ""
    assert EVIDENCE[rule]("", ()) == ""


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0.0),
        ("Rain fell .", 1 / 3),
        ("MAY7 285 UP 1 1/2", 1.0),
        ("Shr 57 cts vs 31", 2 / 5),
        ("Net 1.2 mln vs -- --", 3 / 6),
        ("ANN AMES CLOSED A BRIDGE", 0.0),
        ("IBM and GM met in a bar", 2 / 7),
        ("I saw A bear", 0.0),
    ],
)
def test_the_share_of_figures_symbols_and_capitals(text, share):
    assert numeric_ratio(text) == pytest.approx(share)
