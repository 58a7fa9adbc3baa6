"""Turns the logged samples of any of these tasks into predictions for ``wdw-build bench --predictions``.

    python predictions.py < samples_wdw_DATE.jsonl > wdw.jsonl

Every lm-eval export of wdw-build holds a copy. The predictions have the order of choices of the exported lines.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any


def predictions(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The id of each sample with a score for each choice; without scores if a generated answer names no choice or several."""
    answers = importlib.import_module("answers")
    for line in lines:
        sample = json.loads(line)
        names, responses = sample["doc"]["choices"], sample["filtered_resps"]
        if isinstance(responses[0], str):
            chosen = answers.named_choice(responses[0], names)
            scores = [] if chosen is None else [float(at == chosen) for at in range(len(names))]
        else:
            scores = _likelihoods([float(response[0]) for response in responses], len(names))
            if _continuations(sample)[: len(names)] == answers.letters(len(names)):
                scores = [scores[sample["doc"]["shown"].index(at)] for at in range(len(names))]
        yield {"id": sample["doc"]["id"], "scores": scores}


def _likelihoods(logarithms: list[float], choices: int) -> list[float]:
    """A log-likelihood for each choice; less that of the choice alone, if the task asked for it too."""
    alone = logarithms[choices:] or [0.0] * choices
    return [logarithm - prior for logarithm, prior in zip(logarithms, alone, strict=False)]


def _continuations(sample: dict[str, Any]) -> list[str]:
    """The texts that were scored. The harness logs pairs as objects with numbered keys."""
    arguments = sample["arguments"]
    pairs = arguments.values() if isinstance(arguments, dict) else arguments
    return [str(pair["arg_1"] if isinstance(pair, dict) else pair[1]).strip() for pair in pairs]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    for prediction in predictions(sys.stdin):
        sys.stdout.write(json.dumps(prediction) + "\n")
