"""Guesses which field of a row is the date of publication, and how its values are read."""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from wdw_build.text.dates import DAY_FIRST, EPOCH_FORMAT, MILLISECONDS, MONTH_FIRST, USUAL_FORMATS, parse_date

# The share of a field's values that must be of its kind, and the characters of an example that are shown.
MOST, SHOWN = 0.9, 40
# Names of fields with the time at which a page was changed or stored, or at which it was downloaded: other dates are preferred.
_OF_CHANGE = re.compile("timestamp|modif|updat|insert|added", re.IGNORECASE)
_OF_CRAWL = re.compile("scrap|crawl|fetch|retriev|download|access|harvest|warc", re.IGNORECASE)
# Other names that a field with a date of publication may have.
_OF_DATE = re.compile("date|publi|posted|issued|released", re.IGNORECASE)
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

_CHECK = "check that they are the days of publication"

Values = Sequence[Any]


def date_field(
    columns: Mapping[str, Values], named: Sequence[str], others: Sequence[str]
) -> tuple[str | None, list[str]]:
    """The field to read as the date, and a note with an example of each if other fields could be the date, too.

    ``named`` have usual names, the best one first; ``others`` are tried last. Names that mean publication are preferred if half
    of the values are dates.
    """
    published = [name for name in named if not is_of_page(name)]
    partly = [name for name in published if is_date(columns[name], _HALF)]
    whole = [name for name in partly if is_date(columns[name])]
    unusual = [name for name in columns if name not in named and not is_of_page(name) and _OF_DATE.search(_last(name))]
    # A change of the page is nearer to the day of publication than its download.
    of_page = sorted(filter(is_of_page, columns), key=_is_of_crawl)
    dates_of_page = [name for name in of_page if is_date(columns[name])]
    dated = (name for name in (*unusual, *dates_of_page, *others) if is_date(columns[name]))
    chosen = next(itertools.chain(whole, partly, dated), None)
    if chosen is None:
        return None, []
    # If the name of the chosen field does not mean publication, a field that cannot be read may be the right one.
    likely = partly if chosen in published else [name for name in published if columns[name]]
    also = [name for name in dict.fromkeys((*likely, *dates_of_page)) if name != chosen and _has_digit(columns[name])]
    return chosen, _notes(columns, chosen, also)


def is_of_page(name: str) -> bool:
    """Whether a field rather has the time at which a page was changed, stored or downloaded than the date of publication."""
    return bool(_OF_CHANGE.search(_last(name))) or _is_of_crawl(name)


def _is_of_crawl(name: str) -> bool:
    return bool(_OF_CRAWL.search(_last(name)))


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _has_digit(values: Values) -> bool:
    """Whether any value has a digit; a mark such as ``published: true`` is no date."""
    return any(map(str.isdigit, "".join(map(str, values))))


def _notes(columns: Mapping[str, Values], chosen: str, also: Sequence[str]) -> list[str]:
    """A note with an example of each field that could be the date, if several could; and one if the dates are those of a crawl."""
    notes = []
    if also:
        days = {name: _days(columns[name], (*_UNNAMED, *formats(columns[name]))) for name in (chosen, *also)}
        examples = [
            f"{name!r}: {str(columns[name][0])[:SHOWN]!r} ({len(days[name])} of {len(columns[name])} can be read)"
            for name in days
        ]
        spans = [(max(of_field) - min(of_field)).days if of_field else 0 for of_field in days.values()]
        few = "; its dates lie within a few days" * (spans[0] <= _FEW_DAYS < max(spans))
        why = "; its name may mean the time of scraping" * is_of_page(chosen)
        notes.append(f"several fields could be the date; the first one is read{why}{few}: {', or '.join(examples)}")
    elif is_of_page(chosen):
        notes.append(f"the name of the date, {chosen!r}, may mean the time of scraping: {_CHECK}")
    if equal := next((name for name in also if _is_of_crawl(name) and _agree(columns[chosen], columns[name])), ""):
        notes.append(f"the dates in {chosen!r} agree to the second with {equal!r}, the time of scraping: {_CHECK}")
    return notes


def _agree(dates: Values, others: Values) -> bool:
    """Whether most of the values of two fields are the same instant, to the second."""
    pairs = [(_instant(date), _instant(other)) for date, other in zip(dates, others, strict=False)]
    differences = [abs((date - other).total_seconds()) for date, other in pairs if date and other]
    same = sum(difference <= 1 for difference in differences)
    return len(dates) == len(others) and same >= max(1, MOST * len(dates))


def _instant(value: object) -> dt.datetime | None:
    """The instant of a time stamp, in UTC unless it has another zone; None without a time of the day."""
    text = str(value).strip()
    try:
        number = float(text)
        instant = dt.datetime.fromtimestamp(number / 1000 if abs(number) > MILLISECONDS else number, dt.UTC)
    except (ValueError, OverflowError, OSError):
        try:
            instant = dt.datetime.fromisoformat(text)
        except ValueError:
            return None
    instant = instant if instant.tzinfo else instant.replace(tzinfo=dt.UTC)
    return instant if instant.time() != dt.time() else None


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
