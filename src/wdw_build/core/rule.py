"""What a stage declares of its rules: meaning, keys, and looser values of keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Rule:
    """Why a stage rejects an input, or refuses a part of one. It is declared beside the code of the rule.

    - ``meaning``: the rule in words.
    - ``keys``: the keys of the stage's section on which it depends, the most important one first. ``diff`` names them as causes.
    - ``looser``: keys of the section with which inputs that the rule stopped may pass, and for each how far its value is moved,
      what is appended to a list, or another text. The summary tries them on a sample (``views.dataset``). It contains no
      key whose change would let copies and faulty texts pass.
    """

    meaning: str
    keys: tuple[str, ...] = ()
    looser: Mapping[str, Any] = field(default_factory=dict)
