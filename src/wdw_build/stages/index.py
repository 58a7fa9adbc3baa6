"""index: a BM25 index of all articles with fields for day and names (the paper's section 2: Lucene).

Stores the document frequencies of the corpus's words beside the index, for the event score of ``retrieve``. Each shard of
the articles is indexed and counted by itself; the step ``join`` joins the indexes and adds the counts. Shards of a large
corpus are first joined in groups, because a join opens all of its indexes in one JVM, and so that workers share the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from wdw_build.core.section import Section
from wdw_build.core.stage import RUN, Context, Stage, Step
from wdw_build.ports import INDEX, INDEX_FOLDER
from wdw_build.records import Article, IndexedArticle, Record, Rejection
from wdw_build.text.dates import day_number
from wdw_build.text.passages.passage_text import capitalised_words
from wdw_build.text.passages.same_event import FrequencyCounter, join_shards, write_frequencies, write_shard
from wdw_build.text.tokens import words

# Articles of a group of shards, and the fewest of a shard: each has a writer of its own, and workers have a JVM each.
_GROUP, _BLOCK = 1 << 17, 2048


def run(inputs: Iterator[Article], _config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Index the articles with Lucene, for searches by BM25, day and name."""
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


def groups(articles: int) -> int:
    """The groups of shards that are joined at the same time; none for a corpus that is joined at once."""
    return -(-articles // _GROUP) if articles > _GROUP else 0


def join_group(numbers: Iterator[int], _config: Section, context: Context) -> None:
    """Join the indexes of one group of neighbouring shards."""
    shards, count = context.results(RUN), groups(context.inputs["ingest"].manifest.written)
    for number in numbers:
        in_group = shards[number * len(shards) // count : (number + 1) * len(shards) // count]
        # With very large shards, a group may be empty.
        if in_group:
            _join(in_group, context)


def join(inputs: Iterator[Article], _config: Section, context: Context) -> None:
    """Join the indexes of all groups or shards, and the counts of all shards."""
    shards = context.results(RUN)
    in_groups = [group for group in context.results("groups") if (group / INDEX_FOLDER).exists()]
    _join(in_groups or shards, context)
    write_frequencies(context.folder, join_shards(shards, context.folder))


def _join(folders: Sequence[Path], context: Context) -> None:
    context.port(INDEX).join([folder / INDEX_FOLDER for folder in folders], context.folder / INDEX_FOLDER)


STAGE = Stage(
    name="index",
    version=4,
    reads=("ingest",),
    writes=IndexedArticle,
    run=run,
    block=_BLOCK,
    steps=(
        Step("groups", join_group, over=groups, unit="groups", after=True),
        Step("join", join, after=True, keeps=True),
    ),
    ports=(INDEX,),
)
