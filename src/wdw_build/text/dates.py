"""Publication days: parsing what corpora write, and the day number that windows count in.

A moment that is written with its zone can be settled to the day in another one: 01:30 UTC is the evening before in New
York. Without a zone to settle to, and for a moment whose zone is not written, the day is the one that is written.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from typing import NamedTuple

_EPOCH = dt.date(1970, 1, 1).toordinal()
EPOCH_FORMAT = "epoch"
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:$|[T ])")
# NITF and NewsML: 20070101T000000, 20140304T211500+0200
_ISO_BASIC = re.compile(r"(\d{4})(\d{2})(\d{2})T(?=\d{4})")
_WEEKDAY = re.compile(r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+)", re.IGNORECASE)
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
# March 4, 2014; Sept. 4, 2014; Mar 4 2014
_MONTH_FIRST = re.compile(rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)")
# 4 March 2014; 04-MAR-2014; 4th of March, 2014
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{_MONTH},?[\s-]+(?P<year>\d{{4}})(?!\d)")
_TIME = re.compile(
    r"(?:^|[T\s,]+)(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[aApP]\.?[mM]\.?)?\s*(?P<zone>Z\b|[+-]\d{2}:?\d{2}|[A-Za-z]{2,4}\b)?"
)
_ZONES = {
    "z": 0,
    "utc": 0,
    "gmt": 0,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    "bst": 1,
    "cet": 1,
    "cest": 2,
}
_MILLISECONDS = 1e11  # as seconds, the year 5138


class Moment(NamedTuple):
    """The day as it is written, and if time and zone are written too, the instant."""

    day: dt.date
    instant: dt.datetime | None = None


def day_number(day: dt.date) -> int:
    """Days since 1970-01-01."""
    return day.toordinal() - _EPOCH


def parse_date(text: str, formats: Iterable[str], zone: dt.tzinfo | None = None) -> dt.date | None:
    """The publication day: ISO 8601 first, then each ``strptime`` format, then the usual forms; None if none fits.

    A moment with a zone is settled to its day in ``zone``, if one is given.
    """
    found = _moment(text.strip(), formats)
    if found is None:
        return None
    if zone is None or found.instant is None:
        return found.day
    try:
        return found.instant.astimezone(zone).date()
    except OverflowError:  # at the two ends of the calendar
        return found.day


def _moment(text: str, formats: Iterable[str]) -> Moment | None:
    if found := _ISO.match(text) or _ISO_BASIC.match(text):
        return _with_clock(_day(*found.groups()), text[found.end() :])
    for form in formats:
        if (read := _by_format(text, form)) is not None:
            return read
    return _usual(text)


def _by_format(text: str, form: str) -> Moment | None:
    try:
        if form == EPOCH_FORMAT:
            seconds = float(text)
            instant = dt.datetime.fromtimestamp(seconds / 1000 if abs(seconds) > _MILLISECONDS else seconds, dt.UTC)
        else:
            instant = dt.datetime.strptime(text, form)
    except (ValueError, OverflowError, OSError):
        return None
    return Moment(instant.date(), instant if instant.tzinfo else None)


def _usual(text: str) -> Moment | None:
    """'Tuesday, March 4, 2014, Late Edition', 'Tue, 04 Mar 2014 21:15:00 GMT' and their like."""
    text = _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text
    found = _MONTH_FIRST.match(text) or _DAY_FIRST.match(text)
    if not found:
        return None
    number = next((at for at, name in enumerate(_MONTHS, 1) if name.startswith(found["month"].lower())), 0)
    return _with_clock(_day(found["year"], str(number), found["day"]), text[found.end() :])


def _day(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _with_clock(day: dt.date | None, rest: str) -> Moment | None:
    """The day with the time and zone that stand behind it, if both do."""
    if day is None:
        return None
    found = _TIME.match(rest)
    offset = _offset(found["zone"]) if found else None
    if not found or offset is None:
        return Moment(day)
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if found["half"]:
        hour = hour % 12 + (12 if found["half"][0] in "pP" else 0)
    try:
        return Moment(day, dt.datetime(day.year, day.month, day.day, hour, minute, min(second, 59), tzinfo=offset))
    except ValueError:
        return Moment(day)


def _offset(zone: str | None) -> dt.timezone | None:
    if not zone:
        return None
    if zone[0] in "+-":
        minutes = int(zone[1:3]) * 60 + int(zone[-2:])
        return dt.timezone(dt.timedelta(minutes=-minutes if zone[0] == "-" else minutes)) if minutes < 24 * 60 else None
    hours = _ZONES.get(zone.lower())
    return None if hours is None else dt.timezone(dt.timedelta(hours=hours))
