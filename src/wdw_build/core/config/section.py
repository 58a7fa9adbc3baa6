"""The base of every section of the configuration, and the types that sections share."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

PositiveInt = Annotated[int, Meta(ge=1)]
NonNegativeInt = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


def paper(value: Any) -> Meta:
    """Annotates the type of a key with its value in ``preset: paper``; without it, that is the default."""
    return Meta(extra={"paper": value})


# A rule that the paper does not have (docs/reference/algorithm.md, *Added*).
AddedRule = Annotated[bool, paper(False)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the configuration's sections. The string below a key is its description."""
