"""pseudonyms: a code and a surrogate for every person of a problem, and all places where the person is named.

The persons are the choices, the other persons that the model tagged in the passage, and the persons of the question.
Surrogates are drawn by hashes of seed, problem and name from a pool without the surnames of the corpus's persons: before
the first problem, the stage reads all tagged first sentences and all problems once. A problem with a name that cannot be
replaced is rejected here; it stays in the dataset, but not in exports with other names than the original ones. The paper
has no such step.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from typing import cast

from wdw_build.core.config.settings import PseudonymsConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Stage, Trial, blocks
from wdw_build.core.store.name_table import read_names
from wdw_build.core.store.output import Output
from wdw_build.ports import ANNOTATIONS, SURROGATES
from wdw_build.records import FirstSentence, Problem, Pseudonyms, Record, Rejection
from wdw_build.text.names.consistency import PERSON
from wdw_build.text.pseudonyms.people import tagged_persons
from wdw_build.text.pseudonyms.pool import FreeNames, NamePool, words_of_name, words_of_text
from wdw_build.text.pseudonyms.rename import Refused, pseudonyms_of

_BLOCK = 64


def _words_of_persons(sentences: Iterable[FirstSentence]) -> Iterator[str]:
    """Yield the identifying words of all names tagged as persons."""
    for sentence in sentences:
        for name in sentence.names:
            if name.kind == PERSON:
                yield from words_of_name(sentence.tokens.mention((name.start, name.end)).text)


def _words_of_problems(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the words of all problems, whatever their case."""
    for problem in problems:
        passage = problem.passage
        for text in (passage.text, passage.title, problem.question.sentence):
            yield from words_of_text(text)


@functools.lru_cache(maxsize=1)
def _free_names(sentences: Output, problems: Output, pool: NamePool) -> FreeNames:
    """The pool without the surnames that are words of a person's name in a first sentence or any words of a problem.

    Each process reads the corpus once; memory is bounded by the pool.
    """
    # An output's records have the type that its stage writes.
    persons = _words_of_persons(cast(Iterator[FirstSentence], sentences.records()))
    shown = _words_of_problems(cast(Iterator[Problem], problems.records()))
    return pool.without({word for word in itertools.chain(persons, shown) if word in pool.surnames})


def run(inputs: Iterator[Problem], config: PseudonymsConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the pseudonyms or the rejection of every problem."""
    evidence = read_names(context.inputs["names"].folder)
    pool = context.port(SURROGATES).pool
    annotations = context.port(ANNOTATIONS)
    for problems in blocks(inputs, _BLOCK):
        free = _free_names(context.inputs["sentences"], context.inputs["dedup"], pool)
        passages = {problem.passage.article: context.find("ingest", problem.passage.article) for problem in problems}
        persons = annotations.annotate(list(passages.values()))
        for problem in problems:
            entities = tagged_persons(persons[problem.passage.article], problem.passage.text, evidence)
            draw = functools.partial(_draw, context.seed, problem.id)
            result = pseudonyms_of(problem, entities, pool, free, evidence, draw)
            yield Rejection(id=problem.id, **result._asdict()) if isinstance(result, Refused) else result


def _draw(seed: int, problem: str, purpose: str) -> float:
    return uniform_hash(seed, "pseudonyms", f"{problem}\x1f{purpose}")


STAGE = Stage(
    name="pseudonyms",
    version=2,
    reads=("dedup", "ingest", "sentences", "names"),
    writes=Pseudonyms,
    config=PseudonymsConfig,
    run=run,
    ports=(ANNOTATIONS, SURROGATES),
    seeded=True,
    unit="problems",
    block=_BLOCK,
    trial=Trial(expected=ExpectedCost(seconds=0.02, share=0.95)),
    summary="Draw a code and a surrogate for every person of a problem, and find all places that name the person.",
    reasons={
        "ambiguous-name": "a capitalised word of a person's name may be a place, an organisation or an ordinary word",
        "name-left": "a tagged name has no word to replace, or a word of a person's name is left after the replacement",
        "no-surrogate": "the pool has too few names that do not occur in the corpus",
    },
)
