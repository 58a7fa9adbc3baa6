"""Publication days."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.text.dates import day_number, parse_date

REUTERS = ("%d-%b-%Y %H:%M:%S.%f", "%d-%b-%Y %H:%M:%S", "%Y%m%d")


WITH_FORMATS = [
    ("1987-02-26", (1987, 2, 26)),
    ("  1987-02-26\n", (1987, 2, 26)),
    ("1987-02-26T23:59:59Z", (1987, 2, 26)),
    ("1987-02-26 15:01", (1987, 2, 26)),
    ("26-FEB-1987 15:01:01.79", (1987, 2, 26)),
    (" 6-FEB-1987 15:01:01", (1987, 2, 6)),
    ("19870226", (1987, 2, 26)),
    ("2000-02-29", (2000, 2, 29)),
    ("26 February 1987", (1987, 2, 26)),
    *((text, None) for text in ("1900-02-29", "1987-02-30T00:00", "1987-13-01", "1987-02-261", "26 Febtober 1987", "")),
    ("31-APR-1987 15:01:01", None),
]


@pytest.mark.parametrize(("text", "expected"), WITH_FORMATS)
def test_iso_first_then_each_format_and_else_nothing(text, expected):
    assert parse_date(text, REUTERS) == (dt.date(*expected) if expected else None)


WITHOUT_FORMATS = [
    ("March 4, 2014", (2014, 3, 4)),
    ("Sept. 4, 2014", (2014, 9, 4)),
    ("Tuesday, March 4, 2014, Late Edition - Final", (2014, 3, 4)),
    ("January 1, 1989, Sunday, Home Edition", (1989, 1, 1)),
    ("Tue, 04 Mar 2014 21:15:00 GMT", (2014, 3, 4)),
    ("4th of March, 2014", (2014, 3, 4)),
    ("04-MAR-2014 15:01", (2014, 3, 4)),
    ("20140304T211500Z", (2014, 3, 4)),
    ("20070101T000000", (2007, 1, 1)),
    ("MAY 4 2014", (2014, 5, 4)),
    *((text, None) for text in ("Ma 4 2014", "March 32, 2014", "March 4, 20145", "4 o'clock 2014")),
]


@pytest.mark.parametrize(("text", "expected"), WITHOUT_FORMATS)
def test_the_usual_forms_of_newswire_are_read_without_a_format(text, expected):
    assert parse_date(text, ()) == (dt.date(*expected) if expected else None)


MOMENTS = [
    "2014-03-05T02:30:00Z",
    "2014-03-05 02:30:00+00:00",
    "20140305T023000Z",
    "Wed, 05 Mar 2014 02:30:00 GMT",
    "March 5, 2014 2:30 a.m. UTC",
    "2014-03-05T03:30:00.123+0100",
    "March 4, 2014, 9:30 PM EST",
    "1393986600",
    "1393986600000",
]


@pytest.mark.parametrize("text", MOMENTS)
def test_a_moment_with_its_zone_is_settled_to_the_day_of_the_zone_that_is_asked_for(text):
    formats = ("epoch",)
    assert parse_date(text, formats, ZoneInfo("America/New_York")) == dt.date(2014, 3, 4)
    assert parse_date(text, formats, ZoneInfo("Asia/Tokyo")) == dt.date(2014, 3, 5)


@pytest.mark.parametrize("text", ["1.39E+12", "1.3939866e+09"])
def test_seconds_that_a_spreadsheet_rounded_are_no_date(text):
    assert parse_date(text, ("epoch",)) is None


@pytest.mark.parametrize("text", ["2014-03-05", "2014-03-05T02:30:00", "March 5, 2014 2:30 a.m.", "2014-03-05T99:99Z"])
def test_a_day_without_an_instant_stays_the_day_that_is_written(text):
    assert parse_date(text, (), ZoneInfo("America/New_York")) == dt.date(2014, 3, 5)


def test_without_a_zone_to_settle_to_the_day_is_the_one_that_is_written():
    assert parse_date("2014-03-04T23:30:00-05:00", ()) == dt.date(2014, 3, 4)
    assert parse_date("2014-03-04T23:30:00-0500", ("%Y-%m-%dT%H:%M:%S%z",)) == dt.date(2014, 3, 4)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_the_ends_of_the_calendar_are_days_too(text):
    assert parse_date(text, (), ZoneInfo("America/New_York")) is not None


@given(st.text(max_size=60) | st.from_regex(r"[A-Za-z]{3,9}\.? [0-9]{1,2},? [0-9]{4}[ T,][0-9:]{1,8} ?[A-Za-z+-]{0,5}"))
def test_no_text_is_an_error(text):
    found = parse_date(text, ("epoch", "%Y%m%d"), ZoneInfo("Asia/Tokyo"))
    assert found is None or type(found) is dt.date


def test_the_first_format_that_fits_decides():
    assert parse_date("03/04/1987", ("%d/%m/%Y", "%m/%d/%Y")) == dt.date(1987, 4, 3)
    assert parse_date("03/14/1987", ("%d/%m/%Y", "%m/%d/%Y")) == dt.date(1987, 3, 14)
    assert parse_date("03/04/1987", ()) is None


DAYS = [((1970, 1, 1), 0), ((1970, 1, 2), 1), ((1969, 12, 31), -1), ((1987, 2, 26), 6265), ((2000, 3, 1), 11017)]


@pytest.mark.parametrize(("day", "number"), DAYS)
def test_days_are_counted_from_1970(day, number):
    assert day_number(dt.date(*day)) == number


EAST = {"+01:00": 60, "+05:30": 330, "+10:00": 600, " cest": 120}
WEST = {"-01:00": -60, "-0130": -90, "-23:59": -1439, " PST": -480}


@pytest.mark.parametrize(("zone", "minutes"), [*EAST.items(), *WEST.items()])
def test_an_offset_moves_the_day_at_midnight_of_the_zone_that_is_asked_for(zone, minutes):
    midnight = dt.datetime(2014, 3, 5) + dt.timedelta(minutes=minutes)
    before = midnight - dt.timedelta(minutes=1)
    assert parse_date(f"{midnight:%Y-%m-%dT%H:%M}{zone}", (), ZoneInfo("UTC")) == dt.date(2014, 3, 5)
    assert parse_date(f"{before:%Y-%m-%dT%H:%M}{zone}", (), ZoneInfo("UTC")) == dt.date(2014, 3, 4)


@pytest.mark.parametrize("zone", ["-24:00", "+24:00", "+99:59", " XYZ", "x"])
def test_an_offset_that_is_not_one_leaves_the_written_day(zone):
    assert parse_date(f"2014-03-04T23:59{zone}", (), ZoneInfo("America/New_York")) == dt.date(2014, 3, 4)
    assert parse_date(f"2014-03-04T00:00{zone}", (), ZoneInfo("Asia/Tokyo")) == dt.date(2014, 3, 4)


def test_a_leap_second_is_a_moment_too():
    assert parse_date("2014-03-05T02:30:60Z", (), ZoneInfo("America/New_York")) == dt.date(2014, 3, 4)
