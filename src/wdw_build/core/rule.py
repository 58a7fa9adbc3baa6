"""What a stage declares of its rules and limits: meaning, keys, and what another value of a key would let pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wdw_build.records import Rejection

# Id -> record of one stage, or None.
Find = Callable[[str], Any]


@dataclass(frozen=True)
class Rule:
    """Why a stage rejects an input, or refuses a part of one. It is declared beside the code of the rule.

    - ``meaning``: the rule in words.
    - ``keys``: the keys of the stage's section on which it depends, the most important one first. ``diff`` names them as causes.
    - ``steps``: how far the first key may be moved to see how many more articles pass, the first step with any being shown. The
      detail of a refusal begins with the number that is compared with the key: of a step above 0, lower numbers pass.
    - ``number``: that number if the detail does not have it, from a rejection and the records of the stage's primary input.
    - ``can_be_off``: the value 0 or false of the first key switches it off, and every article that it rejected then stays.
    """

    meaning: str
    keys: tuple[str, ...] = ()
    steps: tuple[float, ...] = ()
    number: Callable[[Rejection, Find], float] | None = None
    can_be_off: bool = False


@dataclass(frozen=True)
class Limit:
    """A key of a stage that limits the yield, although no rejection names it.

    ``reached`` gets the settings of the stage, a rejection by the stage ``rejected_by`` (empty: the stage itself), and the
    records of the stage; it says whether the article reached the limit.
    """

    key: str
    reached: Callable[[Any, Rejection, Find], bool]
    meaning: str = ""
    rejected_by: str = ""
