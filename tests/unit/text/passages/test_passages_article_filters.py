"""Article filters: each rule with articles that it refuses and near ones, real stories, that it lets pass."""

import pytest

from support.tables import rows
from wdw_build.text.passages.article_filters import EVIDENCE, numeric_ratio, round_up_evidence, schedule_evidence

STORY = ("Mayor Ann Ames closed the bridge on Monday after an engineer put his arm through a girder.", "It is ninety.")


def test_three_datelines_are_three_stories():
    items = [f"{place} (HP) -- Something happened to somebody today." for place in ("LONDON", "PARIS", "GREYHAVEN")]
    assert round_up_evidence("T", items).startswith("3 datelines: LONDON (HP)")
    assert round_up_evidence("T", [*items[:2], *STORY]) == ""


def test_quotations_with_their_speakers_are_a_round_up_and_a_story_with_quotations_is_none():
    quoted = [f'"I never said that at all." -- {name}, on the bridge.' for name in ("Ann Ames", "Bob Beck", "Cy Cole")]
    assert round_up_evidence("T", quoted) == "3 quotations with their speakers"
    assert round_up_evidence("T", [*quoted, *STORY, *STORY]) == ""
    others = [f'"I never said that at all," {name} said.' for name in ("Ames", "Beck", "Cole")]
    assert round_up_evidence("T", others) == ""


# Rule, title and first paragraph.
BREAK_A_RULE = """
round-up | AP News in Brief |
round-up | News in brief, March 4 |
round-up | Wednesday's briefs: Courts and police |
round-up | World Briefs |
round-up | Briefs |
round-up | Thursday's People in the News |
round-up | Names in the Game |
round-up | Current Quotations |
round-up | Quote of the day |
round-up | REUTER WORLD NEWS HIGHLIGHTS 1300 GMT APRIL 7 |
round-up | BC-WORLD-HIGHLIGHTS |
round-up | Business Highlights |
round-up | INTERNATIONAL CREDIT HIGHLIGHTS - APRIL 7 |
round-up | Sports digest |
round-up | PRESS DIGEST - Iraq - Aug 22 |
round-up | Economy at a glance |
round-up | The election at a glance: |
round-up | World markets round-up |
round-up | World news summary |
round-up | Major news items in leading papers |
round-up | What the British papers say |
round-up | Today in History |
round-up | Deaths elsewhere |
round-up | Chronology of the siege |
round-up | Factbox: Principal prizes |
round-up | Key events in the strike |
round-up | Newspaper headlines on Monday |
schedule | World sports calendar |
schedule | Economic Calendar |
schedule | AFP world news schedule |
schedule | Diary |
schedule | BC-AP News Advisory |
schedule | Upcoming events |
schedule | Week ahead: what to look for |
schedule | Premier League fixtures |
schedule | Schedule of World Cup matches |
schedule | Soccer fixtures on Saturday |
schedule | T | Here are the top stories at this hour
schedule | T | The following is the weekly schedule of hearings:
schedule | T | All times GMT
schedule | T | The following stories are planned to move this afternoon.
correction | Correction: Bridge story |
correction | CORRECTION |
correction | Correction to bridge story |
correction | Clarification |
correction | Note to editors: Schedule |
correction | Editor's Note |
correction | BC-Correction, Bridge |
correction | T | EDITORS: the story from Greyhaven is withdrawn.
correction | T | (Correction) - the name was wrong
correction | T | In Manila item "Phone firm plans split" please read in page 3 "the profits".
correction | T | In a March 3 story about the bridge, The Associated Press erroneously reported that it was new.
correction | T | In a story on Monday about a bridge, the age of Ann Ames should have read 40.
market-report | DOLLAR CLOSES LOWER IN TOKYO |
market-report | U.S. CREDIT MARKETS CLOSE SHARPLY LOWER |
market-report | Asian stocks end mixed |
market-report | WALL STREET STOCKS HIGHER AT MIDSESSION |
market-report | Gold prices up in early trading |
market-report | ARGENTINE CATTLE MARKET REPORT |
market-report | WALL STREET STOCKS CLOSING AVERAGES |
market-report | Foreign exchange rates |
market-report | T | Prices closed lower in active trading on the New York Stock Exchange.
market-report | T | The Taiwan dollar closed slightly firmer on Thursday, dealers said.
"""
# Without a first paragraph, the article is the story.
BREAK_NONE = """
round-up | IADB DISPUTE HIGHLIGHTS LATIN DEBT CONFLICTS |
round-up | LIFE OF WARRANTS EXTENDED BRIEFLY |
round-up | Texaco files brief |
round-up | Lawyers brief the press |
round-up | People flee in the night |
round-up | Death of a salesman |
round-up | Readers Digest sells unit |
round-up | Quotation committee meets |
round-up | Ames glances at the past |
round-up | Roundup: Thai prime minister resigns |
round-up | Top storyteller dies |
round-up | |
schedule | NIGERIA TO RESCHEDULE OFFICIAL DEBT |
schedule | INDONESIA'S EXPORTS DROP IN CALENDAR 1986 |
schedule | IBM COMPUTER TO SHIP AHEAD OF SCHEDULE |
schedule | SUBSIDIARY SOLD |
schedule | U.S. budget |
schedule | Tough week ahead for Ames |
schedule | T | The city is planning to move the depot.
correction | TOKYO STOCKS SEEN HEADING FOR POSSIBLE CORRECTION |
correction | (CORRECTED) - GOODYEAR TO SELL UNIT |
correction | Corrections officer held |
correction | Kill or be killed |
correction | Editors meet in Oslo |
correction | T | Editors of ten newspapers met on Monday.
correction | T | In a story of two brothers, the younger one sings.
market-report | BAKER SAYS U.S. WANTS TO STABILIZE EXCHANGE RATES |
market-report | ICO TALKS ON COFFEE TO RESUME AT NOON |
market-report | LEGISLATORS COOL TO NEW STOCK TAX IDEA |
market-report | Market closes after 100 years |
market-report | Senate leader sees close vote |
market-report | Gold medal for Ames |
market-report | Dollar store opens |
market-report | T | President Ann Ames said the dollar should be stronger and closed the meeting.
"""


@pytest.mark.parametrize(("rule", "title", "lead"), rows(BREAK_A_RULE))
def test_articles_without_a_story_of_their_own_are_known_by_title_or_first_paragraph(rule, title, lead):
    found = EVIDENCE[rule](title, [lead, "More."] if lead else STORY)
    assert found.startswith("first paragraph: " if lead else "title: ")


@pytest.mark.parametrize(("rule", "title", "lead"), rows(BREAK_NONE))
def test_a_story_that_tells_of_such_things_breaks_no_rule(rule, title, lead):
    assert EVIDENCE[rule](title, [lead] if lead else STORY) == ""


TIMED = ["0900 GMT - The court sits.", "9:30 a.m. The mayor speaks.", "Monday, April 3: A parade", "April 4 - A race"]


@pytest.mark.parametrize("line", TIMED)
def test_lines_that_begin_with_a_day_or_time_are_a_schedule_if_they_are_the_most(line):
    assert schedule_evidence("T", [line] * 3 + list(STORY)) == "3 of 5 lines begin with a day or time"
    assert schedule_evidence("T", ["\n".join([line] * 3)]) == "3 of 3 lines begin with a day or time"
    assert schedule_evidence("T", [line] * 3 + list(STORY) * 2) == ""
    assert schedule_evidence("T", [line] * 2) == ""


@pytest.mark.parametrize("rule", EVIDENCE)
def test_a_story_breaks_no_rule_and_an_empty_article_does_not_either(rule):
    assert EVIDENCE[rule]("Bridge closed", STORY) == ""
    assert EVIDENCE[rule]("", ()) == ""


SHARES = [
    ("", 0.0),
    ("Rain fell .", 1 / 3),
    ("MAY7 285 UP 1 1/2", 1.0),
    ("Shr 57 cts vs 31", 2 / 5),
    ("Net 1.2 mln vs -- --", 3 / 6),
    ("ANN AMES CLOSED A BRIDGE", 0.0),
    ("IBM and GM met in a bar", 2 / 7),
    ("I saw A bear", 0.0),
]


@pytest.mark.parametrize(("text", "share"), SHARES)
def test_the_share_of_figures_symbols_and_capitals(text, share):
    assert numeric_ratio(text) == pytest.approx(share)
