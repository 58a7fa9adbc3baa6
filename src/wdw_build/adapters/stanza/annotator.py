"""Tokens, persons and trees by Stanza's processors (tokenize, ner, pos, constituency).

On the CPU, Stanza annotates articles one at a time, so that an annotation does not depend on other articles and is the
same, byte by byte, in every run. On a GPU, articles of similar length share a pass, because a single article would leave
most of the GPU idle. The GPU's scores differ from the CPU's in their last digits, and so does a label where two scores
almost tie. The second tagger always runs on the CPU. Its rounded probabilities do not depend on the batch.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from wdw_build.adapters.devices import CPU, compute, pick
from wdw_build.adapters.sentence_models import SecondTagger
from wdw_build.adapters.stanza.models import ModelSet, NlpConfig
from wdw_build.adapters.stanza.pipeline import StanzaPipeline, loaded_pipeline
from wdw_build.adapters.stanza.tokenizer import Word
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.records import PERSON, Annotation, Mention, TaggedName, Tokens, TokenSpan, pack_spans
from wdw_build.text.names.mention_repair import over_initials, repair_mentions
from wdw_build.text.names.second_opinion import SentenceNames, overlap, weigh_articles
from wdw_build.text.sentences.boundaries import ends_sentence, is_word_with_stop

VERSION = 14
# A longer sentence of a passage is a list or a table; it is cut into pieces of so many tokens.
MAX_SENTENCE_TOKENS = 400
# Tokens of a batch on a GPU, with padding; halved if its memory runs out.
_BATCH_TOKENS = 16_384
# Characters read of a paragraph for its first sentence. Nearly all first sentences end within the first number. Otherwise
# the paragraph is read again up to the second number; longer first sentences are of no interest.
_FIRST_CHARACTERS, _MOST_CHARACTERS = 600, 4000
# The tokenizer sees the end of a text, and may therefore split sentences near a cut differently than in the whole text.
# Measured with cuts at 300 to 1000 characters on 17,205 texts: all sentences that ended this many characters before the
# cut were as in the whole text; up to six sentences nearer to the cut were not.
_SAFE_CHARACTERS = 100
_PERSON = frozenset({"PERSON", "PER"})
_TEXT_LIMIT = 400_000
# The tokenizer reads characters, about this many for each token.
_CHARACTERS_A_TOKEN = 5
# A token may contain a space ("1 000"), which a tree in bracket notation cannot.
_SPACE = re.compile(r"\s+")

T = TypeVar("T")
R = TypeVar("R")


class _ReadArticle(NamedTuple):
    """The number of an article's sentences, its pieces with their offsets, and the names in them by Stanza's tagger."""

    id: str
    sentences: int
    pieces: list[tuple[int, Tokens]]
    names: list[list[TaggedName]]


class StanzaAnnotator:
    """``Annotator`` on Stanza, on the device of ``execution.device``."""

    def __init__(self, models: ModelSet, nlp: NlpConfig, execution: ExecutionConfig) -> None:
        self._models, self._execution = models, execution
        self._repairs = nlp.repair_mentions
        self._second = SecondTagger() if nlp.second_opinion else None
        self._is_used = False

    @property
    def identity(self) -> str:
        """Stanza's version, the models' hashes and the settings that affect annotations; not the device."""
        # Manifests store the identity: with other words, finished stages would run again.
        mentions = ", mentions mended" if self._repairs else ""
        second = f", second opinion: {self._second.identity}" if self._second else ""
        return f"annotator {VERSION}, {self._models.identity}, pieces of {MAX_SENTENCE_TOKENS}{mentions}{second}"

    @functools.cached_property
    def device(self) -> str:
        """See ``OnDevice.device``."""
        return pick(self._execution.device)

    def take_devices(self) -> frozenset[str]:
        """See ``OnDevice.take_devices``."""
        used = frozenset({self.device} if self._is_used else ())
        self._is_used = False
        return used

    def preload(self) -> None:
        """See ``Preloaded.preload``. Models on a GPU cannot be shared: then only the libraries are imported."""
        import stanza  # noqa: F401 (imported for the processes forked from this one)

        if self.device == CPU:
            _ = self._pipeline
        if self._second:
            self._second.preload()

    @functools.cached_property
    def _pipeline(self) -> StanzaPipeline:
        return loaded_pipeline(self._models, self._models.identity, self.device)

    def _compute(
        self,
        function: Callable[[StanzaPipeline, Sequence[T]], list[R]],
        inputs: Sequence[T],
        lengths: Sequence[int],
        limit: int,
    ) -> list[R]:
        """Apply ``function`` to all inputs: on the CPU at once, on a GPU in batches that fit its memory."""
        pipeline, self._is_used = self._pipeline, True
        if self.device == CPU:
            return function(pipeline, inputs)
        return compute(inputs, lengths, limit, lambda batch: function(pipeline, batch))

    def first_sentences(self, paragraphs: Sequence[str]) -> list[Tokens | None]:
        """See ``Annotator.first_sentences``."""
        by_paragraph = self._read_start(paragraphs, _FIRST_CHARACTERS)
        # If no other sentence follows yet, the first one may still be joined with the next.
        unsettled = [
            number
            for number, (paragraph, sentences) in enumerate(zip(paragraphs, by_paragraph, strict=True))
            if len(paragraph) > _FIRST_CHARACTERS
            and (len(sentences) < 2 or sentences[1][0] > _FIRST_CHARACTERS - _SAFE_CHARACTERS)
        ]
        longer = self._read_start([paragraphs[number] for number in unsettled], _MOST_CHARACTERS)
        for number, sentences in zip(unsettled, longer, strict=True):
            by_paragraph[number] = sentences
        return [sentences[0][1] if sentences else None for sentences in by_paragraph]

    def _read_start(self, paragraphs: Sequence[str], most: int) -> list[list[tuple[int, Tokens]]]:
        """The sentences in the first ``most`` characters of each paragraph; an empty list for a blank paragraph."""
        texts = [paragraph[:most] for paragraph in paragraphs]
        cut = iter(self._tokenize([text for text in texts if text.strip()]))
        return [_sentences(next(cut), text, self._repairs) if text.strip() else [] for text in texts]

    def _tokenize(self, texts: list[str]) -> list[list[list[Word]]]:
        if not texts:
            return []
        limit = _BATCH_TOKENS * _CHARACTERS_A_TOKEN
        return self._compute(lambda on, batch: on.tokenize(batch), texts, [len(text) for text in texts], limit)

    def names(self, sentences: Sequence[Tokens]) -> list[tuple[TaggedName, ...]]:
        """See ``Annotator.names``."""
        tagged = self._tag(self._first_opinion, sentences)
        return [tuple(*names) for names in self._names([[sentence] for sentence in sentences], tagged)]

    def trees(self, sentences: Sequence[Tokens]) -> list[str]:
        """See ``Annotator.trees``."""
        return self._tag(lambda on, batch: on.trees([sentence.words for sentence in batch]), sentences)

    def _tag(
        self, function: Callable[[StanzaPipeline, Sequence[Tokens]], list[R]], sentences: Sequence[Tokens]
    ) -> list[R]:
        if not sentences:
            return []
        lengths = [len(sentence.words) for sentence in sentences]
        return self._compute(function, sentences, lengths, _BATCH_TOKENS)

    def annotate(self, texts: Sequence[tuple[str, str]]) -> list[Annotation]:
        """See ``Annotator.annotate``."""
        cut = [(name, text[:_TEXT_LIMIT]) for name, text in texts]
        is_one_pass = self.device != CPU or self._pipeline.is_batch_independent
        passes = [cut] if is_one_pass else [[article] for article in cut]
        articles = [article for in_pass in passes for article in self._first_pass(in_pass)]
        pieces = [[piece for _, piece in article.pieces] for article in articles]
        names = self._names(pieces, [tagged for article in articles for tagged in article.names])
        return list(map(self._annotation, articles, names))

    def _first_pass(self, texts: list[tuple[str, str]]) -> list[_ReadArticle]:
        """The pieces of articles with the names by Stanza's tagger, in one pass through the models."""
        cut = iter(self._tokenize([text for _, text in texts if text.strip()]))
        sentences = [_sentences(next(cut), text, self._repairs) if text.strip() else [] for _, text in texts]
        pieces = [
            [piece for offset, tokens in in_article for piece in _pieces(offset, tokens)] for in_article in sentences
        ]
        tagged = iter(self._tag(self._first_opinion, [piece for in_article in pieces for _, piece in in_article]))
        return [
            _ReadArticle(name, count, in_article, [next(tagged) for _ in in_article])
            for (name, _), count, in_article in zip(texts, map(len, sentences), pieces, strict=True)
        ]

    def _annotation(self, article: _ReadArticle, names: list[list[TaggedName]]) -> Annotation:
        return Annotation(
            id=article.id,
            persons=tuple(_mentions(article.pieces, names)),
            tokens=sum(len(piece.words) for _, piece in article.pieces),
            sentences=article.sentences,
            token_layout=pack_spans(
                (offset + start, offset + end) for offset, piece in article.pieces for start, end in piece.spans
            ),
        )

    def _first_opinion(self, on: StanzaPipeline, sentences: Sequence[Tokens]) -> list[list[TaggedName]]:
        """The names in each sentence by Stanza's tagger alone."""
        tagged = on.name_spans([sentence.words for sentence in sentences])
        return [
            [TaggedName(start, end, PERSON if kind in _PERSON else kind) for kind, start, end in names]
            for names in tagged
        ]

    def _names(
        self, articles: Sequence[Sequence[Tokens]], tagged: Sequence[list[TaggedName]]
    ) -> list[list[list[TaggedName]]]:
        """The names in the sentences of each article, after the second opinion (``nlp.second_opinion``).

        ``tagged``: the names by Stanza's tagger, for the sentences of all articles. ``nlp.repair_mentions`` repairs those
        of persons (see ``text.names.mention_repair``).
        """
        in_order = iter(tagged)
        tagged_articles = [
            [SentenceNames(sentence.words, next(in_order)) for sentence in article] for article in articles
        ]
        if self._second:
            names = weigh_articles(tagged_articles, self._second.opinions)
        else:
            names = [[sentence.names for sentence in article] for article in tagged_articles]
        correct = _repaired if self._repairs else _with_initials
        return [list(map(correct, article, of_article)) for article, of_article in zip(articles, names, strict=True)]


def _with_initials(sentence: Tokens, names: Sequence[TaggedName]) -> list[TaggedName]:
    """The names in order, with the initials before a person's name added to it."""
    return [
        msgspec.structs.replace(name, start=over_initials(sentence.words, name.start)) if name.kind == PERSON else name
        for name in names
    ]


def _repaired(sentence: Tokens, names: Sequence[TaggedName]) -> list[TaggedName]:
    """The names in order, with persons' mentions repaired, and without other names that a repaired mention overlaps."""
    tagged = [(name.start, name.end) for name in names if name.kind == PERSON]
    if not tagged:
        return list(names)
    persons = repair_mentions(sentence.words, sentence.spans, tagged)
    covered = {token for start, end in persons for token in range(start, end)}
    others = [name for name in names if name.kind != PERSON and covered.isdisjoint(range(name.start, name.end))]
    repaired = [_person(span, names) for span in persons]
    return sorted([*others, *repaired], key=lambda name: (name.start, name.end))


def _person(span: TokenSpan, names: Sequence[TaggedName]) -> TaggedName:
    """A person with the opinion on the likeliest one whose tokens a span has."""
    inside = [name for name in names if name.kind == PERSON and overlap((name.start, name.end), span)]
    likeliest = max(inside, key=lambda name: (name.score, name.odds))
    return msgspec.structs.replace(likeliest, start=span[0], end=span[1])


def _mentions(pieces: Sequence[tuple[int, Tokens]], names: Sequence[Sequence[TaggedName]]) -> Iterator[Mention]:
    """The persons in an article's text, from the names in its pieces."""
    for (offset, piece), in_piece in zip(pieces, names, strict=True):
        for name in in_piece:
            if name.kind == PERSON:
                mention = piece.mention((name.start, name.end), offset)
                yield msgspec.structs.replace(mention, score=name.score, odds=name.odds, given=name.given)


def _located(sentence: Sequence[Word], text: str, repair: bool) -> tuple[int, Tokens]:
    """The start of a sentence in ``text``, and its tokens, with offsets from that start.

    The tokenizer may leave the full stop at a rare last word ("Ames."). With ``repair``, it becomes a token of its own.
    """
    start, end = sentence[0].start, sentence[-1].end
    # Most words are letters and digits; only the others may contain a space.
    words = [word.text if word.text.isalnum() else _SPACE.sub("", word.text) for word in sentence]
    spans = [(word.start - start, word.end - start) for word in sentence]
    if repair and is_word_with_stop(words[-1]) and spans[-1][1] - spans[-1][0] == len(words[-1]):
        (first, last), stop = spans.pop(), len(words[-1]) - 1
        words[-1:] = [words[-1][:stop], "."]
        spans += [(first, last - 1), (last - 1, last)]
    return start, Tokens(text=text[start:end], words=tuple(words), spans=tuple(spans))


def _sentences(split: Sequence[Sequence[Word]], text: str, repair: bool) -> list[tuple[int, Tokens]]:
    """The sentences of a text; two sentences that the tokenizer wrongly split are joined."""
    sentences: list[tuple[int, Tokens]] = []
    for sentence in split:
        start, tokens = _located(sentence, text, repair)
        if sentences:
            before, earlier = sentences[-1]
            end = before + len(earlier.text)
            if not ends_sentence(earlier.words, tokens.words[0], text[end:start]):
                sentences[-1] = (before, _joined(earlier, tokens, text, before, start))
                continue
        sentences.append((start, tokens))
    return sentences


def _joined(first: Tokens, second: Tokens, text: str, before: int, start: int) -> Tokens:
    shift = start - before
    return Tokens(
        text=text[before : start + len(second.text)],
        words=first.words + second.words,
        spans=first.spans + tuple((low + shift, high + shift) for low, high in second.spans),
    )


def _pieces(offset: int, sentence: Tokens) -> list[tuple[int, Tokens]]:
    """Split a sentence into pieces of at most ``MAX_SENTENCE_TOKENS`` tokens."""
    cuts = [slice(first, first + MAX_SENTENCE_TOKENS) for first in range(0, len(sentence.words), MAX_SENTENCE_TOKENS)]
    return [(offset, Tokens(text=sentence.text, words=sentence.words[cut], spans=sentence.spans[cut])) for cut in cuts]
