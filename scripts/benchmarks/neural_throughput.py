"""Compares the training loop of each neural reader with the bare computation: forward pass, backward pass, optimiser's step.

``PYTHONPATH=scripts python scripts/benchmarks/neural_throughput.py [--problems FILE] [--device cuda] [--rounds N]``

Both sides train on the same batches, in the same order, in one process. The bare side has them in memory as tensors; the
loop makes the batches from encoded problems, clips the gradients and counts. On the CPU, where one thread
computes, seconds are those of the processor, so that other programs do not blur the comparison; on a GPU they are those of
the clock.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch

from wdw_bench.systems.neural import (
    AttentionSumConfig,
    AttentiveConfig,
    GatedAttentionConfig,
    ReaderConfig,
    StanfordConfig,
)
from wdw_bench.systems.neural.batches import Batch, EncodedProblem, collate
from wdw_bench.systems.neural.reader import NeuralReader
from wdw_bench.systems.torch_training import TimeEstimate, Training, reproducible, training_order
from wdw_build.core.store.jsonl import read
from wdw_build.reading import LabelledProblem, ReadingChoice, ReadingProblem, TrainingContext
from wdw_build.records import pack_spans

GOAL = 0.9
READERS = (AttentiveConfig(), StanfordConfig(), AttentionSumConfig(), GatedAttentionConfig())
_WORDS = 20_000


def _word(number: int) -> str:
    """A word of four to eight letters that differs from those of other numbers."""
    letters = "etaoinsrhl"
    return "".join(letters[int(digit)] for digit in f"{number:04d}") + letters[: number % 5]


def synthetic_problems(count: int, tokens: int, seed: int = 1) -> Iterator[LabelledProblem]:
    """Problems of four choices with three mentions each; passages of half to one and a half times ``tokens`` tokens."""
    generator = random.Random(seed)
    for number in range(count):
        size = generator.randrange(tokens // 2, tokens * 3 // 2)
        # Frequencies of words fall with their rank.
        words = [_word(int(_WORDS ** generator.random())) for _ in range(size)]
        question = [_word(int(_WORDS ** generator.random())) for _ in range(30)]
        question[10] = "XXX"
        places = sorted(generator.sample(range(0, size - 1, 2), 12))
        ends = [sum(map(len, words[:index])) + index for index in range(size)]
        choices = tuple(
            ReadingChoice(
                name=f"{words[places[choice]]} {words[places[choice] + 1]}",
                tokens=tuple(words[places[choice] : places[choice] + 2]),
                mentions=tuple((place, place + 2) for place in places[choice::4]),
            )
            for choice in range(4)
        )
        problem = ReadingProblem(
            id=f"synthetic-{number}",
            question=" ".join(question),
            question_tokens=tuple(question),
            blank=10,
            question_persons=(),
            passage=" ".join(words),
            token_layout=pack_spans([(start, start + len(word)) for start, word in zip(ends, words, strict=True)]),
            sentence_starts=(0,),
            choices=choices,
        )
        yield LabelledProblem(
            id=problem.id, problem=problem, answer=number % 4, split="train", level="strict", guesses={}
        )


def _bare_seconds(reader: NeuralReader, batches: Sequence[Batch]) -> float:
    model, optimiser = reader.model, reader.optimiser()
    model.train()
    begun = _seconds(reader.device)
    for batch in batches:
        optimiser.zero_grad(set_to_none=True)
        loss = -model(batch).gather(1, batch.answer.unsqueeze(1)).mean()
        loss.backward()
        optimiser.step()
        del loss
    return _seconds(reader.device) - begun


def _loop_seconds(
    reader: NeuralReader, settings: ReaderConfig, problems: Sequence[EncodedProblem], workspace: TrainingContext
) -> float:
    training = Training(reader, settings, (problems, ()), workspace, "throughput")
    estimate = TimeEstimate("throughput", len(problems), workspace.progress)
    begun = _seconds(reader.device)
    training.train_epoch(estimate)
    return _seconds(reader.device) - begun


def _seconds(device: str) -> float:
    """Seconds of the processor, or on a GPU of the clock when all that was started has been computed."""
    if device == "cpu":
        return time.process_time()
    torch.cuda.synchronize()
    return time.perf_counter()


def compare(settings: ReaderConfig, problems: Sequence[LabelledProblem], device: str, rounds: int) -> list[float]:
    """Throughput of the loop divided by that of the bare computation, in each round. The sides alternate."""
    with tempfile.TemporaryDirectory() as name, reproducible(device):
        workspace = TrainingContext(folder=Path(name), seed=1, device=device)
        reader = NeuralReader("throughput", settings)
        encoded, _ = reader.prepare(problems, (), workspace)
        batches = [
            collate([encoded[number] for number in numbers], reader.spellings).to(device)
            for numbers in training_order(np.array([problem.size for problem in encoded]), settings.batch, 1, 0)
        ]
        _bare_seconds(reader, batches[:1])
        ratios = []
        for number in range(rounds):
            sides = [
                lambda: _bare_seconds(reader, batches),
                lambda: _loop_seconds(reader, settings, encoded, workspace),
            ]
            seconds = {side: sides[side]() for side in ((0, 1) if number % 2 == 0 else (1, 0))}
            ratios.append(seconds[0] / seconds[1])
            speed = len(encoded) / seconds[1]
            print(f"  round {number + 1}: {speed:.1f} problems/s, ratio {ratios[-1]:.3f}", flush=True)
    return ratios


def main() -> None:
    """Print the ratio of each reader."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--problems", type=Path, help="JSON lines of labelled problems (default: synthetic ones)")
    parser.add_argument("--count", type=int, default=256, help="the number of problems (default: 256)")
    parser.add_argument("--tokens", type=int, default=400, help="mean length of synthetic passages (default: 400)")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.problems:
        problems = list(read(arguments.problems, LabelledProblem))[: arguments.count]
    else:
        problems = list(synthetic_problems(arguments.count, arguments.tokens))
    for settings in READERS:
        print(type(settings).__name__.removesuffix("Config"))
        ratio = statistics.median(compare(settings, problems, arguments.device, arguments.rounds))
        print(f"  loop / bare: {ratio:.3f} (goal: at least {GOAL})", flush=True)


if __name__ == "__main__":
    main()
