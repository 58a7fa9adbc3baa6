"""What a stage declares of its rules: meaning, keys, and what another value of a key would let pass."""

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
    - ``number``: the number of a rejected article that is compared with the first key, from a rejection and the records of the
      stage's primary input.
    - ``steps``: how far the first key may be moved to see how many more articles pass, the first step with any being shown.
      After a step above 0, lower numbers pass.
    - ``can_be_off``: the value 0 or false of the first key switches it off, and every article that it rejected then stays.
    """

    meaning: str
    keys: tuple[str, ...] = ()
    steps: tuple[float, ...] = ()
    number: Callable[[Rejection, Find], float] | None = None
    can_be_off: bool = False
