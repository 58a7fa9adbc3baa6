"""index: a BM25 index of all articles with fields for day and names (the paper's section 2: Lucene).

Stores the document frequencies of the corpus's words beside the index, for the event score of ``retrieve``. Each shard of
the articles is indexed and counted by itself; the step ``join`` joins the indexes and adds the counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.config.settings import IndexConfig
from wdw_build.core.stage import RUN, Context, Stage, Step
from wdw_build.core.store.word_frequencies import FrequencyCounter, join_shards, write_frequencies, write_shard
from wdw_build.ports import INDEX, INDEX_FOLDER
from wdw_build.records import Article, IndexedArticle, Record, Rejection
from wdw_build.text.dates import day_number
from wdw_build.text.passages.validity import capitalised_words
from wdw_build.text.tokens import words


def run(inputs: Iterator[Article], config: IndexConfig, context: Context) -> Iterator[Record | Rejection]:
    """Index every article of a shard and yield its entry."""
    frequencies = FrequencyCounter()
    with context.port(INDEX).writer(context.folder / INDEX_FOLDER) as add:
        for article in inputs:
            day, text = day_number(article.date), article.text
            # ``retrieve`` asks for words of names first, and need not read articles that have none of them.
            add(article.id, day, text, capitalised_words(text))
            tokens = words(text)
            frequencies.add(tokens)
            yield IndexedArticle(id=article.id, day=day, words=len(tokens))
    write_shard(context.folder, frequencies)


def join(inputs: Iterator[Article], config: IndexConfig, context: Context) -> None:
    """Join the indexes and the counts of all shards."""
    shards = context.results(RUN)
    context.port(INDEX).join([shard / INDEX_FOLDER for shard in shards], context.folder / INDEX_FOLDER)
    write_frequencies(context.folder, join_shards(shards, context.folder))


STAGE = Stage(
    name="index",
    version=3,
    reads=("ingest",),
    writes=IndexedArticle,
    config=IndexConfig,
    run=run,
    after=(Step("join", join),),
    ports=(INDEX,),
    opaque=True,
    summary="Index the articles with Lucene: BM25, days, names.",
)
