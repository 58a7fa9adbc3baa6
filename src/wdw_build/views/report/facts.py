"""All that the page shows of one run, gathered in three passes: what was turned away, the cells, the problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from wdw_build.core.run.progress import Bar, Progress
from wdw_build.core.stage import Stage
from wdw_build.core.store.output import Output
from wdw_build.dataset import Run
from wdw_build.records import BaselinePredictions, Problem, Retrieval, SplitAssignment, SuppressionDecision
from wdw_build.views.quality import draw_sheet
from wdw_build.views.quality.judgements import KeyLine, SheetLine
from wdw_build.views.report.examples import Example, Turned
from wdw_build.views.report.funnel import Step, steps
from wdw_build.views.report.numbers import Cells, Problems
from wdw_build.views.summary import Summary, summarise

SHOWN_PROBLEMS = 20


@dataclass(frozen=True)
class Reason:
    """A reason or rule with its meaning, its count and examples."""

    name: str
    meaning: str
    count: int
    examples: list[Example]


class Losses(NamedTuple):
    """What one stage turned away: inputs by reason, candidates by rule."""

    stage: str
    reasons: tuple[Reason, ...]
    rules: tuple[Reason, ...]


class Shown(NamedTuple):
    """A problem as a reader would see it, and its key."""

    line: SheetLine
    key: KeyLine
    left: str
    right: str


class Facts(NamedTuple):
    """One run, ready to be shown."""

    run: Run
    seed: int
    summary: Summary
    config: dict[str, Any]
    steps: list[Step]
    losses: list[Losses]
    problems: Problems
    cells: Cells
    shown: list[Shown]


def gather(run: Run, stages: Mapping[str, Stage], seed: int, progress: Progress) -> Facts:
    """Read a run. ``seed`` draws the examples and the problems shown."""
    outputs = run.outputs
    with progress.bar("report", _total(outputs), "records") as bar:
        turned, counted, problems = _turned(outputs, seed, bar), _cells(outputs, bar), _problems(outputs, bar)
    summary = summarise(run.folder, outputs)
    return Facts(
        run=run,
        seed=seed,
        summary=summary,
        config=run.config(),
        steps=steps(outputs),
        losses=[_losses(stage, summary, turned, outputs) for stage in stages.values()],
        problems=problems,
        cells=counted,
        shown=_shown(outputs, seed),
    )


def _turned(outputs: Mapping[str, Output], seed: int, bar: Bar) -> Turned:
    turned = Turned(seed)
    for stage, output in outputs.items():
        for rejection in output.rejections():
            turned.rejection(stage, rejection)
            bar.advance()
    # Refused candidates of the questions that came through.
    for retrieval in cast(Iterator[Retrieval], outputs["retrieve"].records()):
        turned.candidates("retrieve", retrieval.id, retrieval.candidates)
        bar.advance()
    for problem in cast(Iterator[Problem], outputs["choices"].records()):
        turned.candidates("choices", problem.id, problem.refused)
        bar.advance()
    return turned


def _cells(outputs: Mapping[str, Output], bar: Bar) -> Cells:
    counted = Cells()
    for guesses in cast(Iterator[BaselinePredictions], outputs["baselines"].records()):
        counted.add(guesses)
        bar.advance()
    for kept in cast(Iterator[SuppressionDecision], outputs["suppress"].records()):
        counted.keep(kept)
        bar.advance()
    return counted


def _problems(outputs: Mapping[str, Output], bar: Bar) -> Problems:
    problems = Problems()
    for placed in cast(Iterator[SplitAssignment], outputs["split"].records()):
        problems.add(placed, cast(Problem, outputs["dedup"].find(placed.id)))
        bar.advance()
    return problems


def _shown(outputs: Mapping[str, Output], seed: int) -> list[Shown]:
    count = min(SHOWN_PROBLEMS, outputs["split"].manifest.written)
    found = []
    for line, key in zip(*draw_sheet(outputs, count, seed), strict=True):
        asked = cast(Problem, outputs["dedup"].find(key.id)).question
        found.append(Shown(line, key, asked.left, asked.right))
    return found


def _total(outputs: Mapping[str, Output]) -> int:
    whole = ("retrieve", "choices", "baselines", "suppress", "split")
    return sum(output.manifest.rejected for output in outputs.values()) + sum(
        outputs[name].manifest.written for name in whole
    )


def _losses(stage: Stage, summary: Summary, turned: Turned, outputs: Mapping[str, Output]) -> Losses:
    return Losses(
        stage.name,
        _reasons(summary.rejections.get(stage.name, {}), stage.reasons, turned.by_reason(stage.name, outputs)),
        _reasons(summary.refused.get(stage.name, {}), stage.rules, turned.by_rule(stage.name, outputs)),
    )


def _reasons(
    counts: Mapping[str, int], meanings: Mapping[str, str], examples: Mapping[str, list[Example]]
) -> tuple[Reason, ...]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Reason(name, meanings.get(name, ""), count, examples.get(name, [])) for name, count in ordered)
