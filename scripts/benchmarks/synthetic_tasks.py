"""Reading tasks whose answers are known by construction, for the neural readers.

    copy      ink Ann oak . sun Bob elm …             sun XXX elm ?     the neighbours of the blank recur beside the answer
    two-hop   Ann is painter … painter sang …         XXX sang ?        two facts must be combined
    counting  Ann sang . Bob sang . Ann sang …        XXX sang ?        the answer did it most often; all are named as often

The words are invented; names are drawn anew for every problem, and choices stand in the order of their first mention.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wdw_build.reading import BLANK, LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.records import pack_spans

CHOICES = 4
_SYLLABLES = ("ba", "de", "ki", "lo", "mu", "na", "re", "so", "ti", "vu")
_INVENTED = tuple("".join(pair) for pair in itertools.product(_SYLLABLES, repeat=2))
NAMES = tuple(word.capitalize() for word in _INVENTED[:30])
CONTEXTS, ALIASES, VERBS = _INVENTED[30:60], _INVENTED[60:72], _INVENTED[72:84]

Text = tuple[list[str], list[str], str]
"""Passage, question, and the name that is the answer."""


def copy_by_context(draw: random.Random, names: list[str]) -> Text:
    """Each person stands between two words of their own; the question has the answer's two words."""
    contexts = draw.sample(CONTEXTS, 2 * len(names))
    pairs = dict(zip(names, zip(contexts[::2], contexts[1::2], strict=True), strict=True))
    answer = draw.choice(names)
    passage = [word for name in names for word in (pairs[name][0], name, pairs[name][1], ".")]
    return passage, [pairs[answer][0], BLANK, pairs[answer][1], "."], answer


def two_hop(draw: random.Random, names: list[str]) -> Text:
    """Who has which alias, and which alias did what, in any order; the question asks who did something."""
    aliases, verbs = draw.sample(ALIASES, len(names)), draw.sample(VERBS, len(names))
    facts = [[name, "is", alias, "."] for name, alias in zip(names, aliases, strict=True)]
    facts += [[alias, verb, "."] for alias, verb in zip(aliases, verbs, strict=True)]
    draw.shuffle(facts)
    asked = draw.randrange(len(names))
    return list(itertools.chain(*facts)), [BLANK, verbs[asked], "."], names[asked]


def counting(draw: random.Random, names: list[str]) -> Text:
    """Every person does five things; the answer did what is asked more often than any other."""
    asked, *others = draw.sample(VERBS, 4)
    most = draw.randint(2, 4)
    answer, times = draw.choice(names), 5
    facts = []
    for name in names:
        count = most if name == answer else draw.randrange(most)
        verbs = [asked] * count + draw.choices(others, k=times - count)
        facts += [[name, verb, "."] for verb in verbs]
    draw.shuffle(facts)
    return list(itertools.chain(*facts)), [BLANK, asked, "."], answer


TASKS: dict[str, Callable[[random.Random, list[str]], Text]] = {
    "copy": copy_by_context,
    "two-hop": two_hop,
    "counting": counting,
}


@dataclass(frozen=True)
class SyntheticProblems:
    """``LabelledProblems`` of a task, made anew in every pass; the same task, split, size and seed give the same ones."""

    task: str
    split: str
    size: int
    seed: int = 0

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[LabelledProblem]:
        for number in range(self.size):
            id = f"{self.task}-{self.split}-{self.seed}-{number}"
            draw = random.Random(id)
            text = TASKS[self.task](draw, draw.sample(NAMES, CHOICES))
            yield _labelled(id, self.split, *text)


def _labelled(id: str, split: str, passage: list[str], question: list[str], answer: str) -> LabelledProblem:
    names = sorted({word for word in passage if word in NAMES}, key=passage.index)
    ends = list(itertools.accumulate(len(word) + 1 for word in passage))
    starts = [end - len(word) - 1 for word, end in zip(passage, ends, strict=True)]
    problem = ReadingProblem(
        id=id,
        question=" ".join(question),
        question_tokens=tuple(question),
        blank=question.index(BLANK),
        question_persons=(),
        passage=" ".join(passage),
        token_layout=pack_spans([(start, end - 1) for start, end in zip(starts, ends, strict=True)]),
        sentence_starts=(0, *(index + 1 for index, word in enumerate(passage[:-1]) if word == ".")),
        choices=tuple(
            ReadingChoice(
                name=name,
                tokens=(name,),
                mentions=tuple((index, index + 1) for index, word in enumerate(passage) if word == name),
            )
            for name in names
        ),
    )
    return LabelledProblem(id=id, problem=problem, answer=names.index(answer), split=split, level="strict", guesses={})
