"""Finds out whether the numeric dates of a corpus, such as 05/09/2016, have the day or the month first.

A single date does not say: 05/09/2016 is September 5 or May 9. All dates of a corpus usually do: 21/09/2016 can only have the
day first. ``DateOrders`` counts what each date allows, and its counts can be added up over the blocks of a corpus.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import msgspec

from wdw_build.errors import ConfigError
from wdw_build.text.dates import DAY_FIRST, EPOCH_FORMAT, MONTH_FIRST, numeric_dates, parse_date

# Formats that are read without ``ingest.date_formats``, besides ISO 8601 and dates with the name of a month.
USUAL_FORMATS = ("%Y%m%d",)
_IN_WORDS = {DAY_FIRST: "day/month/year", MONTH_FIRST: "month/day/year"}
_LONGEST_SHOWN = 40
_AS_STRPTIME = {DAY_FIRST: "%d/%m/%Y", MONTH_FIRST: "%m/%d/%Y"}


class _Seen(msgspec.Struct):
    """How many dates of one kind there are, and the first one with its place."""

    count: int = 0
    example: str = ""

    def add(self, count: int, example: str) -> None:
        self.count += count
        self.example = self.example or example


class DateOrders(msgspec.Struct):
    """The numeric dates of a corpus by the orders of day and month that they allow; other dates are not counted.

    A date that is the same day in both orders, such as 05/05/2016, is not counted either.
    """

    day_first: _Seen = msgspec.field(default_factory=_Seen)
    """Dates that exist only with the day first."""
    month_first: _Seen = msgspec.field(default_factory=_Seen)
    """Dates that exist only with the month first."""
    either: _Seen = msgspec.field(default_factory=_Seen)
    """Dates that are two different days in the two orders."""

    def count(self, text: str, place: str) -> None:
        """Count a date as it is written; ``place`` says where."""
        dates = numeric_dates(text)
        if dates is None or dates[0] == dates[1]:
            return
        seen = self.either if all(dates) else self.day_first if dates[0] else self.month_first
        seen.add(1, f"{text.strip()[:_LONGEST_SHOWN]!r} ({place})")

    def add(self, later: DateOrders) -> None:
        """Add the counts of a later block."""
        for name in self.__struct_fields__:
            seen: _Seen = getattr(later, name)
            getattr(self, name).add(seen.count, seen.example)

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats to read: the usual ones, and the order of the numeric dates.

        Raises ``ConfigError`` if both orders fit all dates, or if neither does.
        """
        if self.day_first.count and self.month_first.count:
            raise ConfigError(
                f"the dates of the corpus mix two orders: {self.day_first.count} such as {self.day_first.example} can "
                f"only be day/month/year, and {self.month_first.count} such as {self.month_first.example} only "
                "month/day/year",
                hint="write all dates of the corpus as YYYY-MM-DD; or set ingest.date_formats to [day-first] or "
                "[month-first], which rejects dates that can only be in the other order",
            )
        if self.either.count and not self.order:
            raise ConfigError(
                f"dates such as {self.either.example} are ambiguous: all {self.either.count} of them can be "
                "day/month/year or month/day/year",
                hint="set ingest.date_formats to [day-first] or to [month-first]",
            )
        # Without a date that decides, all numeric dates are the same days in both orders.
        return (*USUAL_FORMATS, self.order or DAY_FIRST)

    @property
    def order(self) -> str:
        """``DAY_FIRST`` or ``MONTH_FIRST`` if some date exists in this order only; else empty."""
        if self.day_first.count:
            return DAY_FIRST
        return MONTH_FIRST if self.month_first.count else ""

    @property
    def in_words(self) -> str:
        """How the numeric dates are read, and why; empty if all dates are clear without the others."""
        if not self.order or not self.either.count:
            return ""
        decisive = self.day_first if self.order == DAY_FIRST else self.month_first
        number = f"{decisive.count:,} date{'s' * (decisive.count != 1)}"
        return (
            f"dates such as {self.either.example} are read as {_IN_WORDS[self.order]}: {number}, such as "
            f"{decisive.example}, can be read in no other order"
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
