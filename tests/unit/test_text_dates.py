"""Publication days."""

import datetime as dt

import pytest

from wdw_build.text.dates import day_number, parse_date

REUTERS = ("%d-%b-%Y %H:%M:%S.%f", "%d-%b-%Y %H:%M:%S", "%Y%m%d")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1987-02-26", (1987, 2, 26)),
        ("  1987-02-26\n", (1987, 2, 26)),
        ("1987-02-26T23:59:59Z", (1987, 2, 26)),
        ("1987-02-26 15:01", (1987, 2, 26)),
        ("26-FEB-1987 15:01:01.79", (1987, 2, 26)),
        (" 6-FEB-1987 15:01:01", (1987, 2, 6)),
        ("19870226", (1987, 2, 26)),
        ("2000-02-29", (2000, 2, 29)),
        ("1900-02-29", None),
        ("1987-02-30T00:00", None),
        ("1987-13-01", None),
        ("1987-02-261", None),
        ("31-APR-1987 15:01:01", None),
        ("26 February 1987", None),
        ("", None),
    ],
)
def test_iso_first_then_each_format_and_else_nothing(text, expected):
    assert parse_date(text, REUTERS) == (dt.date(*expected) if expected else None)


def test_the_first_format_that_fits_decides():
    assert parse_date("03/04/1987", ("%d/%m/%Y", "%m/%d/%Y")) == dt.date(1987, 4, 3)
    assert parse_date("03/14/1987", ("%d/%m/%Y", "%m/%d/%Y")) == dt.date(1987, 3, 14)
    assert parse_date("03/04/1987", ()) is None


@pytest.mark.parametrize(
    ("day", "number"),
    [((1970, 1, 1), 0), ((1970, 1, 2), 1), ((1969, 12, 31), -1), ((1987, 2, 26), 6265), ((2000, 3, 1), 11017)],
)
def test_days_are_counted_from_1970(day, number):
    assert day_number(dt.date(*day)) == number
