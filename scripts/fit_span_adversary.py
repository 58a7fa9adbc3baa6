"""Fits the weights of the adversary ``shallow`` on files in SQuAD's format, and measures it.

    python scripts/fit_span_adversary.py --fit train-v1.1.json --held-out dev-v1.1.json --questions 2500

The model is P(span) = softmax(w . features); the fit maximises the log of the expected F1 with an L2 penalty.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.sentence_models import SentenceEncoder
from wdw_build.api import annotator
from wdw_build.reading.scoring import score
from wdw_study.spans.shallow import NAMES, Ranked, ShallowAdversary

_PENALTY = 0.3
_ROUNDS = 200


class Asked(NamedTuple):
    """A question of a SQuAD file with its gold answers."""

    passage: str
    question: str
    golds: tuple[str, ...]


def questions(paths: Sequence[Path], most: int, seed: int) -> list[Asked]:
    """At most ``most`` questions of the files, drawn at random."""
    found = sorted({asked for asked in _read(paths) if asked.golds})
    random.Random(seed).shuffle(found)
    return sorted(found[:most])


def _read(paths: Sequence[Path]) -> Iterator[Asked]:
    for path in paths:
        for article in json.loads(path.read_text())["data"]:
            for paragraph in article["paragraphs"]:
                for entry in paragraph["qas"]:
                    golds = tuple(sorted({answer["text"] for answer in entry["answers"]}))
                    yield Asked(paragraph["context"], entry["question"], golds)


def fit(adversary: ShallowAdversary, asked: Sequence[Asked]) -> dict[str, float]:
    """The weights by name, rounded to three digits."""
    ranked = [(adversary.ranked(one.passage, one.question), one.golds) for one in asked]
    tables = [(torch.from_numpy(found.rows).float(), _f1s(found, golds)) for found, golds in ranked if found.places]
    usable = [(rows, f1s) for rows, f1s in tables if f1s.max() > 0]
    print(f"{len(usable)} of {len(asked)} questions have a candidate that shares a word with the answer; "
          f"mean F1 of the best candidate {statistics.mean(float(f1s.max()) for _, f1s in tables):.3f}")  # fmt: skip
    weights = torch.zeros(len(NAMES), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=_ROUNDS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        logs = [torch.log(torch.softmax(rows @ weights, 0) @ f1s) for rows, f1s in usable]
        total = -torch.stack(logs).sum() + _PENALTY * weights.square().sum()
        total.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]  # torch leaves it untyped
    return {name: round(float(weight), 3) for name, weight in zip(NAMES, weights.detach(), strict=True)}


def _f1s(ranked: Ranked, golds: tuple[str, ...]) -> torch.Tensor:
    """The F1 of each candidate, squared so that near misses count less."""
    scores = [score([candidate.text], [[gold] for gold in golds])[1] for _, candidate in ranked.places]
    return torch.tensor(scores).square()


def measure(adversary: ShallowAdversary, asked: Sequence[Asked]) -> None:
    """Print exact match and F1 of all questions and of those with who, whom or whose, and the time of an answer."""
    adversary.answer("Ann Ames won.", "Who won?")  # loads the models
    results, seconds = [], []
    for one in asked:
        started = time.process_time()
        answer = adversary.answer(one.passage, one.question)
        seconds.append(time.process_time() - started)
        results.append((score(answer.spans, [[gold] for gold in one.golds]), _is_who(one.question)))
    for group, chosen in (("all", results), ("who", [row for row in results if row[1]])):
        exact, f1 = np.mean([row[0] for row in chosen], axis=0)
        print(f"{group:<4} n {len(chosen):>5}  EM {100 * exact:5.1f}  F1 {100 * f1:5.1f}")
    print(f"CPU seconds: median {statistics.median(seconds):.3f}, p99 {np.quantile(seconds, 0.99):.3f}, "
          f"most {max(seconds):.3f}")  # fmt: skip


def _is_who(question: str) -> bool:
    return bool({"who", "whom", "whose"} & set(question.casefold().replace("?", "").split()))


def main() -> None:
    """Fit, print the weights, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=Path, nargs="*", default=[], help="files to fit the weights on")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[], help="files with other articles to measure on")
    parser.add_argument("--questions", type=int, default=2000, help="questions drawn from each side")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tagger = annotator({"execution": {"device": "cpu"}})
    shallow = ShallowAdversary(tagger, PunktSplitter(), SentenceEncoder())
    if options.fit:
        weights = fit(shallow, questions(options.fit, options.questions, options.seed))
        print(json.dumps(weights, indent=1))
        shallow = ShallowAdversary(tagger, PunktSplitter(), SentenceEncoder(), weights)
    if options.held_out:
        measure(shallow, questions(options.held_out, options.questions, options.seed))


if __name__ == "__main__":
    main()
