"""names: corpus-wide evidence on each name, counted over all first sentences into one table.

The table says how often a name is tagged as a person and as something else, and how often it follows a title (see
``text.names.evidence``). The rules for persons in ``questions`` and ``choices`` read it. The paper has no such step.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.core.config.settings import NamesConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store.name_table import write_names
from wdw_build.records import CountedNames, FirstSentence, Record, Rejection
from wdw_build.text.names.evidence import NameCounter


def run(inputs: Iterator[FirstSentence], config: NamesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Count the names of every first sentence, and write the table into the stage's folder."""
    counter = NameCounter(config.max_names)
    for sentence in inputs:
        counter.add(sentence.words, sentence.names)
        yield CountedNames(id=sentence.id, names=len(sentence.names))
    write_names(context.folder, counter.result())


STAGE = Stage(
    name="names",
    version=1,
    reads=("sentences",),
    writes=CountedNames,
    config=NamesConfig,
    run=run,
    scope="set",
    opaque=True,
    unit="sentences",
    summary="Count how each name is tagged over all first sentences.",
)
