"""The alternatives of an article: which there are, in which order, and the sets of choices among the persons of a passage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wdw_build.core.config.settings import ChoicesConfig, Config
from wdw_build.records import Alternative, Choice, ProblemAlternatives
from wdw_build.verify.alternatives import missing_parts
from wdw_build.verify.hashing import uniform_hash

_SETS = ("drawn", "most-named", "first-named")


def alternatives(record: ProblemAlternatives, config: Config) -> Iterator[str]:
    """The alternatives have all their parts, are in order, and no two of them are equal; every passage has one."""
    most = config.choices.max_alternatives
    if not 1 <= len(record.alternatives) <= most:
        yield f"{len(record.alternatives)} alternatives, not 1 to {most}"
    for number, alternative in enumerate(record.alternatives):
        for part in missing_parts(record, alternative):
            yield f"alternative {number} names {part}, which does not exist"
    problems = [(one.blank, one.passage, tuple(sorted(one.choices))) for one in record.alternatives]
    for number, problem in enumerate(problems):
        if problem in problems[:number]:
            yield f"alternative {number} equals alternative {problems.index(problem)}"
    keys = [(one.blank, one.passage) for one in record.alternatives]
    if [blank for blank, _ in keys] != sorted(blank for blank, _ in keys):
        yield "the alternatives are not in the order of blanks"
    for passage in sorted(set(range(len(record.passages))) - {passage for _, passage in keys}):
        yield f"passage {passage} has no alternative"
    articles = [passage.article for passage in record.passages]
    if len(set(articles)) < len(articles):
        yield f"two passages are one article: {articles}"


def blanks(record: ProblemAlternatives, config: Config) -> Iterator[str]:
    """The blanks delete persons from the end of the sentence on; with ``persons: last`` there is one."""
    question = record.question
    starts = [question.name.start, *(blank.name.start for blank in question.more_blanks)]
    if starts != sorted(set(starts), reverse=True):
        yield f"the deleted names start at {starts}, which is not from the last to the first"
    if config.questions.persons == "last" and question.more_blanks:
        yield f"{len(starts)} blanks, though questions.persons is last"


def choice_sets(record: ProblemAlternatives, config: Config) -> Iterator[str]:
    """Each set of choices is the one that its name says, and no set of a blank and passage is missing."""
    by_passage: dict[tuple[int, int], list[Alternative]] = {}
    for number, alternative in enumerate(record.alternatives):
        # Other checks report missing parts, and answers out of range.
        if any(missing_parts(record, alternative)) or not 0 <= alternative.answer < len(alternative.choices):
            return
        by_passage.setdefault((alternative.blank, alternative.passage), []).append(alternative)
        for fault in _faults(record, alternative, config):
            yield f"alternative {number}: {fault}"
    if len(record.alternatives) >= config.choices.max_alternatives:
        return
    for (blank, passage), given in by_passage.items():
        sets = {one.choice_set for one in given}
        expected = {"all"} if "all" in sets else _distinct_sets(record, given[0], config)
        if sets != expected or len(given) != len(sets):
            yield f"blank {blank} and passage {passage} have the sets {sorted(sets)}, not {sorted(expected)}"


def _faults(record: ProblemAlternatives, alternative: Alternative, config: Config) -> Iterator[str]:
    most, eligible = config.choices.max_choices, alternative.eligible
    if list(alternative.choices) != sorted(set(alternative.choices)):
        yield f"the choices {alternative.choices} are not in the order of their first mentions"
    if alternative.choice_set == "all":
        if eligible:
            yield f"it has all choices, and {len(eligible)} persons to select from"
        return
    if config.choices.above_max != "draw" or len(eligible) <= most:
        yield f"{len(eligible)} persons to select from, with choices.above_max {config.choices.above_max}"
    answer = alternative.choices[alternative.answer]
    if answer not in eligible:
        yield f"the answer {answer} is not among the persons {eligible}"
        return
    expected = _selected(record, alternative, alternative.choice_set, config)
    if expected != alternative.choices:
        yield f"{alternative.choice_set} gives the persons {expected}, the choices are {alternative.choices}"


def _distinct_sets(record: ProblemAlternatives, alternative: Alternative, config: Config) -> set[str]:
    """The names of the sets that differ; equal sets have the first name."""
    names: dict[tuple[int, ...], str] = {}
    for name in _SETS:
        names.setdefault(_selected(record, alternative, name, config), name)
    return set(names.values())


def _selected(record: ProblemAlternatives, alternative: Alternative, name: str, config: Config) -> tuple[int, ...]:
    """The answer and the persons that come first in the order of a set, as indexes of persons."""
    persons = record.passages[alternative.passage].persons
    answer = alternative.choices[alternative.answer]
    key = _orders(record.id, config.seed)[name]
    others = sorted((key(persons[person]), person) for person in alternative.eligible if person != answer)
    return tuple(sorted([answer, *(person for _, person in others[: _others(config.choices)])]))


def _others(config: ChoicesConfig) -> int:
    return config.max_choices - 1


def _orders(problem: str, seed: int) -> dict[str, Callable[[Choice], Sequence[float | str]]]:
    def first(person: Choice) -> int:
        return min((mention.start for mention in person.mentions), default=0)

    return {
        "drawn": lambda person: (uniform_hash(seed, "choices", f"{problem}\x1f{person.name}"), person.name),
        "most-named": lambda person: (-len(person.mentions), first(person)),
        "first-named": lambda person: (first(person), person.name),
    }


CHECKS: dict[str, Callable[[ProblemAlternatives, Config], Iterator[str]]] = {
    "alternatives": alternatives,
    "choice-sets": choice_sets,
    "blanks": blanks,
}
