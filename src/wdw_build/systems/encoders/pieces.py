"""Word pieces: texts as token ids of the encoder's tokenizer, and the special tokens around them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.errors import MissingResourceError
from wdw_build.reading import BLANK, ReadingProblem
from wdw_build.records import TokenSpan
from wdw_build.systems.encoders.files import TOKENIZER

_MASKS = ("[MASK]", "<mask>")


class Pieces(NamedTuple):
    """The word pieces of a text, with the characters [start, end) of each."""

    ids: list[int]
    spans: list[TokenSpan]


class Frame(NamedTuple):
    """The special tokens of a pair of texts: before the first one, between them, and after the second one."""

    before: list[int]
    between: list[int]
    after: list[int]


class WordPieces:
    """The tokenizer of an encoder."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = _read(folder / TOKENIZER)
        self.frame = self._find_frame()
        known = (name for name in _MASKS if self._tokenizer.token_to_id(name) is not None)
        self.mask = next(known, BLANK)

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text, without special tokens."""
        encoding = self._tokenizer.encode(_encodable(text), add_special_tokens=False)
        return Pieces(encoding.ids, encoding.offsets)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of the pieces of each text."""
        encodings = self._tokenizer.encode_batch_fast(list(map(_encodable, texts)), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def _find_frame(self) -> Frame:
        pair = self._tokenizer.encode("a", "b")
        sides = pair.sequence_ids
        first_end, second = len(sides) - sides[::-1].index(0), sides.index(1)
        second_end = len(sides) - sides[::-1].index(1)
        return Frame(pair.ids[: sides.index(0)], pair.ids[first_end:second], pair.ids[second_end:])


def _read(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the tokenizers library raises plain Exception
        raise MissingResourceError(
            f"cannot read the tokenizer {path}: {str(error)[:200]}",
            hint="the file is damaged; save or install it again",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _encodable(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot hold; its length stays."""
    return text.encode("utf-8", "replace").decode("utf-8")


class BlankedQuestion:
    """The pieces of a question on both sides of the blank. A question without a blank has one at its end."""

    def __init__(self, problem: ReadingProblem, words: WordPieces) -> None:
        left, _, right = problem.question.partition(BLANK)
        text = left.rstrip()
        # Byte-level tokenizers attach the space to the word that follows it.
        self._space = " " if left != text or (problem.blank < 0 and text) else ""
        self._left, self._right = words.ids([text, right])
        self._words = words

    def filled(self, fillers: Sequence[str], limit: int) -> list[list[int]]:
        """The ids of the question with each text in the blank, at most ``limit``; words far from the blank are cut."""
        filled = self._words.ids([self._space + text for text in fillers])
        return [self._around(ids[:limit], limit) for ids in filled]

    def _around(self, ids: list[int], limit: int) -> list[int]:
        room = limit - len(ids)
        before = max(room // 2, room - len(self._right))
        left = self._left[-before:] if before else []
        return left + ids + self._right[: room - len(left)]
