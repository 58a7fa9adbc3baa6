"""Whether a text is English, by py3langid (Lui & Baldwin 2012, "langid.py: An off-the-shelf language identification tool").

A naive Bayes model of byte sequences knows 139 languages. Loading takes under a second; a text of 1,000 characters takes about a
millisecond. ``docs/development/document-kinds.md`` compares it with Lingua.
"""

from __future__ import annotations

import functools
from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.core.rounding import DECIMALS

_PACKAGE, _ENGLISH = "py3langid", "en"


class LangidDetector:
    """``LanguageDetector`` by py3langid."""

    @property
    def identity(self) -> str:
        """The library and its version. Raises ``MissingResourceError`` if it is not installed."""
        return f"langid, {_PACKAGE} {installed_version(_PACKAGE, 'the language detector')}"

    def english(self, text: str) -> float:
        """The probability that a text is English, rounded to 3 decimals.

        The sums of the model differ between processors by less than a millionth; rounding hides that unless a probability is
        as close as that to the middle between two thousandths.
        """
        return round(float(dict(_identifier().rank(text))[_ENGLISH]), DECIMALS)


@functools.cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
