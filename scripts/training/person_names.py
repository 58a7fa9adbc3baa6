"""Random names of persons from many countries, from Faker's lists and from lists of name parts.

Faker (MIT) writes Arabic, Chinese, Korean and Russian names in their own scripts, and covers South Asia, Africa and
South-East Asia badly. For these, this module combines common name parts as English newswire writes them.
"""

from __future__ import annotations

import importlib
import random
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from training.layout import by_weight, word_lists

_LISTS = word_lists("persons")
LOCALES = by_weight(_LISTS["locales"])
PLAIN = re.compile(r"[A-Za-zÀ-ž][A-Za-zÀ-ž'’-]+")

AMBIGUOUS: list[str] = _LISTS["ambiguous"]
PARTICLES: list[str] = _LISTS["particles"]
REGIONS: list[dict[str, Any]] = list(_LISTS["regions"].values())
SHARE_PLAIN = 0.8
SHARE_BY_PATTERN, SHARE_REGIONAL = 0.20, 0.35
SHARE_CAPITAL_FAMILY, SHARE_SECOND_GIVEN = 0.02, 0.25


@dataclass(frozen=True)
class Name:
    """A person's name as tokens: given names and family name, and whether the family name is written first."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    family_first: bool = False

    @property
    def full(self) -> list[str]:
        """The whole name, as written."""
        parts = (*self.family, *self.given) if self.family_first else (*self.given, *self.family)
        return list(parts)

    @property
    def capital_family(self) -> list[str]:
        """The whole name with the family name in capitals, such as ``Ann JONES``."""
        family = tuple(word.upper() for word in self.family)
        return Name(self.given, family, self.family_first).full

    @property
    def initials(self) -> list[str]:
        """The name with one initial for the given names, such as ``R. Jones``."""
        return [self.given[0][0].upper() + ".", *self.family]


@cache
def _pool(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The given and family names of one locale."""
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    pools: list[tuple[str, ...]] = []
    for kind in ("first_names", "last_names"):
        words = {
            word
            for field in sorted(vars(provider))
            if field.startswith(kind) and not isinstance(getattr(provider, field), property)
            for word in getattr(provider, field)
            if PLAIN.fullmatch(str(word))
        }
        pools.append(tuple(sorted(words)))
    return pools[0], pools[1]


def all_name_parts() -> frozenset[str]:
    """All words in Faker's names of locales with Latin letters, in lower case."""
    import pkgutil

    from faker.providers import person

    locales = sorted(module.name for module in pkgutil.iter_modules(person.__path__))
    return frozenset(word.lower() for locale in locales for pool in _pool(locale) for word in pool)


def _plain(word: str) -> str:
    """Remove the diacritics, as most agencies do."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _hyphenated(draw: random.Random, parts: list[str]) -> str:
    first, second = draw.choice(parts), draw.choice(parts)
    return first.capitalize() + draw.choice(("-", "-", "")) + second


def _by_pattern(draw: random.Random) -> Name:
    kind = draw.randrange(4)
    if kind == 0:
        family = draw.choice(_LISTS["stems_russian"]) + draw.choice(_LISTS["ends_russian"])
        return Name((draw.choice(_LISTS["given_russian"]),), (family,))
    if kind == 1:
        return Name(
            (_hyphenated(draw, _LISTS["parts_korean"]),), (draw.choice(_LISTS["family_korean"]),), family_first=True
        )
    if kind == 2:
        given = _hyphenated(draw, _LISTS["parts_chinese"]).replace("-", "")
        return Name((given,), (draw.choice(_LISTS["family_chinese"]),), family_first=True)
    family = draw.choice(_LISTS["family_arabic"])
    article = draw.choice(("", "", "al-", "el-", "Al-"))
    return Name((draw.choice(_LISTS["given_arabic"]),), (article + family,))


def _initials(draw: random.Random) -> tuple[str, ...]:
    """One to three initials, written as ``M. A.``, ``M.A.`` or ``MA``."""
    letters = draw.sample("ABCDEFGHIJKLMNPRSTUVW", draw.choice((1, 1, 2, 2, 3)))
    return draw.choice((tuple(letter + "." for letter in letters), (".".join(letters) + ".",), ("".join(letters),)))


def _regional(draw: random.Random) -> Name:
    """A name of a region of ``names.toml``."""
    region = draw.choice(REGIONS)
    family_first = region.get("family_first", False)
    given = tuple(draw.choice(region["given"]).split())
    if not family_first and draw.random() < SHARE_SECOND_GIVEN:
        given += tuple(draw.choice(region["given"]).split())
    if draw.random() < region.get("initials", 0):
        given = _initials(draw)
    family = draw.choice(region["family"])
    return Name(
        given, tuple((family.upper() if draw.random() < SHARE_CAPITAL_FAMILY else family).split()), family_first
    )


def draw_name(draw: random.Random) -> Name:
    """Draw a name; one in 25 of Faker's gets a family name that is also a word or a place."""
    source = draw.random()
    if source < SHARE_BY_PATTERN:
        return _by_pattern(draw)
    if source < SHARE_BY_PATTERN + SHARE_REGIONAL:
        return _regional(draw)
    given_pool, family_pool = _pool(draw.choice(LOCALES))
    clean = _plain if draw.random() < SHARE_PLAIN else str
    given: tuple[str, ...] = (clean(draw.choice(given_pool)),)
    family: tuple[str, ...] = (clean(draw.choice(family_pool or given_pool)),)
    chance = draw.random()
    if chance < 1 / 25:
        family = (draw.choice(AMBIGUOUS),)
    elif chance < 2 / 12:
        family = (*draw.choice(PARTICLES[:-1]).split(), *family)
    elif chance < 3 / 12:
        given = (*given, draw.choice("ABCDEFGHJKLMNPRSTW") + ".")
    elif chance < 3.3 / 12:
        given = (draw.choice("ABCDEFGHJKLMNPRSTW") + ".", *given)
    elif chance < 3.6 / 12:
        family = (*family, draw.choice(("Jr.", "III", "Jr", "II")))
    elif chance < 4.2 / 12:
        family = (f"{family[0]}-{clean(draw.choice(family_pool or given_pool))}",)
    return Name(given, family)
