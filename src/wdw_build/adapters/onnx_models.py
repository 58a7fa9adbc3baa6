"""The shipped int8 ONNX models: the sentence encoder, and the second tagger of names.

They compute one sentence at a time in one thread. Dynamic quantisation takes its scale from the whole input of a pass, so
in a batch a sentence's result would depend on the other sentences and the padding. Computed alone, it depends only on the
sentence, and can be cached.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import installed_version
from wdw_build.errors import MissingResourceError
from wdw_build.text.names.second_opinion import LEAST, WEIGHTS, Opinion

_LIBRARIES = ("onnxruntime", "tokenizers")
_ENCODER = BUNDLED / "encoder"

Vector = Any  # numpy's


class _OnnxModel:
    """A model and its word-piece tokenizer, loaded on first use."""

    # What the model is, and the setting that does without it.
    _what: ClassVar[str]
    _instead: ClassVar[str]

    def __init__(self, model: Path, words: Path) -> None:
        self._model, self._words = model, words

    @property
    def identity(self) -> str:
        """The libraries' versions and a hash of the files. Raises ``MissingResourceError`` if one is missing."""
        for path in (self._model, self._words):
            if not path.is_file():
                raise MissingResourceError(
                    f"no {self._what}: {path} does not exist", hint=f"install the package again, or set {self._instead}"
                )
        user = f"the {self._what} (unless you set {self._instead})"
        versions = ", ".join(f"{name} {installed_version(name, user, *_LIBRARIES)}" for name in _LIBRARIES)
        return f"{versions}, model {digest([hash_file(path) for path in (self._model, self._words)])[:16]}"

    @functools.cached_property
    def _session(self) -> Any:
        """An onnxruntime session for one thread. Raises ``MissingResourceError`` if the model cannot be loaded."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(str(self._model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors have no common class
            raise MissingResourceError(
                f"onnxruntime cannot load {self._model}: {str(error)[:200]}",
                hint="wdw-build doctor says whether the file is damaged",
            ) from error

    @functools.cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._words)


def open_tokenizer(path: Path) -> Any:
    """The word-piece tokenizer of a model, without padding and truncation."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _encodable(text: str) -> str:
    """The text without lone surrogates: the tokenizer reads UTF-8, which cannot hold them."""
    return text.encode("utf-8", "replace").decode("utf-8")


# ---- the sentence encoder --------------------------------------------------------------------------------------------

PIECES = 64  # word pieces read of a text; a sentence has about 30, and a lead is truncated
_LETTERS = 12 * PIECES  # more letters than PIECES word pieces have; bounds the tokenizer's work on a very long word


class SentenceEncoder(_OnnxModel):
    """Unit vectors of texts by all-MiniLM-L6-v2."""

    _what, _instead = "sentence encoder", "retrieve.event_scorer to lexical"

    def __init__(self, folder: Path = _ENCODER) -> None:
        super().__init__(folder / "model.onnx", folder / "tokenizer.json")

    @property
    def identity(self) -> str:
        """The libraries' versions, a hash of the files, and the number of pieces read of a text."""
        return f"{super().identity}, {PIECES} pieces"

    @functools.cached_property
    def _tokenizer(self) -> Any:
        tokenizer = open_tokenizer(self._words)
        tokenizer.enable_truncation(PIECES)
        return tokenizer

    def vector(self, text: str) -> Vector:
        """See ``TextEncoder.vector``."""
        ids = [self._tokenizer.encode(_encodable(text[:_LETTERS])).ids]
        return self._session.run(None, {"input_ids": ids})[0][0]


# ---- the second tagger of names --------------------------------------------------------------------------------------

KINDS = ("PERSON", "LOC", "ORG", "MISC")
# In the order of the model's scores.
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
_BEGINS, _INSIDE = TAGS.index("B-PERSON"), TAGS.index("I-PERSON")
# Pieces of one pass, with the two at its ends; the encoder has places for 512.
MOST_PIECES = 256
_PIECES_A_WORD = 8
_OPEN, _CLOSE, _UNKNOWN = 101, 102, 100
SHAPES = 7
_EDGE, _CAPITALS, _CAPITAL, _DIGIT, _SYMBOL, _CAPITAL_INSIDE, _SMALL = range(SHAPES)


class SecondTagger(_OnnxModel):
    """Probabilities of tags for the words of a sentence: the sentence encoder with a layer for tags.

    Trained by scripts/train_models.py (persons).
    """

    _what, _instead = "second tagger of names", "nlp.second_opinion to false"

    def __init__(self, model: Path = BUNDLED / "persons" / "model.onnx") -> None:
        # The pieces are those of the sentence encoder.
        super().__init__(model, _ENCODER / "tokenizer.json")

    @property
    def identity(self) -> str:
        """The libraries' versions, and hashes of the files and of the weights that both opinions get."""
        return f"{super().identity}, weights {digest((WEIGHTS, LEAST))[:16]}"

    def _run(self, words: Sequence[str]) -> tuple[int, Any, Any]:
        """The number of words read, and for them the probabilities of the tags (words, tags) and of starts (words)."""
        read = cut(words, self._tokenizer)
        tags, starts = self._session.run(None, self.inputs(read))
        return len(read.firsts), tags[0][read.firsts], starts[0][read.firsts]

    @staticmethod
    def inputs(read: Pieces) -> dict[str, list[list[int]]]:
        """The inputs of the network for one sentence."""
        return {"pieces": [read.pieces], "shapes": [read.shapes], "before": [read.before]}

    def starts(self, words: Sequence[str]) -> list[float]:
        """For each word, the probability that a sentence starts there, as ``Annotator.starts``."""
        read, _, starts = self._run(words)
        return [*starts.tolist(), *[0.0] * (len(words) - read)]

    def opinion(self, words: Sequence[str]) -> Opinion:
        """The opinion on each word of a sentence. Words beyond the model's longest input are outside every name."""
        read, of_words, _ = self._run(words)
        unread = len(words) - read
        return Opinion(
            begins=[*of_words[:, _BEGINS].tolist(), *[0.0] * unread],
            inside=[*of_words[:, _INSIDE].tolist(), *[0.0] * unread],
            tags=[*(TAGS[best] for best in of_words.argmax(axis=1).tolist()), *["O"] * unread],
        )


class Pieces(NamedTuple):
    """A sentence's pieces, with the word's shape for each piece, and the place of the first piece of each word read.

    ``before`` has, for each piece, the place of the first piece of the word before.
    """

    pieces: list[int]
    shapes: list[int]
    firsts: list[int]
    before: list[int]


def shape(word: str) -> int:
    """The number of the word's shape: how it uses capitals, digits and symbols. The encoder's vocabulary is uncased."""
    if word.isupper() and len(word) > 1:
        return _CAPITALS
    if word[:1].isupper():
        return _CAPITAL
    if any(letter.isdigit() for letter in word):
        return _DIGIT
    if not any(letter.isalnum() for letter in word):
        return _SYMBOL
    return _CAPITAL_INSIDE if any(letter.isupper() for letter in word) else _SMALL


def cut(words: Sequence[str], tokenizer: Any) -> Pieces:
    """The pieces of a sentence up to ``MOST_PIECES``, in training and in use; words that do not fit are left out."""
    encodable = [_encodable(word) for word in words[:MOST_PIECES]]
    encoding = tokenizer.encode(encodable, is_pretokenized=True, add_special_tokens=False)
    by_word: list[list[int]] = [[] for _ in encodable]
    for piece, word in zip(encoding.ids, encoding.word_ids, strict=True):
        if len(by_word[word]) < _PIECES_A_WORD:
            by_word[word].append(piece)
    pieces, shapes, firsts, before = [_OPEN], [_EDGE], [0], [0]
    for text, own in zip(encodable, by_word, strict=True):
        own = own or [_UNKNOWN]
        if len(pieces) + len(own) >= MOST_PIECES:
            break
        before += [firsts[-1]] * len(own)
        firsts.append(len(pieces))
        pieces += own
        shapes += [shape(text)] * len(own)
    return Pieces([*pieces, _CLOSE], [*shapes, _EDGE], firsts[1:], [*before, firsts[-1]])
