"""Reading conditions: what systems read of a problem.

Names of persons are those of the text or codes; and the passage is shown, or a list of the choices replaces it.
"""

from __future__ import annotations

from typing import get_args

import msgspec

from wdw_build.api import hash_order
from wdw_build.reading import LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.reading.settings import Condition
from wdw_build.records import Names, TokenSpan, pack_spans

CONDITIONS: tuple[Condition, ...] = get_args(Condition)
PASSAGE: Condition = "passage"
# The condition under which systems read a passage with these names.
WITH_NAMES: dict[Names, Condition] = {"original": PASSAGE, "codes": "codes"}
# Pairs of conditions that are compared: what the passage adds, and what the original names add.
PAIRS: tuple[tuple[Condition, Condition], ...] = (
    ("passage", "without"),
    ("codes", "codes-without"),
    ("passage", "codes"),
)

_SEPARATOR, _END = " ; ", " ."


def without_passage(labelled: LabelledProblem, seed: int) -> LabelledProblem:
    """The problem with a list of its choices ("Ann Fox ; Bo Lee .") as the passage.

    The list has every choice once, in an order that is drawn from ``seed`` and the problem's id, so that neither order nor
    number of mentions shows anything of the passage. The choices are in the order of the list.
    """
    problem = labelled.problem
    order = hash_order(seed, "choice-list", (f"{problem.id}\x1f{index}" for index in range(len(problem.choices))))
    place = {old: new for new, old in enumerate(order)}
    return msgspec.structs.replace(
        labelled,
        problem=_listed(problem, [problem.choices[old] for old in order]),
        answer=place[labelled.answer],
        guesses={name: place[guess] for name, guess in labelled.guesses.items()},
    )


def _listed(problem: ReadingProblem, choices: list[ReadingChoice]) -> ReadingProblem:
    """The problem with the list of ``choices`` as its passage."""
    text, spans, mentioned = "", list[TokenSpan](), list[ReadingChoice]()
    for number, choice in enumerate(choices):
        start, first = len(text), len(spans)
        text += choice.name
        spans += _token_spans(choice, start)
        mentioned.append(msgspec.structs.replace(choice, mentions=((first, len(spans)),)))
        mark = _END if number == len(choices) - 1 else _SEPARATOR
        spans.append((len(text) + 1, len(text) + 2))
        text += mark
    return msgspec.structs.replace(
        problem, passage=text, token_layout=pack_spans(spans), sentence_starts=(0,), choices=tuple(mentioned)
    )


def _token_spans(choice: ReadingChoice, start: int) -> list[TokenSpan]:
    """The spans of the name's tokens, for a name that begins at ``start``."""
    spans, offset = [], 0
    for token in choice.tokens:
        offset = choice.name.index(token, offset)
        spans.append((start + offset, start + offset + len(token)))
        offset += len(token)
    return spans
