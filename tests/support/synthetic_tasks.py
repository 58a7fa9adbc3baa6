"""Tasks for the neural readers whose answers are known by construction.

    task      passage                            question     rule
    copy      ink Ann oak . sun Bob elm …        sun XXX elm  the neighbours of the blank recur beside the answer
    two-hop   painter sang … Ann painter …       XXX sang     two facts must be combined
    counting  Ann sang . Bob sang . Ann ran …    XXX sang     the answer did it most often; all are mentioned equally often

The words are invented. Names are drawn anew for every problem. Choices are in the order of their first mention.
"""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wdw_bench.systems.neural import AS_READER, ATTENTIVE_READER, GA_READER, STANFORD_READER
from wdw_build.core.progress import Progress
from wdw_build.reading import BLANK, LabelledProblem, ReadingChoice, ReadingProblem, SystemEntry, TrainingContext
from wdw_build.records import pack_spans

_SYLLABLES = ("ba", "de", "ki", "lo", "mu", "na", "re", "so", "ti", "vu")
_INVENTED = tuple("".join(pair) for pair in itertools.product(_SYLLABLES, repeat=2))
NAMES = tuple(word.capitalize() for word in _INVENTED[:30])
CONTEXTS, ALIASES, VERBS = _INVENTED[30:46], _INVENTED[46:51], _INVENTED[51:56]

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
    """First what each alias did, then whose alias it is, both in random order; the question asks who did something.

    The alias that the question leads to must be found again after a name, so that one reading of the passage, without the
    question, would have to remember every pair. There are two or three persons: readers learn the rule from problems of two.
    """
    names = names[: draw.randint(2, 3)]
    aliases, verbs = draw.sample(ALIASES, len(names)), draw.sample(VERBS, len(names))
    deeds, owners = list(zip(aliases, verbs, strict=True)), list(zip(names, aliases, strict=True))
    draw.shuffle(deeds)
    draw.shuffle(owners)
    asked = draw.randrange(len(names))
    return list(itertools.chain(*deeds, *owners)), [BLANK, verbs[asked]], names[asked]


def counting(draw: random.Random, names: list[str]) -> Text:
    """Every person does five things; the answer did what is asked more often than any other."""
    asked, *others = draw.sample(VERBS, len(VERBS))
    most, times = draw.randint(2, 4), 5
    answer = draw.choice(names)
    deeds = []
    for name in names:
        count = most if name == answer else draw.randrange(most)
        deeds += [[name, verb, "."] for verb in [asked] * count + draw.choices(others, k=times - count)]
    draw.shuffle(deeds)
    return list(itertools.chain(*deeds)), [BLANK, asked, "."], answer


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
            text = TASKS[self.task](draw, draw.sample(NAMES, 4))
            yield _labelled(id, self.split, *text)


def _labelled(id: str, split: str, passage: list[str], question: list[str], answer: str) -> LabelledProblem:
    names = sorted({word for word in passage if word in NAMES}, key=passage.index)
    ends = list(itertools.accumulate(len(word) + 1 for word in passage))
    starts = [end - len(word) - 1 for word, end in zip(passage, ends, strict=True)]
    blank = question.index(BLANK)
    problem = ReadingProblem(
        id=id,
        before_blank=" ".join([*question[:blank], ""]),
        after_blank=" ".join(["", *question[blank + 1 :]]),
        question_tokens=tuple(question),
        blank=blank,
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


SIZES = {"hidden": 32, "dropout": 0.0, "train_vectors": True, "optimiser": "adam", "rate": 0.005}
"""Settings for all readers: a size and a rate at which each learns what it can in minutes."""
_DIMENSIONS = 32
READERS: dict[str, tuple[SystemEntry, dict[str, Any]]] = {
    "attentive-reader": (ATTENTIVE_READER, {}),
    "stanford-reader": (STANFORD_READER, {}),
    "as-reader": (AS_READER, {}),
    "ga-reader": (GA_READER, {"character_hidden": 0, "halve_from": 0}),
}


def write_vectors(path: Path, seed: int) -> Path:
    """Write word vectors with normal components, in GloVe's form: vectors of that length are told apart from the start."""
    draw = random.Random(f"vectors-{seed}")
    lines = (f"{word} {' '.join(f'{draw.gauss(0, 1):.4f}' for _ in range(_DIMENSIONS))}" for word in _INVENTED)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def accuracy(
    reader: str, training: SyntheticProblems, epochs: int, folder: Path, progress: Progress, held_out: int = 500
) -> float:
    """The share of ``held_out`` new problems of the task that a reader solves after training, with the problems' seed."""
    entry, changes = READERS[reader]
    system = entry.make(entry.settings(**SIZES, **changes, epochs=epochs, patience=epochs))
    validation, test = (
        SyntheticProblems(training.task, split, held_out, training.seed) for split in ("validation", "test")
    )
    vectors = write_vectors(folder / "vectors.txt", training.seed)
    system.fit(training, validation, TrainingContext(seed=training.seed, progress=progress, vectors=vectors))
    predictions = system.choose(labelled.problem for labelled in test)
    pairs = zip(predictions, test, strict=True)
    return statistics.fmean(prediction.credit(labelled.answer, 0.0).share for prediction, labelled in pairs)
