"""Publication days: parsing what corpora write, and the day number that windows count in."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

_EPOCH = dt.date(1970, 1, 1).toordinal()
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:$|[T ])")


def day_number(day: dt.date) -> int:
    """Days since 1970-01-01."""
    return day.toordinal() - _EPOCH


def parse_date(text: str, formats: Iterable[str]) -> dt.date | None:
    """The publication day: ISO 8601 first, then each ``strptime`` format; None if none fits."""
    text = text.strip()
    if found := _ISO.match(text):
        try:
            return dt.date(*(int(group) for group in found.groups()))
        except ValueError:
            return None
    for form in formats:
        try:
            return dt.datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None
