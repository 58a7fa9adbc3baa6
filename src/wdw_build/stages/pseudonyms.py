"""pseudonyms: a code and a surrogate for every person of a problem, and all places where the person is named.

The persons are the choices, the other persons that the model tagged in the passage, and the persons of the question.
Surrogates are drawn by hashes of seed, problem and name from a pool without the surnames of the corpus's persons: before
the first problem, the stage reads all tagged first sentences and all problems once. The same pass counts what the corpus
tells about the gender of persons. A problem with a name that cannot be replaced is rejected here; it stays in the dataset,
but not in exports with other names than the original ones. The paper has no such step.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from wdw_build.core.config.settings import PseudonymsConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Stage, Trial, blocks
from wdw_build.core.store.name_table import read_names
from wdw_build.core.store.output import Output
from wdw_build.ports import ANNOTATIONS, SURROGATES
from wdw_build.records import FirstSentence, Problem, Pseudonyms, Record, Rejection, Span
from wdw_build.text.names.consistency import PERSON
from wdw_build.text.pseudonyms.corpus_genders import CorpusGenders, GenderCounter
from wdw_build.text.pseudonyms.people import tagged_persons
from wdw_build.text.pseudonyms.pool import FreeNames, NamePool, words_of_name, words_of_text
from wdw_build.text.pseudonyms.rename import Refused, pseudonyms_of

_BLOCK = 64


@functools.lru_cache(maxsize=1)
def _corpus_names(sentences: Output, problems: Output, names: Path, pool: NamePool) -> tuple[FreeNames, CorpusGenders]:
    """The surnames that the corpus leaves free, and what it tells about the gender of persons.

    Taken are the words of persons' names in first sentences, and all words of the problems. Each process reads the corpus
    once; memory is bounded by the pool and the table of names.
    """
    taken: set[str] = set()
    genders = GenderCounter(read_names(names).person, pool.female, pool.male)
    # An output's records have the type that its stage writes.
    for sentence in cast(Iterator[FirstSentence], sentences.records()):
        tagged = (sentence.tokens.mention((name.start, name.end)) for name in sentence.names if name.kind == PERSON)
        persons = [(mention, mention.text) for mention in tagged]
        taken.update(word for _, name in persons for word in words_of_name(name) if word in pool.surnames)
        genders.add(sentence.text, persons)
    for problem in cast(Iterator[Problem], problems.records()):
        texts = (problem.passage.text, problem.passage.title, problem.question.sentence)
        taken.update(word for text in texts for word in words_of_text(text) if word in pool.surnames)
        genders.add(problem.passage.text, _persons_of_passage(problem))
        genders.add(problem.question.sentence, _persons_of_question(problem))
    return pool.without(taken), genders.result()


def _persons_of_passage(problem: Problem) -> list[tuple[Span, str]]:
    """The mentions of the choices and of the other persons of a passage in order, each with the person's name."""
    persons = dict.fromkeys((*problem.choices, *problem.persons))
    mentions = [(span, person.name) for person in persons for span in person.mentions]
    return sorted(mentions, key=lambda pair: (pair[0].start, pair[0].end, pair[1]))


def _persons_of_question(problem: Problem) -> list[tuple[Span, str]]:
    """The mentions of a question, each with the person's name."""
    answer = (problem.question.name, problem.choices[problem.answer].name)
    return [answer, *((other, other.text) for other in problem.question.others)]


def run(inputs: Iterator[Problem], config: PseudonymsConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the pseudonyms or the rejection of every problem."""
    names = context.inputs["names"].folder
    evidence = read_names(names)
    pool = context.port(SURROGATES).pool
    annotations = context.port(ANNOTATIONS)
    for problems in blocks(inputs, _BLOCK):
        free, genders = _corpus_names(context.inputs["sentences"], context.inputs["dedup"], names, pool)
        passages = {problem.passage.article: context.find("ingest", problem.passage.article) for problem in problems}
        persons = annotations.annotate(list(passages.values()))
        for problem in problems:
            entities = tagged_persons(persons[problem.passage.article], problem.passage.text, evidence)
            draw = functools.partial(_draw, context.seed, problem.id)
            result = pseudonyms_of(problem, entities, pool, free, evidence, draw, genders)
            yield Rejection(id=problem.id, **result._asdict()) if isinstance(result, Refused) else result


def _draw(seed: int, problem: str, purpose: str) -> float:
    return uniform_hash(seed, "pseudonyms", f"{problem}\x1f{purpose}")


STAGE = Stage(
    name="pseudonyms",
    version=3,
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
