"""The words in which a problem is put to a language model: the system ``api``, the tasks ``wdw_chat`` and the judges of studies.

Models that continue a text, as those of the other tasks, are asked nothing: each task has its own text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wdw_build.reading import BLANK
from wdw_build.reading.answers import letters


def who_is(blank: str = BLANK) -> str:
    """What is asked about a sentence with a blank."""
    return f"Who is {blank}?"


def lettered(names: Sequence[str]) -> str:
    """The choices as a list with letters, each after a line end."""
    return "".join(f"\n{letter}. {name}" for letter, name in zip(letters(len(names)), names, strict=True))


def bulleted(names: Iterable[str]) -> str:
    """The choices as a list, each after a line end."""
    return "".join(f"\n- {name}" for name in names)


def chat_prompt(passage: str | None, sentence: str, answer: str, choices: str, blank: str = BLANK) -> str:
    """The whole prompt of a chat model.

    ``passage``: None if the model does not read one; ``sentence``: the question, with ``blank`` for the deleted phrase;
    ``answer``: what the model may answer with ("the letter"); ``choices``: their list, which begins with a line end.
    """
    origin = "a news article" if passage is None else "another article"
    before = "" if passage is None else f"{passage}\n\n"
    return (
        f"{before}In this sentence from {origin}, {blank} replaces a person:\n{sentence}\n\n"
        f"{who_is(blank)} Answer with {answer} only:{choices}"
    )
