"""The rules of ``choices``: the persons of a passage, those that can be choices, and the sets of choices."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.core.hashing import uniform_hash
from wdw_build.core.rule import Rule
from wdw_build.records import ChoiceSet, Mention, Question
from wdw_build.text.names.compare import compare
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import fold, parse
from wdw_build.text.names.persons import Entity, persons_of_text, without_other_forms
from wdw_build.text.names.spellings import is_cut
from wdw_build.text.names.unmarked import full_name, is_of_another
from wdw_build.text.passages.passage_text import holds_run
from wdw_build.text.settings import ChoicesConfig
from wdw_build.text.tokens import search_words

RULES = {
    "answer-not-a-choice": Rule("the deleted person is not among the passage's persons"),
    "ambiguous-answer": Rule(
        "the deleted name may be that of two choices, or of two persons in the question's article"
    ),
    "too-few-choices": Rule(
        "there are fewer choices than choices.min_choices", ("min_choices",), looser={"min_choices": -1}
    ),
    "too-many-choices": Rule(
        "there are more choices than choices.max_choices, and choices.above_max is refuse",
        ("max_choices", "above_max"),
        looser={"max_choices": 2},
    ),
}
_CAPITALISED = re.compile(r"[^\W\d_a-z][\w-]{4,}")
# A shorter family name may begin a longer one ("Peters", "Peterson").
_SHORTEST_GLUED = 7
# Questions of which the words beside the blank are kept.
_QUESTIONS = 64


@dataclass(frozen=True)
class Refused:
    """The rule that refuses a candidate as the passage, and its evidence."""

    rule: str
    detail: str = ""


class Eligible(NamedTuple):
    """The persons of a passage that can be choices, in the order of their first mention, and the answer among them."""

    persons: list[Entity]
    answer: Entity


def entities(
    text: str, tagged: Sequence[Mention], config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of a text with tagged mentions, in the order of their first mention."""
    persons = persons_of_text(text, tagged, config, evidence)
    return without_other_forms(persons, text) if config.merge_forms else persons


def deleted_name(question: Question, text: str, config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """The fullest form of the deleted name in the question's article; empty if it may be either of two persons'."""
    if not config.keep_namesakes:
        return question.name.text
    name = full_name(question.name.text, text, evidence)
    return "" if name != question.name.text and is_of_another(name, text, evidence) else name


def eligible(
    question: Question,
    name: str,
    persons: list[Entity],
    config: ChoicesConfig,
    evidence: NameEvidence = NO_EVIDENCE,
    text: str = "",
) -> Eligible | Refused:
    """The persons of a passage that can be choices of a question with one blank, or the rule that refuses the passage.

    ``name`` is the deleted name (see ``deleted_name``), ``text`` the passage.
    """
    others = [entity for entity in persons if not in_question(entity.name, question, config)]
    answers = [entity for entity in others if is_deleted_person(entity.name, name, config, text, evidence)]
    if not name or len(answers) > 1 or (not config.keep_namesakes and _share_a_word(name, others)):
        return Refused("ambiguous-answer", "; ".join(entity.name for entity in answers or others))
    if len(answers) != 1:
        return Refused("answer-not-a-choice", "; ".join(entity.name for entity in others)[:300])
    if len(others) < config.min_choices:
        return Refused("too-few-choices", str(len(others)))
    if len(others) > config.max_choices and config.above_max == "refuse":
        return Refused("too-many-choices", str(len(others)))
    return Eligible(others, answers[0])


def choice_sets(
    problem: str, usable: Eligible, config: ChoicesConfig, seed: int
) -> Iterator[tuple[ChoiceSet, list[Entity]]]:
    """Yield the sets of choices, each once and in the order of the first mention; one set if all persons can be choices.

    A set of the persons that the passage names most or first has more of the choices that baselines prefer, which makes a
    problem harder for them. ``seed`` is the seed of the run; a draw depends on seed, problem and name only.
    """
    if len(usable.persons) <= config.max_choices:
        yield "all", usable.persons
        return
    others = [person for person in usable.persons if person is not usable.answer]
    orders: dict[ChoiceSet, Callable[[Entity], tuple[float, str]]] = {
        "drawn": lambda person: (uniform_hash(seed, "choices", f"{problem}\x1f{person.name}"), person.name),
        "most-named": lambda person: (-len(person.mentions), f"{person.first:09d}"),
        "first-named": lambda person: (person.first, person.name),
    }
    seen: list[list[Entity]] = []
    for name, order in orders.items():
        selected = sorted(others, key=order)[: config.max_choices - 1]
        chosen = [person for person in usable.persons if person is usable.answer or person in selected]
        if chosen not in seen:
            seen.append(chosen)
            yield name, chosen


def in_question(name: str, question: Question, config: ChoicesConfig) -> bool:
    """Whether the question still shows this name: as a person, as a mention refused as not a person, or word for word."""
    others = [other.text for other in question.others]
    if config.drop_shown_names:
        others += [refusal.name for refusal in question.refused if refusal.rule == "not-a-person"]
    for other in others:
        are_two = config.keep_namesakes and compare(name, other).are_two
        if parse(name).shares_word(parse(other)) and not are_two:
            return True
        if config.merge_forms and compare(name, other).is_one_person:
            return True
    if not config.drop_shown_names:
        return False
    words, last = search_words(parse(name).bare).split(), parse(name).family
    if words and any(holds_run(side, words) for side in _words_beside_blank(question.left, question.right)):
        return True
    return any(_misspells(fold(word), last) for word in _CAPITALISED.findall(f"{question.left} {question.right}"))


def _misspells(word: str, family: str) -> bool:
    """Whether a word of a question is a family name with a letter more or less, or with the next word glued to it."""
    is_glued = len(family) >= _SHORTEST_GLUED and len(word) > len(family) and word.startswith(family)
    return is_glued or is_cut(word, family)


def is_deleted_person(name: str, deleted: str, config: ChoicesConfig, text: str, evidence: NameEvidence) -> bool:
    """Whether a choice is the deleted person: a form or another spelling of the name, and not the name of a relative.

    ``text`` is the passage. If it gives the family name to another person, the family name alone was not this person's.
    """
    name_of_choice, comparison = parse(name), compare(name, deleted)
    is_family_alone = parse(deleted).core == (name_of_choice.family,)
    if config.keep_namesakes and (comparison.is_relative or (is_family_alone and is_of_another(name, text, evidence))):
        return False
    return comparison.is_one_person if config.merge_forms else comparison.is_form or comparison.is_relative


@functools.lru_cache(_QUESTIONS)
def _words_beside_blank(left: str, right: str) -> tuple[list[str], list[str]]:
    return search_words(left).split(), search_words(right).split()


def _share_a_word(name: str, choices: Sequence[Entity]) -> bool:
    """Whether two choices share an identifying word of the name."""
    words = Counter(word for entity in choices for word in set(parse(entity.name).core))
    return any(words[word] > 1 for word in parse(name).core)
