"""Where a name begins: initials that a tagger leaves outside a mention belong to it ("J.R. [Simmonds]")."""

from __future__ import annotations

import re
from collections.abc import Sequence

_INITIALS = re.compile(r"^(?:[A-Z]\.)+$|^[A-Z]\.?-[A-Z]\.$")

_PLACES = frozenset({"U.S.", "U.N.", "U.K.", "E.U.", "D.C.", "U.S.S.R.", "A.M.", "P.M."})


def over_initials(words: Sequence[str], start: int) -> int:
    """The first token of a mention that starts at ``start``, initials directly before it taken in.

    "U.S." and "U.N." are initials of other things.
    """
    while start and _INITIALS.match(words[start - 1]) and words[start - 1] not in _PLACES:
        start -= 1
    return start
