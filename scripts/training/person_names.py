"""Random names of persons from many countries, from Faker's lists and from lists of name parts.

Faker (MIT) writes Arabic, Chinese, Korean and Russian names in their own scripts. For these, this module combines common
name parts as English newswire writes them.
"""

from __future__ import annotations

import importlib
import random
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from training.layout import by_weight, word_lists

_LISTS = word_lists("persons")
LOCALES = by_weight(_LISTS["locales"])
PLAIN = re.compile(r"[A-Za-zÀ-ž][A-Za-zÀ-ž'’-]+")

AMBIGUOUS: list[str] = _LISTS["ambiguous"]
PARTICLES: list[str] = _LISTS["particles"]
SHARE_PLAIN = 0.8


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
    kind = draw.randrange(5)
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
    if kind == 3:
        family = draw.choice(_LISTS["family_arabic"])
        article = draw.choice(("", "", "al-", "el-", "Al-"))
        return Name((draw.choice(_LISTS["given_arabic"]),), (article + family,))
    return Name((draw.choice(_LISTS["given_south_asian"]),), (draw.choice(_LISTS["family_south_asian"]),))


def draw_name(draw: random.Random) -> Name:
    """Draw a name: two in three from Faker, of which one in 25 gets a family name that is also a word or a place."""
    if draw.random() < 1 / 3:
        return _by_pattern(draw)
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
