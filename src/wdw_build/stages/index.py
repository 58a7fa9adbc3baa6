"""index: a BM25 index of all articles with fields for day and names (the paper's section 2: Lucene).

Stores the document frequencies of the corpus's words beside the index, for the event score of ``retrieve``.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.config.settings import IndexConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store.word_frequencies import FrequencyCounter, write_frequencies
from wdw_build.ports import INDEX, INDEX_FOLDER
from wdw_build.records import Article, IndexedArticle, Record, Rejection
from wdw_build.text.dates import day_number
from wdw_build.text.tokens import words


def run(inputs: Iterator[Article], config: IndexConfig, context: Context) -> Iterator[Record | Rejection]:
    """Index every article and yield its entry."""
    index = context.port(INDEX)
    frequencies = FrequencyCounter()
    with index.writer(context.folder / INDEX_FOLDER) as add:
        for article in inputs:
            day = day_number(article.date)
            add(article.id, day, article.text)
            tokens = words(article.text)
            frequencies.add(tokens)
            yield IndexedArticle(id=article.id, day=day, words=len(tokens))
    write_frequencies(context.folder, frequencies.result())


STAGE = Stage(
    name="index",
    version=2,
    reads=("ingest",),
    writes=IndexedArticle,
    config=IndexConfig,
    run=run,
    ports=(INDEX,),
    scope="set",
    opaque=True,
    summary="Index the articles with Lucene: BM25, days, names.",
)
