"""The two shipped models on the network MiniLM: the sentence encoder, and the second tagger of names.

Both read sentences in batches, on the CPU. Their rounded results do not depend on the batch or the processor
(``core.rounding``), and can be cached.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from wdw_build.adapters.devices import compute
from wdw_build.adapters.minilm import BATCH_PIECES, MiniLM, open_tokenizer, padded
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import installed_version
from wdw_build.core.rounding import DECIMALS, is_uncertain
from wdw_build.errors import MissingResourceError
from wdw_build.text.names.second_opinion import LEAST, WEIGHTS, Opinion
from wdw_build.text.tokens import encodable

if TYPE_CHECKING:
    from torch import Tensor

_LIBRARIES = ("torch", "tokenizers")
ENCODER = BUNDLED / "encoder"

Vector = Any  # numpy's


class Model:
    """A network and its word-piece tokenizer, loaded on first use."""

    # What the model is, and the setting that does without it.
    _what: ClassVar[str]
    _instead: ClassVar[str]

    def __init__(self, model: Path, words: Path, *more: Path) -> None:
        self._model, self._words = model, words
        self._files = (model, words, *more)

    @property
    def identity(self) -> str:
        """The version of the tokenizer, and a hash of the files. Raises ``MissingResourceError`` if one is missing.

        The version of torch does not affect the rounded results.
        """
        for path in self._files:
            if not path.is_file():
                raise MissingResourceError(
                    f"no {self._what}: {path} does not exist", hint=f"install the package again, or set {self._instead}"
                )
        user = f"the {self._what} (unless you set {self._instead})"
        _, version = (installed_version(name, user, *_LIBRARIES) for name in _LIBRARIES)
        return f"tokenizers {version}, model {digest(list(map(hash_file, self._files)))[:16]}"

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        _ = self._network, self._tokenizer

    @functools.cached_property
    def _network(self) -> MiniLM:
        return MiniLM(self._model)

    @functools.cached_property
    def _tokenizer(self) -> Any:
        return open_tokenizer(self._words)


# ---- the sentence encoder --------------------------------------------------------------------------------------------

PIECES = 64  # word pieces read of a text; a sentence has about 30, and a lead is truncated
_LETTERS = 12 * PIECES  # more letters than PIECES word pieces have; bounds the tokenizer's work on a very long word


class SentenceEncoder(Model):
    """``TextEncoder`` by all-MiniLM-L6-v2: the normalised mean of the last states of a text's word pieces."""

    _what, _instead = "sentence encoder", "retrieve.event_scorer to lexical"

    def __init__(self, folder: Path = ENCODER) -> None:
        super().__init__(folder / "model.pt", folder / "tokenizer.json")

    @property
    def identity(self) -> str:
        """The version of the tokenizer, a hash of the files, and the number of pieces read of a text."""
        return f"{super().identity}, {PIECES} pieces"

    @functools.cached_property
    def _tokenizer(self) -> Any:
        tokenizer = open_tokenizer(self._words)
        tokenizer.enable_truncation(PIECES)
        return tokenizer

    def vectors(self, texts: Sequence[str], exact: bool = False) -> list[Vector]:
        """See ``TextEncoder.vectors``."""
        ids = [self._tokenizer.encode(encodable(text[:_LETTERS])).ids for text in texts]
        return compute(ids, list(map(len, ids)), BATCH_PIECES, lambda batch: self._encoded(batch, exact))

    def _encoded(self, ids: Sequence[list[int]], exact: bool) -> list[Vector]:
        """The vectors of texts of about the same length, from their word pieces."""
        import torch

        pieces, mask = padded(ids)
        with torch.inference_mode():
            # The mean is a sum over few pieces: in float64 it is quick, and adds no error.
            last = self._network.states(pieces, mask, exact=exact)[-1].double()
            total = last.sum(1) if mask is None else (last * mask[..., None]).sum(1)
            vectors = torch.nn.functional.normalize(total, dim=1)
            return list((vectors if exact else vectors.float()).numpy())


# ---- the second tagger of names --------------------------------------------------------------------------------------

KINDS = ("PERSON", "LOC", "ORG", "MISC")
# In the order of the model's scores.
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
_BEGINS, _INSIDE = TAGS.index("B-PERSON"), TAGS.index("I-PERSON")
# The columns of what the model computes for each word.
_TAGS, _SPANS = slice(len(TAGS)), slice(len(TAGS), len(TAGS) + 4)
# Pieces of one pass, with the two at its ends; the encoder has places for 512.
MOST_PIECES = 256
_PIECES_A_WORD = 8
_OPEN, _CLOSE, _UNKNOWN = 101, 102, 100
SHAPES = 7
_EDGE, _CAPITALS, _CAPITAL, _DIGIT, _SYMBOL, _CAPITAL_INSIDE, _SMALL = range(SHAPES)
WITH_CAPITAL = frozenset({_CAPITALS, _CAPITAL, _CAPITAL_INSIDE})
# The layers whose states show whether a span of words is a person's name, and the parts of a span that have weights of their own.
SPAN_LAYERS = (0, 3, 6)
SPAN_PARTS = ("first", "last", "within")
# What has the same weights for a word as a part of a span: whether a person's given name stands alone.
GIVEN = "given"
# More than three times the largest error with float32 of a word's share in the log odds of a span, and the decimals of it.
_SPAN_ERROR, _SPAN_DECIMALS = 2e-5, 1
# More than three times the largest error of the difference of two scores (before the softmax) with float32, on 3,000
# sentences of news. The error of a probability p is at most p (1 - p) times this error.
SCORE_ERROR = 1e-4


class WordModel(Model):
    """A network that says something of each word of a text."""

    def _in_batches(self, texts: Sequence[Sequence[str]], exact: bool) -> list[Any]:
        """``_computed`` for each text; ``exact``: with 64-bit numbers."""
        pieces = [cut(words, self._tokenizer) for words in texts]
        lengths = [len(text.pieces) for text in pieces]
        return compute(pieces, lengths, BATCH_PIECES, lambda batch: self._computed(batch, exact))

    def _certain(
        self, texts: Sequence[Sequence[str]], results: Sequence[Any], is_certain: Callable[[Any], bool]
    ) -> list[Any]:
        """The result of each text; a result that is not certain is computed again with 64-bit numbers."""
        uncertain = [number for number, result in enumerate(results) if not is_certain(result)]
        exact = self._in_batches([texts[number] for number in uncertain], exact=True)
        replaced = dict(zip(uncertain, exact, strict=True))
        return [replaced.get(number, result) for number, result in enumerate(results)]

    @abstractmethod
    def _computed(self, texts: Sequence[Pieces], exact: bool) -> list[Any]:
        """What is computed of the words of texts of about the same length."""


class SecondTagger(WordModel):
    """Probabilities of tags for the words of a sentence: the sentence encoder with a layer for tags.

    Trained by scripts/train_models.py (persons). All probabilities are rounded (``core.rounding``).
    """

    _what, _instead = "second tagger of names", "nlp.second_opinion to false"

    def __init__(
        self, model: Path = BUNDLED / "persons" / "model.pt", spans: Path = BUNDLED / "persons" / "spans.pt"
    ) -> None:
        # The pieces are those of the sentence encoder.
        super().__init__(model, ENCODER / "tokenizer.json", spans)
        self._spans = spans

    @property
    def identity(self) -> str:
        """The version of the tokenizer, and hashes of the files and of the weights that both opinions get."""
        return f"{super().identity}, weights {digest((WEIGHTS, LEAST))[:16]}"

    def opinions(self, sentences: Sequence[Sequence[str]]) -> list[Opinion]:
        """The opinion on each word of each sentence. Words beyond the longest input are outside every name."""
        certain = self._certain(
            sentences,
            self._in_batches(sentences, exact=False),
            lambda values: _rounds_tags(values[:, _TAGS]) and _rounds_spans(values[:, _SPANS]),
        )
        return [
            _opinion(values[:, _TAGS], values[:, _SPANS], len(words) - len(values))
            for words, values in zip(sentences, certain, strict=True)
        ]

    def _computed(self, texts: Sequence[Pieces], exact: bool) -> list[Any]:
        """``_of_words`` for sentences of about the same length."""
        import torch

        with torch.inference_mode():
            states = states_of(self._network, texts, exact)
            return [
                self._of_words([state[row, : len(sentence.pieces)] for state in states], sentence).numpy()
                for row, sentence in enumerate(texts)
            ]

    def _of_words(self, states: Sequence[Tensor], sentence: Pieces) -> Tensor:
        """What is computed of each word (words, tags + 4) from the states of one sentence.

        The probabilities of the tags; the word's share in the log odds that a span is a person's name, as its
        first word, its last one and any word; and the log odds that the word alone is a given name and no family name.
        """
        import torch

        tags = self._network.linear(states[-1][sentence.firsts], "tags").double().softmax(-1)
        return torch.cat([tags, self._of_spans(states, sentence)], -1)

    @functools.cached_property
    def _span_weights(self) -> tuple[Tensor, Tensor, Tensor]:
        """The weights of words (layers x width, parts), and those of the sentence's mean (width, 2) and the constants (2).

        The last two are of the last two parts.
        """
        import torch

        stored = torch.load(self._spans, weights_only=True)
        words = torch.stack([stored[part] for part in (*SPAN_PARTS, GIVEN)], -1).double()
        sentence, constant = (
            torch.stack([stored[name], stored[f"{GIVEN}.{name}"]], -1).double() for name in ("sentence", "constant")
        )
        return words, sentence, constant

    def _of_spans(self, states: Sequence[Tensor], sentence: Pieces) -> Tensor:
        """The shares of each word in the log odds of spans, and its log odds as a given name (words, parts + 1).

        The sentence and the constant are in the last part of a span, as any word of it, and in the log odds of the given name.

        Words without a capital have none: few of them are of names, and every share costs time to round.
        """
        import torch

        weights, of_sentence, constant = self._span_weights
        shares = torch.cat([states[layer][sentence.firsts] for layer in SPAN_LAYERS], -1).double() @ weights
        shares[:, -2:] += states[-1].double().mean(0) @ of_sentence + constant
        return shares * torch.tensor([sentence.shapes[first] in WITH_CAPITAL for first in sentence.firsts])[:, None]


def _error(probabilities: Any) -> Any:
    return SCORE_ERROR * probabilities * (1 - probabilities)


def rounds(probabilities: Any, decimals: int) -> bool:
    """Whether float32 suffices to round probabilities, which are a softmax or a sigmoid of scores."""
    return not is_uncertain(probabilities, _error(probabilities), decimals).any()


def _rounds_tags(tags: Any) -> bool:
    """Whether float32 suffices to round the probabilities of persons, and to find the best tag of each word."""
    if not rounds(tags[:, [_BEGINS, _INSIDE]], DECIMALS):
        return False
    second, best = np.sort(tags, axis=1)[:, -2:].T
    return bool((best - second > _error(best) + _error(second)).all())


def _rounds_spans(shares: Any) -> bool:
    """Whether float32 suffices to round the shares in the log odds of spans."""
    return not is_uncertain(shares, np.full_like(shares, _SPAN_ERROR), _SPAN_DECIMALS).any()


def _opinion(tags: Any, spans: Any, unread: int) -> Opinion:
    """An opinion from the probabilities of the tags (words, tags) and the shares in the log odds of spans (words, parts + 1).

    ``unread`` is the number of words that were not read.
    """
    rounded, none = tags.round(DECIMALS), [0.0] * unread
    first, last, within, given = ([*column.tolist(), *none] for column in spans.round(_SPAN_DECIMALS).T)
    return Opinion(
        begins=[*rounded[:, _BEGINS].tolist(), *none],
        inside=[*rounded[:, _INSIDE].tolist(), *none],
        tags=[*(TAGS[best] for best in tags.argmax(axis=1).tolist()), *["O"] * unread],
        first=first,
        last=last,
        within=within,
        given=given,
    )


class Pieces(NamedTuple):
    """A sentence's pieces, with the word's shape for each piece, and the place of the first piece of each word read."""

    pieces: list[int]
    shapes: list[int]
    firsts: list[int]


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


def states_of(network: MiniLM, texts: Sequence[Pieces], exact: bool) -> list[Tensor]:
    """The states of the pieces of texts after each layer, as ``MiniLM.states``, with the shapes of their words."""
    pieces, mask = padded([text.pieces for text in texts])
    shapes, _ = padded([text.shapes for text in texts])
    return network.states(pieces, mask, network.weights["shapes"][shapes], exact)


def cut(words: Sequence[str], tokenizer: Any) -> Pieces:
    """The pieces of a sentence up to ``MOST_PIECES``, in training and in use; words that do not fit are left out."""
    texts = [encodable(word) for word in words[:MOST_PIECES]]
    encoding = tokenizer.encode(texts, is_pretokenized=True, add_special_tokens=False)
    by_word: list[list[int]] = [[] for _ in texts]
    for piece, word in zip(encoding.ids, encoding.word_ids, strict=True):
        if len(by_word[word]) < _PIECES_A_WORD:
            by_word[word].append(piece)
    pieces, shapes, firsts = [_OPEN], [_EDGE], list[int]()
    for text, of_word in zip(texts, by_word, strict=True):
        added = of_word or [_UNKNOWN]
        if len(pieces) + len(added) >= MOST_PIECES:
            break
        firsts.append(len(pieces))
        pieces += added
        shapes += [shape(text)] * len(added)
    return Pieces([*pieces, _CLOSE], [*shapes, _EDGE], firsts)
