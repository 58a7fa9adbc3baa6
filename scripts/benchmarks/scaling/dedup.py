#!/usr/bin/env python3
"""Runs ``dedup`` on questions of the invented wire, writes its costs, and checks part of its output by brute force.

scripts/benchmarks/scaling/dedup.py --questions 100000 300000 1000000 --work out/scale --json out/scale.jsonl
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # scripts/
from benchmarks.scaling.cost import Watch
from synthetic.wire import MOST_PER_DAY, Wire
from wdw_build.core.config.execution_settings import ExecutionConfig
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import DedupConfig
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.run.runner import Runner
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output
from wdw_build.core.tasks.job import Job
from wdw_build.ports import READER
from wdw_build.records import Mention, ProblemAlternatives, Question
from wdw_build.similarity.bags import Bags, Vocabulary, element_codes
from wdw_build.stages import dedup
from wdw_build.text.tokens import words

_CHECKED = 200


@dataclass(frozen=True)
class _Questions:
    """``PortSource`` with one port: problems that hold little more than a first sentence of the wire as their question."""

    count: int

    def get(self, port: str) -> Any:
        return self

    def identity(self, port: str) -> str:
        return f"{self.count} questions"

    def check(self, port: str) -> None:
        pass

    def preload(self, ports: Sequence[str]) -> None:
        pass

    def take_devices(self, ports: Sequence[str]) -> tuple[str, ...]:
        return ()

    def read(self) -> Iterator[ProblemAlternatives]:
        for article in itertools.islice(Wire(0, MOST_PER_DAY, one_in=1).articles(), self.count):
            sentence = article.text.partition(" _ ")[2].partition("\n")[0]
            mention = Mention(start=0, end=1, text=sentence[:1])
            question = Question(
                id=article.id,
                date=article.date,
                source=article.source,
                sentence=sentence,
                tokens=(),
                tree="",
                blank_tokens=(0, 0),
                blank=mention,
                name=mention,
                others=(),
            )
            yield ProblemAlternatives(id=article.id, question=question, passages=(), alternatives=())


def _pass_on(inputs: Iterator[ProblemAlternatives], config: Section, context: Context) -> Iterator[ProblemAlternatives]:
    yield from inputs


_CHOICES = Stage(
    name="choices",
    version=0,
    reads=(),
    writes=ProblemAlternatives,
    config=Section,
    run=_pass_on,
    ports=(READER,),
    block=0,
)


def _make(work: Path, stage: Stage, section: Section, inputs: dict[str, Output], ports: _Questions) -> Output:
    ingredients = Ingredients(
        stage=stage.name,
        version=stage.version,
        config={},
        seed=0,
        backends={"reader": ports.identity("reader")},
        inputs={name: output.manifest.content_hash for name, output in inputs.items()},
    )
    with LocalEngine(1) as engine:
        runner = Runner(work, "dedup", ExecutionConfig(), Progress(choose_mode(False)), engine)
        return runner.make(Job(stage, section, ingredients, inputs, ports))


def prove(problems: Output, kept: Output, threshold: float) -> int:
    """Compare some questions with all others; exit if the stage decided one wrongly. Return the number of questions."""
    bags, keys = Bags(Vocabulary()), []
    for problem in problems.records():
        assert isinstance(problem, ProblemAlternatives)
        bags.add(words(problem.question.sentence))
        keys.append((problem.date, problem.id))
    dropped = {rejection.id: rejection.detail for rejection in kept.rejections()}
    chosen = random.Random(0).sample(range(len(keys)), min(_CHECKED, len(keys)))
    codes, elements = np.unique(element_codes(bags.numbers, bags.starts, len(bags.vocabulary))[1], return_inverse=True)
    for number in chosen:
        found = np.zeros(len(codes), dtype=np.int32)
        found[elements[bags.starts[number] : bags.starts[number + 1]]] = 1
        shared = np.add.reduceat(found[elements], bags.starts[:-1])
        alike = np.flatnonzero(shared >= threshold * np.minimum(bags.sizes, bags.sizes[number]) - 1e-9)
        earlier = sorted(keys[at] for at in alike if keys[at] < keys[number] and keys[at][1] not in dropped)
        expected = earlier[0][1] if earlier else None
        if dropped.get(keys[number][1]) != expected:
            sys.exit(f"{keys[number][1]}: should be a duplicate of {expected}")
    return len(chosen)


def measure(work: Path, questions: int, out: Path) -> None:
    """Measure one size."""
    ports, config = _Questions(questions), DedupConfig()
    problems = _make(work, _CHOICES, Section(), {}, ports)
    with Watch() as watch:
        kept = _make(work, dedup.STAGE, config, {"choices": problems}, ports)
    figures = {"questions": questions, "stage": "dedup", "read": questions, "written": kept.manifest.written}
    line = json.dumps({**figures, **watch.figures(), "proved": prove(problems, kept, config.threshold)})
    with out.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    print(line, flush=True)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, nargs="+", required=True, metavar="N", help="sizes")
    parser.add_argument("--work", type=Path, required=True, metavar="FOLDER", help="for the records; large")
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="figures are added to it")
    options = parser.parse_args()
    if len(options.questions) == 1:
        folder = options.work / f"dedup-{options.questions[0]}"
        measure(folder, options.questions[0], options.json)
        shutil.rmtree(folder)
        return
    for questions in options.questions:
        # Each size runs in its own process, so that their peak memory is measured separately.
        command = [sys.executable, __file__, "--questions", str(questions)]
        subprocess.run([*command, "--work", str(options.work), "--json", str(options.json)], check=True)


if __name__ == "__main__":
    main()
