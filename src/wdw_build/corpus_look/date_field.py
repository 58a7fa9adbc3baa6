"""Guesses which field of a row is the date of publication, and how its values are read."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from wdw_build.text.dates import DAY_FIRST, EPOCH_FORMAT, MONTH_FIRST, USUAL_FORMATS, parse_date

# The share of a field's values that must be of its kind, and the characters of an example that are shown.
MOST, SHOWN = 0.9, 40
# Names of fields that rather have the time at which a page was downloaded or changed; other names of dates are preferred.
_NOT_PUBLICATION = re.compile("timestamp|scrap|crawl|fetch|retriev|download|access|modif|updat", re.IGNORECASE)
# Formats that are not read without being named. Numeric dates are left to ``ingest``, which looks at the whole corpus.
_DATE_FORMATS = (
    "%d/%m/%y",
    "%d.%m.%y",
    "%d-%b-%y",
    "%m/%d/%y",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S",
    "%Y%m%d%H%M%S",
    "%Y.%m.%d",
    "%a %b %d %H:%M:%S %z %Y",
    EPOCH_FORMAT,
)
_UNNAMED = (*USUAL_FORMATS, DAY_FIRST, MONTH_FIRST)
# Years of dates, and of seconds since 1970: a number that gives another year, such as 17, is no date.
_YEARS = (range(1800, 2101), range(1980, 2101))
# A field with the name of a date is one if half of its values are: scraped pages also have "3 days ago".
_HALF = 0.5
# If the dates of a corpus lie within so few days and those of another field do not, they may be times of scraping.
_FEW_DAYS = 7

Values = Sequence[Any]


def date_field(
    columns: Mapping[str, Values], named: Sequence[str], others: Sequence[str]
) -> tuple[str | None, list[str]]:
    """The field to read as the date, and a note with an example of each if other fields could be the date, too.

    ``named`` have usual names, the best one first; ``others`` are tried last. Names that mean publication are preferred if half
    of the values are dates.
    """
    downloaded = [name for name in columns if _NOT_PUBLICATION.search(name.rpartition(".")[2])]
    published = [name for name in named if name not in downloaded]
    partly = [name for name in published if is_date(columns[name], _HALF)]
    of_download = [name for name in downloaded if is_date(columns[name])]
    whole = (name for name in partly if is_date(columns[name]))
    without_name = (name for name in others if is_date(columns[name]))
    chosen = next(itertools.chain(whole, partly, of_download, without_name), None)
    if chosen is None:
        return None, []
    # If the name of the chosen field does not mean publication, a field that cannot be read may be the right one.
    likely = partly if chosen in published else [name for name in published if columns[name]]
    also = [name for name in dict.fromkeys((*likely, *of_download)) if name != chosen and _has_digit(columns[name])]
    return chosen, [_other_dates(columns, chosen, also, is_download=chosen in of_download)] if also else []


def _has_digit(values: Values) -> bool:
    """Whether any value has a digit; a mark such as ``published: true`` is no date."""
    return any(map(str.isdigit, "".join(map(str, values))))


def _other_dates(columns: Mapping[str, Values], chosen: str, also: Sequence[str], *, is_download: bool) -> str:
    """The note with an example of the chosen field and of the others."""
    days = {name: _days(columns[name], (*_UNNAMED, *formats(columns[name]))) for name in (chosen, *also)}
    shown = [
        f"{name!r}: {str(columns[name][0])[:SHOWN]!r} ({len(days[name])} of {len(columns[name])} can be read)"
        for name in days
    ]
    spans = [(max(of_field) - min(of_field)).days if of_field else 0 for of_field in days.values()]
    few = "; its dates lie within a few days" * (spans[0] <= _FEW_DAYS < max(spans))
    why = "; its name may mean the time of scraping" * is_download
    return f"several fields could be the date; the first one is read{why}{few}: {', or '.join(shown)}"


def formats(values: Values) -> tuple[str, ...]:
    """The format to name so that the dates are read; empty if they are read anyway."""
    if _share(values, _UNNAMED) >= MOST:
        return ()
    shares = {form: _share(values, (form,)) for form in _DATE_FORMATS}
    best = [form for form, share in shares.items() if share == max(shares.values()) > _share(values, _UNNAMED)]
    # Two forms that read the dates equally well read them as different days: neither is guessed.
    return (best[0],) if len(best) == 1 else ()


def _share(values: Values, forms: Sequence[str]) -> float:
    return len(_days(values, forms)) / max(1, len(values))


def _days(values: Values, forms: Sequence[str]) -> list[dt.date]:
    whole = (int(value) if isinstance(value, float) and value.is_integer() else value for value in values)
    days = [parse_date(str(value), forms) for value in whole]
    years = _YEARS[EPOCH_FORMAT in forms]
    return [day for day in days if day is not None and day.year in years]


def is_date(values: Values, most: float = MOST) -> bool:
    """Whether at least a share of the values are dates."""
    scalars = [value for value in values if not isinstance(value, list | bool)]
    return bool(scalars) and _share(scalars, (*_UNNAMED, *formats(scalars))) >= most
