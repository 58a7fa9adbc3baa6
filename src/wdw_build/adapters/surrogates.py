"""The pool of invented names: given names and surnames of the package Faker, in Latin script, of many origins."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from wdw_build.text.names.matching import BEFORE_A_NAME, is_identifying
from wdw_build.text.pseudonyms.checks import COMMON_WORDS
from wdw_build.text.pseudonyms.pool import NamePool, Origin

# Raised with each change of the pool that a version of Faker gives.
_POOL = 2
# One list of Faker for each origin.
_LOCALES = (
    "az_AZ cs_CZ da_DK de_AT en_GB en_IN en_KE en_NZ es_CL es_ES et_EE fi_FI fr_BE fr_QC ha_NG hr_HR hu_HU id_ID it_IT lv_LV "
    "nl_NL no_NO pt_BR pt_PT ro_RO sk_SK sl_SI sv_SE tr_TR tw_GH uz_UZ yo_NG zu_ZA"
).split()
# Further lists of given names, which only tell the gender of real persons.
_OTHER_LOCALES = (
    "ar_PS de_CH de_DE en en_IE en_NG en_US es_AR es_CO es_MX fr_CH fr_DZ fr_FR ga_IE nl_BE pl_PL sw vi_VN".split()
)
# One word with a capital, of three letters or more, once the accents are removed as in newswire.
_NAME = re.compile(r"[A-Z][a-z]{2,13}")
_STROKES = str.maketrans("łŁøØđĐıə", "lLoOdDie")
# Czech and Slovak surnames of women.
_OF_WOMEN = re.compile(r".*ov[aá]")
_LEAST_FAMILY = 10


class FakerNames:
    """``SurrogateNames``: the lists of Faker's providers, read without drawing from them."""

    @property
    def identity(self) -> str:
        """The version of Faker, and the number of the way in which its lists are read, which costs no reading."""
        return f"faker {importlib.metadata.version('faker')}, pool {_POOL}"

    @functools.cached_property
    def pool(self) -> NamePool:
        """See ``SurrogateNames.pool``."""
        origins = tuple(origin for origin in map(_origin, _LOCALES) if len(origin.family) >= _LEAST_FAMILY)
        female, male = (_given_names(gender) for gender in ("female", "male"))
        return NamePool(origins, _mostly(female, male), _mostly(male, female))


def _origin(locale: str) -> Origin:
    provider = _provider(locale)
    female, male = (_usable(getattr(provider, f"first_names_{gender}", ())) for gender in ("female", "male"))
    both = set(female) & set(male)
    surnames = getattr(provider, "last_names_male", None) or provider.last_names
    return Origin(
        name=locale,
        female=tuple(name for name in female if name not in both),
        male=tuple(name for name in male if name not in both),
        family=_usable(name for name in surnames if not _OF_WOMEN.fullmatch(name)),
    )


def _given_names(gender: str) -> Counter[str]:
    """The folded given names of one gender, each with the number of lists that have it."""
    providers = map(_provider, [*_LOCALES, *_OTHER_LOCALES])
    lists = (getattr(provider, f"first_names_{gender}", ()) for provider in providers)
    return Counter(name for names in lists for name in {_without_accents(name).lower() for name in names})


def _mostly(one: Counter[str], other: Counter[str]) -> frozenset[str]:
    """The names that are in more than twice as many lists of one gender as of the other."""
    return frozenset(name for name, count in one.items() if count > 2 * other[name])


def _provider(locale: str) -> Any:
    return importlib.import_module(f"faker.providers.person.{locale}").Provider


def _usable(names: Iterable[str]) -> tuple[str, ...]:
    """The names of one word that are no ordinary words or titles, sorted and each once."""
    plain = {_without_accents(name) for name in names}
    return tuple(sorted(name for name in plain if _NAME.fullmatch(name) and _is_plain(name.lower())))


def _without_accents(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.translate(_STROKES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_plain(folded: str) -> bool:
    return is_identifying(folded) and folded not in COMMON_WORDS and folded not in BEFORE_A_NAME
