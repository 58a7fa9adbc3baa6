"""CPU seconds that each system without a neural network takes to learn from synthetic problems and to answer them.

``python scripts/benchmarks/non_neural_systems.py [--problems 10000] [--systems NAME ...]``. The problems have passages of about
250 tokens of made-up text, two to five persons and a random answer; validation has a tenth of their number. They are
stored as JSON lines and decoded in every pass, as in ``bench``. Also shows the accuracy, which should be near chance.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from synthetic.words import GIVEN, SURNAMES, tape
from wdw_build.reading import BLANK, LabelledProblem, ReadingChoice, ReadingProblem, SystemEntry, TrainingContext
from wdw_build.reading.problems import ProblemFile, write_problems
from wdw_build.records import TokenSpan
from wdw_build.registry import system_entry

NON_NEURAL = (
    "answer-position",
    "commonest-answer",
    "first-by-count",
    "frequent-by-count",
    "choices-only",
    "question-only",
    "passage-only",
    "shallow",
    "word-overlap",
    "sliding-window",
    "distance",
    "sliding-window-distance",
    "semantic-features",
)
_SENTENCES = 12
_WORDS = 18
_QUESTION_WORDS = 24


def store_problems(path: Path, count: int, split: str) -> ProblemFile:
    """Write synthetic problems; the same ones for the same split."""
    generator = random.Random(split)
    return write_problems(path, (_labelled(generator, f"{split}-{number}", split) for number in range(count)))


def _labelled(generator: random.Random, name: str, split: str) -> LabelledProblem:
    persons = [(generator.choice(GIVEN), generator.choice(SURNAMES)) for _ in range(generator.randint(2, 5))]
    passage, starts, mentions = _passage(generator, persons)
    question = _words(generator, _QUESTION_WORDS)
    blank = generator.randrange(len(question))
    question[blank] = BLANK
    choices = tuple(
        ReadingChoice(name=" ".join(person), tokens=person, mentions=tuple(mentions[person])) for person in mentions
    )
    problem = ReadingProblem(
        id=name,
        question=" ".join(question),
        question_tokens=tuple(question),
        blank=blank,
        question_persons=(),
        passage=" ".join(passage),
        token_layout=tuple(n for index, token in enumerate(passage) for n in (int(index > 0), len(token))),
        sentence_starts=tuple(starts),
        choices=choices,
    )
    answer = generator.randrange(len(choices))
    return LabelledProblem(id=name, problem=problem, answer=answer, split=split, level="strict", guesses={})


def _passage(
    generator: random.Random, persons: list[tuple[str, str]]
) -> tuple[list[str], list[int], dict[tuple[str, str], list[TokenSpan]]]:
    """Tokens, the first token of each sentence, and the mentions of each person in the order of the first mention."""
    tokens: list[str] = []
    starts: list[int] = []
    mentions: dict[tuple[str, str], list[TokenSpan]] = {}
    for _ in range(_SENTENCES):
        starts.append(len(tokens))
        person = persons[len(mentions)] if len(mentions) < len(persons) else generator.choice(persons)
        tokens += _words(generator, _WORDS // 2)
        form = person[1:] if person in mentions else person
        mentions.setdefault(person, []).append((len(tokens), len(tokens) + len(form)))
        tokens += [*form, *_words(generator, _WORDS // 2), "."]
    return tokens, starts, mentions


def _words(generator: random.Random, count: int) -> list[str]:
    words = tape()
    start = generator.randrange(len(words) - count)
    return words[start : start + count]


@dataclass(frozen=True)
class Timing:
    """CPU seconds of learning and answering, and the accuracy in percent."""

    fit: float
    choose: float
    accuracy: float


def measure(entry: SystemEntry, training: ProblemFile, validation: ProblemFile, folder: Path) -> Timing:
    """Train a system with its defaults on the training problems, and answer them again."""
    system = entry.make(entry.settings())
    begun = time.process_time()
    system.fit(training, validation, TrainingContext(folder=folder))
    fitted = time.process_time()
    predictions = list(system.choose(labelled.problem for labelled in training))
    ended = time.process_time()
    held_out = system.choose(labelled.problem for labelled in validation)
    right = sum(found.credit(labelled.answer, 0.0).share for found, labelled in zip(held_out, validation, strict=True))
    if len(predictions) != len(training):
        raise RuntimeError(f"{entry.name} gave {len(predictions)} predictions for {len(training)} problems")
    return Timing(fitted - begun, ended - fitted, 100 * right / len(validation))


def main() -> None:
    """Print a line for each system, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--systems", nargs="+", choices=NON_NEURAL, default=NON_NEURAL)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        training = store_problems(Path(folder) / "train.jsonl", options.problems, "train")
        validation = store_problems(Path(folder) / "validation.jsonl", max(options.problems // 10, 1), "validation")
        chance = sum(100 / len(labelled.problem.choices) for labelled in validation) / len(validation)
        print(f"{options.problems} problems; chance {chance:.1f}%")
        print(f"{'system':<26}{'fit s':>9}{'choose s':>10}{'accuracy %':>12}")
        total = 0.0
        for name in options.systems:
            timing = measure(system_entry(name), training, validation, Path(folder))
            total += timing.fit + timing.choose
            print(f"{name:<26}{timing.fit:>9.2f}{timing.choose:>10.2f}{timing.accuracy:>12.1f}", flush=True)
        print(f"{'all':<26}{total:>9.1f} s")


if __name__ == "__main__":
    main()
