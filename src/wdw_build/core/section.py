"""The base of every section of the configuration, and the types that sections share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from wdw_build.errors import ConfigError

# Java, which searches the index, has whole numbers of 32 bits.
LARGEST_INT = 2**31 - 1
PositiveInt = Annotated[int, Meta(ge=1, le=LARGEST_INT)]
NonNegativeInt = Annotated[int, Meta(ge=0, le=LARGEST_INT)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


def paper(value: Any) -> Meta:
    """Annotates the type of a key with its value in ``preset: paper``; without it, that is the default."""
    return Meta(extra={"paper": value})


# A rule that the paper does not have (docs/reference/algorithm.md, *Added*). It is no key: ``rules.off`` names the rules that
# are off.
AddedRule = Annotated[bool, Meta(extra={"paper": False, "rule": True})]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the configuration's sections. The string below a key is its description."""


def refuse_empty_range(low_key: str, low: int, high_key: str, high: int) -> None:
    """Raise ``ConfigError`` if the lower bound is above the upper bound."""
    if low > high:
        raise ConfigError(
            f"{low_key} ({low}) is above {high_key} ({high})", hint=f"lower {low_key}, or raise {high_key}"
        )


def refuse_repeats(key: str, values: Iterable[str], what: str) -> None:
    """Raise ``ConfigError`` if a list names a value twice."""
    for name, count in Counter(values).items():
        if count > 1:
            raise ConfigError(f"{key} has {name!r} {count} times", hint=f"name each {what} once")
