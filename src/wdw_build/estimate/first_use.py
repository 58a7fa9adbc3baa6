"""The first use of each backend, which loads it, and the speed of the models."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from wdw_build.core.stage import PortSource
from wdw_build.estimate.costs import EVENTS, JVM, MODELS, NGRAMS
from wdw_build.ports import ANNOTATOR, EVENT_SCORER, INDEX, LANGUAGE_MODEL, SENTENCE_SPLITTER, ArticleText
from wdw_build.records import Article
from wdw_build.text.passages.same_event import Frequencies
from wdw_build.text.tokens import lm_tokens

_SENTENCE = "Mayor Ann Field met Bob Stone in the town hall on Monday, a spokesman said after the talks."
_FIRST_SEARCHES = 20
_FIRST_ARTICLES = 20
# Articles on which the speed of the models is measured: first sentences, and whole articles.
_SENTENCES_TRIED, _ARTICLES_TRIED = 48, 8


def first_uses(ports: PortSource, articles: Callable[[], Sequence[Article]]) -> Mapping[str, Callable[[Path], object]]:
    """For each kind of backend (``costs.LOADS``), a function that uses the backend for the first time, in an empty folder."""

    def models(_: Path) -> None:
        annotator = ports.get(ANNOTATOR)
        tokens = [sentence for sentence in annotator.first_sentences([_SENTENCE]) if sentence is not None]
        annotator.names(tokens)
        annotator.trees(tokens)

    def index(folder: Path) -> None:
        with ports.get(INDEX).writer(folder) as add:
            add("a", 0, _SENTENCE)
        # The first searches load most of what a search needs.
        for _ in range(_FIRST_SEARCHES):
            hits = ports.get(INDEX).search(
                folder, sentence=_SENTENCE, names=["Bob Stone"], day=0, windows=[1], exclude="b", limit=10
            )
            next(hits)

    def event_scorer(_: Path) -> None:
        article = ArticleText(id="a", day=0, title=_SENTENCE, sentences=(_SENTENCE,))
        ports.get(EVENT_SCORER).score(_SENTENCE, article, [article._replace(id="b")], Frequencies(1, {}))

    def language_model(folder: Path) -> None:
        sentences = ports.get(SENTENCE_SPLITTER).sentences
        lines = (
            " ".join(lm_tokens(sentence)) + "\n"
            for article in articles()[:_FIRST_ARTICLES]
            for sentence in sentences(article.text)
        )
        ports.get(LANGUAGE_MODEL).estimate((line.encode(errors="replace") for line in lines), folder / "model")

    return {MODELS: models, JVM: index, EVENTS: event_scorer, NGRAMS: language_model}


def seconds_a_sentence(ports: PortSource, articles: Sequence[Article]) -> float:
    """Seconds that the loaded models take for the first sentence of an article."""
    tried = _spread(articles, _SENTENCES_TRIED)
    annotator, begun = ports.get(ANNOTATOR), time.monotonic()
    sentences = annotator.first_sentences([article.paragraphs[0] for article in tried])
    annotator.names([sentence for sentence in sentences if sentence is not None])
    return (time.monotonic() - begun) / max(1, len(tried))


def seconds_an_article(ports: PortSource, articles: Sequence[Article]) -> float:
    """Seconds that the loaded models take for a whole article."""
    tried = _spread(articles, _ARTICLES_TRIED)
    annotator, begun = ports.get(ANNOTATOR), time.monotonic()
    annotator.annotate([(article.id, article.text) for article in tried])
    return (time.monotonic() - begun) / max(1, len(tried))


def _spread(articles: Sequence[Article], count: int) -> Sequence[Article]:
    """About ``count`` articles at equal distances."""
    return articles[:: max(1, len(articles) // count)]
