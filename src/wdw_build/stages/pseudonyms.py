"""pseudonyms: a code and a surrogate for every person of a problem, and all places where the person is named.

The persons are the choices, the other persons that the model tagged in the passage, and the persons of the question.
Surrogates are drawn by hashes of seed, problem and name from a pool without the surnames of the corpus's persons. Steps
before the first problem collect these surnames from all tagged first sentences and all problems, and count what the corpus
tells about the gender of persons. A problem with a name that cannot be replaced is rejected here; it stays in the dataset,
but not in exports with other names than the original ones. The stage runs only if names are replaced. The paper has no such
step.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from wdw_build.core.config.section import Section
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, Step, blocks, by_seed
from wdw_build.core.store.sorted_counts import summed_counts, write_counts
from wdw_build.ports import ANNOTATIONS, SURROGATES
from wdw_build.records import FirstSentence, Problem, Pseudonyms, Record, Rejection, Span
from wdw_build.text.names.consistency import PERSON
from wdw_build.text.names.name_table import read_names
from wdw_build.text.pseudonyms.genders import CorpusGenders, GenderVotes, Key, corpus_genders, counts_by_key
from wdw_build.text.pseudonyms.people import tagged_persons
from wdw_build.text.pseudonyms.pool import FreeNames, NamePool, words_of_name, words_of_text
from wdw_build.text.pseudonyms.rename import Refused, pseudonyms_of

_BLOCK = 64
# What a part of the corpus, or all of it, tells: a file of ``sorted_counts``, and the first words of its keys.
_COUNTS, _TAKEN, _GENDERS = "corpus.counts", "taken", ("female", "male")


def _count_sentences(sentences: Iterator[FirstSentence], config: Section, context: Context) -> None:
    """Note the surnames of persons in first sentences, and the votes on their gender."""
    evidence = _Evidence(context)
    for sentence in sentences:
        tagged = (sentence.tokens.mention((name.start, name.end)) for name in sentence.names if name.kind == PERSON)
        persons = [(mention, mention.text) for mention in tagged]
        evidence.add(sentence.text, persons, (word for _, name in persons for word in words_of_name(name)))
    evidence.write()


def _count_problems(problems: Iterator[Problem], config: Section, context: Context) -> None:
    """Note the words of problems that are surnames, and the votes on the gender of their persons."""
    evidence = _Evidence(context)
    for problem in problems:
        passage, question = problem.passage, problem.question.sentence
        evidence.add(passage.text, _persons_of_passage(problem), words_of_text(passage.text))
        evidence.add(question, _persons_of_question(problem), words_of_text(question))
        evidence.add("", (), words_of_text(passage.title))
    evidence.write()


class _Evidence:
    """The surnames of the pool that a part of the corpus takes, and its votes on the gender of persons."""

    def __init__(self, context: Context) -> None:
        self._folder = context.folder
        self._surnames = context.port(SURROGATES).pool.surnames
        self._taken: set[str] = set()
        self._genders = GenderVotes(_counts_by_key(context.inputs["names"].folder))

    def add(self, text: str, persons: Iterable[tuple[Span, str]], words: Iterable[str]) -> None:
        """Add a text with the mentions of its persons; its ``words`` that are surnames of the pool are taken."""
        self._taken.update(word for word in words if word in self._surnames)
        self._genders.add(text, persons)

    def write(self) -> None:
        """Write the evidence as counts, which are summed. A key is ``taken`` or a gender, and words, with tabs between."""
        counts = {f"{_TAKEN}\t{word}": 1 for word in self._taken}
        for words, weights in self._genders.votes.items():
            counts |= {
                "\t".join((gender, *words)): weight for gender, weight in zip(_GENDERS, weights, strict=True) if weight
            }
        write_counts(self._folder / _COUNTS, counts)


def _sum_counts(_: Iterator[object], config: Section, context: Context) -> None:
    """Join what all parts of the corpus tell."""
    folders = [*context.results("sentences"), *context.results("problems")]
    write_counts(
        context.folder / _COUNTS, dict(summed_counts([folder / _COUNTS for folder in folders], context.folder))
    )


@functools.lru_cache(maxsize=1)
def _counts_by_key(names: Path) -> dict[Key, int]:
    return counts_by_key(read_names(names).person)


@functools.lru_cache(maxsize=1)
def _corpus_names(counts: Path, names: Path, pool: NamePool) -> tuple[FreeNames, CorpusGenders]:
    """The surnames that the corpus leaves free, and what it tells about the gender of persons.

    Taken are the words of persons' names in first sentences, and all words of the problems. Memory is bounded by the pool
    and the table of names.
    """
    taken: set[str] = set()
    votes: defaultdict[Key, list[int]] = defaultdict(lambda: [0, 0])
    for key, count in summed_counts([counts], counts.parent):
        kind, *words = key.split("\t")
        if kind == _TAKEN:
            taken.update(words)
        else:
            votes[words[0], words[1]][_GENDERS.index(kind)] = count
    return pool.without(taken), corpus_genders(_counts_by_key(names), votes, pool.female, pool.male)


def _persons_of_passage(problem: Problem) -> list[tuple[Span, str]]:
    """The mentions of the choices and of the other persons of a passage in order, each with the person's name."""
    persons = dict.fromkeys((*problem.choices, *problem.persons))
    mentions = [(span, person.name) for person in persons for span in person.mentions]
    return sorted(mentions, key=lambda pair: (pair[0].start, pair[0].end, pair[1]))


def _persons_of_question(problem: Problem) -> list[tuple[Span, str]]:
    """The mentions of a question, each with the person's name."""
    answer = (problem.question.name, problem.choices[problem.answer].name)
    return [answer, *((other, other.text) for other in problem.question.others)]


def run(inputs: Iterator[Problem], config: Section, context: Context) -> Iterator[Record | Rejection]:
    """Assign a code and a surrogate to every person in a problem, and find all mentions of the person."""
    names = context.inputs["names"].folder
    evidence = read_names(names)
    pool = context.port(SURROGATES).pool
    annotations = context.port(ANNOTATIONS)
    free, genders = _corpus_names(context.results("sums")[0] / _COUNTS, names, pool)
    for problems in blocks(inputs, _BLOCK):
        passages = {problem.passage.article: context.find("ingest", problem.passage.article) for problem in problems}
        persons = annotations.annotate(list(passages.values()))
        for problem in problems:
            entities = tagged_persons(persons[problem.passage.article], problem.passage.text, evidence)
            draw = functools.partial(_draw, context.seed, problem.id)
            result = pseudonyms_of(problem, entities, pool, free, evidence, draw, genders)
            yield Rejection(id=problem.id, **result._asdict()) if isinstance(result, Refused) else result
    annotations.flush()


def _draw(seed: int, problem: str, purpose: str) -> float:
    return uniform_hash(seed, "pseudonyms", f"{problem}\x1f{purpose}")


STAGE = Stage(
    name="pseudonyms",
    version=5,
    reads=("problems", "ingest", "sentences", "names"),
    writes=Pseudonyms,
    run=run,
    shares={SEED: by_seed},
    steps=(
        Step("sentences", _count_sentences, over="sentences", unit="sentences"),
        Step("problems", _count_problems, over="problems", unit="problems"),
        # One partition and not one task, because its file is not part of the output.
        Step("sums", _sum_counts, over=1),
    ),
    ports=(ANNOTATIONS, SURROGATES),
    block=_BLOCK,
    reasons={
        "ambiguous-name": Rule(
            "a capitalised word of a person's name may mean a place, an organisation or an ordinary word"
        ),
        "name-left": Rule(
            "a tagged name has no replaceable word, or a word of a person's name remains after the replacement"
        ),
        "no-surrogate": Rule(
            "too few listed names are absent from the corpus, or two persons would get the same surrogate"
        ),
    },
)
