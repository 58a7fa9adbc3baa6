"""Words and sentences of raw text, for overlap tests and the n-gram model. The models' own tokens are another matter.

Words are runs of letters and digits, casefolded. Language-model tokens are Penn-like (punctuation and clitics apart,
case kept); questions and corpus go through the same function, so that both sides of the model agree. Sentences come
from NLTK's Punkt with the abbreviations of news text.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from wdw_build.text.sentences import nltk_parts

_WORD = re.compile(r"[^\W_]+")
_LM_PATTERN = (
    r"(?:[^\W\d_]\.){2,}"  # U.S.
    r"|\d+(?:[.,:/]\d+)*"  # 1,234.5
    r"|[^\W\d_]+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    r"|[^\W_]+(?:(?:-|['’](?!(?:s|re|ve|ll|d|m|t)\b))[^\W_]+)*"  # Ki-moon, O'Brien
    r"|[^\w\s\x1c-\x1f]|_"
)
_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE)
# The same for texts of ASCII alone, as nearly all are, in half the time: no letter need be looked up.
_ASCII_WORD = re.compile("[a-z0-9]+")
_ASCII_LM_TOKENS = re.compile(_LM_PATTERN, re.IGNORECASE | re.ASCII)
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sen rep gov gen lt col maj capt cmdr adm sgt cpl pvt rev hon st jr sr vs inc corp co ltd bros "
    "jan feb mar apr jun jul aug sept sep oct nov dec mon tue wed thu fri sat sun no nos vol dept univ assn ave blvd "
    "u.s u.n u.k e.u a.m p.m d.c i.e e.g etc ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn "
    "miss mo mont neb nev okla ore pa tenn tex va vt wash wis wyo messrs supt insp det mgr fr sra srta".split()
)
_CACHED = 1 << 16
_FLAGS = re.UNICODE | re.VERBOSE | re.MULTILINE


def words(text: str) -> list[str]:
    """The casefolded words of a text, in order."""
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return [word.casefold() for word in _WORD.findall(text)]


def lm_tokens(text: str) -> list[str]:
    """Tokens for the n-gram model, case kept."""
    return (_ASCII_LM_TOKENS if text.isascii() else _LM_TOKENS).findall(text)


@functools.cache
def _punkt() -> Any:
    punkt = nltk_parts.load("nltk.tokenize.punkt")

    class Variables(punkt.PunktLanguageVars):  # type: ignore[name-defined, misc]  # NLTK is untyped
        """Punkt's own patterns in Python's ``re``: none of them can run away, and NLTK's guard takes most of the time."""

        __slots__ = ()
        _contexts, _words, re_boundary_realignment = (
            re.compile(pattern.pattern, pattern.flags & _FLAGS)
            for own in [punkt.PunktLanguageVars()]
            for pattern in (own.period_context_re(), own._word_tokenizer_re(), own.re_boundary_realignment)
        )

        def period_context_re(self) -> re.Pattern[str]:
            return self._contexts

        def _word_tokenizer_re(self) -> re.Pattern[str]:
            return self._words

    class Cutter(punkt.PunktSentenceTokenizer):  # type: ignore[name-defined, misc]  # NLTK is untyped
        """Punkt, which remembers what it decided on the words around a full stop: it looks at nothing else."""

        @functools.lru_cache(_CACHED)  # noqa: B019 (there is one for the process)
        def text_contains_sentbreak(self, text: str) -> bool:
            return bool(super().text_contains_sentbreak(text))

    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    return Cutter(parameters, lang_vars=Variables())


def sentences(text: str) -> list[str]:
    """The sentences of a text; a paragraph's end always ends a sentence."""
    return [
        sentence for paragraph in text.split("\n\n") if paragraph.strip() for sentence in _punkt().tokenize(paragraph)
    ]
