"""Parses publication dates in the formats that corpora use, and converts dates to day numbers for windows.

A time with a time zone can be converted to the date in another zone: 01:30 UTC is the evening before in New York. Without
this conversion, or without a time zone, the date stays as written.

A single numeric date does not say which of its numbers is the day: 05/09/2016 is September 5 or May 9. All dates of a corpus
usually do: 21/09/2016 can only have the day first. ``DateOrders`` counts what each date allows, and its counts can be added
up over the blocks of a corpus.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wdw_build.errors import ConfigError
from wdw_build.text.counts import ExampleCounts
from wdw_build.text.lexicon import MONTHS, WEEKDAY_START

_EPOCH = dt.date(1970, 1, 1).toordinal()
EPOCH_FORMAT = "epoch"
# Names of formats for numeric dates with any of the separators / . - and a time or none: 5/9/2016, 05.09.2016 14:30.
DAY_FIRST, MONTH_FIRST = "day-first", "month-first"
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:$|[T ])")
# NITF and NewsML: 20070101T000000, 20140304T211500+0200
_ISO_BASIC = re.compile(r"(\d{4})(\d{2})(\d{2})T(?=\d{4})")
_WEEKDAY = re.compile(rf"(?:{WEEKDAY_START}[a-z]{{0,6}}\.?,?\s+)", re.IGNORECASE)
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
# March 4, 2014; Sept. 4, 2014; Mar 4 2014
_MONTH_FIRST = re.compile(rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})(?!\d)")
# 4 March 2014; 04-MAR-2014; 4th of March, 2014
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?{_MONTH},?[\s-]+(?P<year>\d{{4}})(?!\d)")
_NUMERIC = re.compile(r"(?P<first>\d{1,2})(?P<sign>[/.-])(?P<second>\d{1,2})(?P=sign)(?P<year>\d{4})(?=$|[T ,])")
_TIME = re.compile(
    r"(?:^|[T\s,]+)(?P<hour>\d{1,2}):?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[aApP]\.?[mM]\.?)?\s*(?P<zone>Z\b|[+-]\d{2}:?\d{2}|[A-Za-z]{2,4}\b)?"
)
_ZONES = {"z": 0, "utc": 0, "gmt": 0, "bst": 1, "cet": 1, "cest": 2}
_ZONES |= {"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7}
# Larger numbers are milliseconds: as seconds, this one is in the year 5138.
MILLISECONDS = 1e11


class Moment(NamedTuple):
    """The date as written, and the instant if time and zone are written too."""

    day: dt.date
    instant: dt.datetime | None = None


def day_number(day: dt.date) -> int:
    """Days since 1970-01-01."""
    return day.toordinal() - _EPOCH


def date_of(day: int) -> dt.date:
    """The date of a day number."""
    return dt.date.fromordinal(day + _EPOCH)


def parse_date(text: str, formats: Iterable[str], zone: dt.tzinfo | None = None) -> dt.date | None:
    """The publication date: ISO 8601 first, then each format, then forms with a month's name; None if no format matches.

    A format is one of ``strptime``, ``EPOCH_FORMAT``, ``DAY_FIRST`` or ``MONTH_FIRST``. A time with a zone is converted to
    its date in ``zone``, if one is given.
    """
    moment = _moment(text.strip(), formats)
    if moment is None:
        return None
    if zone is None or moment.instant is None:
        return moment.day
    try:
        return moment.instant.astimezone(zone).date()
    except OverflowError:  # at the two ends of the calendar
        return moment.day


def _moment(text: str, formats: Iterable[str]) -> Moment | None:
    if iso := _ISO.match(text) or _ISO_BASIC.match(text):
        return _with_time(_day(*iso.groups()), text[iso.end() :])
    for date_format in formats:
        if (moment := _by_format(text, date_format)) is not None:
            return moment
    return _common_form(text)


def numeric_dates(text: str) -> tuple[dt.date | None, dt.date | None] | None:
    """The dates of a numeric text with the day first and with the month first; None if it has neither."""
    day_first, month_first = (_numeric(text.strip(), order) for order in (DAY_FIRST, MONTH_FIRST))
    if day_first is None and month_first is None:
        return None
    return day_first and day_first.day, month_first and month_first.day


def _numeric(text: str, order: str) -> Moment | None:
    text = _without_weekday(text)
    match = _NUMERIC.match(text)
    if match is None:
        return None
    day, month = match["first"], match["second"]
    if order == MONTH_FIRST:
        day, month = month, day
    return _with_time(_day(match["year"], month, day), text[match.end() :])


def _by_format(text: str, date_format: str) -> Moment | None:
    if date_format in (DAY_FIRST, MONTH_FIRST):
        return _numeric(text, date_format)
    try:
        if date_format == EPOCH_FORMAT:
            # A number with an exponent was rounded by a spreadsheet.
            seconds = float(text if "e" not in text.lower() else "none")
            instant = dt.datetime.fromtimestamp(seconds / 1000 if abs(seconds) > MILLISECONDS else seconds, dt.UTC)
        else:
            instant = dt.datetime.strptime(text, date_format)
    except (ValueError, OverflowError, OSError):
        return None
    return Moment(instant.date(), instant if instant.tzinfo else None)


def _common_form(text: str) -> Moment | None:
    """The date in forms such as 'Tuesday, March 4, 2014, Late Edition' and 'Tue, 04 Mar 2014 21:15:00 GMT'."""
    text = _without_weekday(text)
    date = _MONTH_FIRST.match(text) or _DAY_FIRST.match(text)
    if not date:
        return None
    month = next((number for number, name in enumerate(MONTHS, 1) if name.startswith(date["month"].lower())), 0)
    return _with_time(_day(date["year"], str(month), date["day"]), text[date.end() :])


def _without_weekday(text: str) -> str:
    return _WEEKDAY.sub("", text, count=1) if _WEEKDAY.match(text) else text


def _day(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


def _with_time(day: dt.date | None, rest: str) -> Moment | None:
    """The date, and the instant if a time and a zone follow the date."""
    if day is None:
        return None
    time = _TIME.match(rest)
    offset = _offset(time["zone"]) if time else None
    if not time or offset is None:
        return Moment(day)
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"]:
        hour = hour % 12 + (12 if time["half"][0] in "pP" else 0)
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


# ---- the order of day and month ---------------------------------------------------------------------------------------

# Formats that are read without ``ingest.date_formats``, besides ISO 8601 and dates with the name of a month.
USUAL_FORMATS = ("%Y%m%d",)
_IN_WORDS = {DAY_FIRST: "day/month/year", MONTH_FIRST: "month/day/year"}
_LONGEST_SHOWN = 40
_EITHER = "either"
_AS_STRPTIME = {DAY_FIRST: "%d/%m/%Y", MONTH_FIRST: "%m/%d/%Y"}


class DateOrders(ExampleCounts):
    """The numeric dates of a corpus by the order of day and month that they allow; other dates are not counted.

    The kinds are ``DAY_FIRST`` and ``MONTH_FIRST`` for dates that exist in this order only, and ``_EITHER`` for dates that are
    two different days in the two orders. A date that is the same day in both, such as 05/05/2016, is not counted either.
    """

    def count(self, text: str, place: str) -> None:
        """Count a date as it is written; ``place`` says where."""
        dates = numeric_dates(text)
        if dates is None or dates[0] == dates[1]:
            return
        kind = _EITHER if all(dates) else DAY_FIRST if dates[0] else MONTH_FIRST
        self.note(kind, f"{text.strip()[:_LONGEST_SHOWN]!r} ({place})")

    @property
    def is_ambiguous(self) -> bool:
        """Whether dates are two days in the two orders, and no other date shows the order."""
        return bool(self.number(_EITHER)) and not self.order

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats to read: the usual ones, and the order of the numeric dates.

        Raises ``ConfigError`` if both orders fit all dates, or if neither does.
        """
        if self.number(DAY_FIRST) and self.number(MONTH_FIRST):
            raise ConfigError(
                f"the dates of the corpus mix two orders: {self.counts[DAY_FIRST]} such as {self.examples[DAY_FIRST]} can "
                f"only be day/month/year, and {self.counts[MONTH_FIRST]} such as {self.examples[MONTH_FIRST]} only "
                "month/day/year",
                hint="write all dates of the corpus as YYYY-MM-DD; or set ingest.date_formats to [day-first] or "
                "[month-first], which rejects dates that can only be in the other order",
            )
        if self.is_ambiguous:
            raise ConfigError(
                f"dates such as {self.examples[_EITHER]} are ambiguous: all {self.counts[_EITHER]} of them can be "
                "day/month/year or month/day/year",
                hint="set ingest.date_formats to [day-first] or to [month-first]",
            )
        # Without a date that decides, all numeric dates are the same days in both orders.
        return (*USUAL_FORMATS, self.order or DAY_FIRST)

    @property
    def order(self) -> str:
        """``DAY_FIRST`` or ``MONTH_FIRST`` if some date exists in this order only; else empty."""
        return next((order for order in (DAY_FIRST, MONTH_FIRST) if self.number(order)), "")

    @property
    def in_words(self) -> str:
        """How the numeric dates are read, and why; empty if all dates are clear without the others."""
        if not self.order or not self.number(_EITHER):
            return ""
        decisive = self.number(self.order)
        number = f"{decisive:,} date{'s' * (decisive != 1)}"
        return (
            f"dates such as {self.examples[_EITHER]} are read as {_IN_WORDS[self.order]}: {number}, such as "
            f"{self.examples[self.order]}, can be read in no other order"
        )


def check_formats(formats: Sequence[str]) -> None:
    """Raise ``ConfigError`` for a format that reads no day, and for one whose dates an earlier format reads otherwise."""
    day = dt.datetime(2003, 2, 4, 12, tzinfo=dt.UTC)
    for name in formats:
        text = str(int(day.timestamp())) if name == EPOCH_FORMAT else day.strftime(_AS_STRPTIME.get(name, name))
        if parse_date(text, [name]) != day.date():
            raise ConfigError(
                f"ingest.date_formats: {name!r} does not read day, month and year",
                hint="use codes of Python's strptime, such as '%d.%m.%Y'; or day-first, month-first, epoch",
            )
        if parse_date(text, formats) != day.date():
            earlier = next(other for other in formats if parse_date(text, [other]) not in (None, day.date()))
            raise ConfigError(
                f"ingest.date_formats: {earlier!r} and {name!r} read {text!r} as different days",
                hint="keep the format that the corpus uses",
            )
