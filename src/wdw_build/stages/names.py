"""names: corpus-wide evidence on each name, counted over all first sentences into one table.

The table says how often a name is tagged as a person and as something else, how often it follows a title, and which words are
before full names (see ``text.names.evidence``). The model of persons in ``questions`` and ``choices`` reads it. Each shard counts
its own articles; a last step sums the counts and keeps the most frequent names, so the table depends on the totals alone. The
paper has no such step.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from wdw_build.core.section import Section
from wdw_build.core.stage import RUN, Context, Stage, Step
from wdw_build.records import CountedNames, FirstSentence, Record, Rejection
from wdw_build.text.counts import summed_counts, write_counts
from wdw_build.text.names.evidence import NameCounter, NameEvidence, most_frequent, write_names

# Of each part of the table, the rarest names are dropped: so many are read by every process.
_MAX_NAMES = 200_000
# The counts of a shard. A key is the name of the table, a tab and the name.
_COUNTS = "names.counts"


def run(inputs: Iterator[FirstSentence], _config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Count how each name is tagged in first sentences."""
    counter = NameCounter()
    for sentence in inputs:
        counter.add(sentence.words, sentence.names)
        yield CountedNames(id=sentence.id, names=len(sentence.names))
    counts = {f"{table}\t{name}": count for table, names in counter.tables.items() for name, count in names.items()}
    write_counts(context.folder / _COUNTS, counts)


def _write_table(_: Iterator[object], _config: Section, context: Context) -> None:
    """Sum the counts of the shards, and write the table of the most frequent names."""
    # The counts come in the order of their keys, in which the names of one table follow each other.
    counts = summed_counts([folder / _COUNTS for folder in context.results(RUN)], context.folder)
    by_table = itertools.groupby(counts, key=lambda pair: pair[0].partition("\t")[0])
    tables: dict[str, dict[str, int]] = {}
    for table, rows in by_table:
        names = ((key.partition("\t")[2], count) for key, count in rows)
        tables[table] = most_frequent(names, _MAX_NAMES)
    write_names(context.folder, NameEvidence(**tables))


STAGE = Stage(
    name="names",
    version=9,
    reads=("sentences",),
    writes=CountedNames,
    run=run,
    steps=(Step("table", _write_table, unit="names", after=True, keeps=True),),
)
