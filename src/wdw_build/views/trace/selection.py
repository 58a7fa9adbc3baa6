"""From problem to dataset: the earlier duplicate, the baselines' predictions, the cell and its keep rates, the split."""

from __future__ import annotations

import mmap

import msgspec

from wdw_build.core.hashing import uniform_hash
from wdw_build.core.store import jsonl
from wdw_build.core.store.output import Output
from wdw_build.dataset import History, Run
from wdw_build.records import SuppressionDecision
from wdw_build.stages.suppress import cell_of
from wdw_build.text.passages.overlap import similarity
from wdw_build.text.tokens import words
from wdw_build.views.trace.records import BaselineGuess, DatasetPlacement, EarlierDuplicate, SuppressionCell

DUPLICATE = "duplicate-question"


def duplicate(run: Run, history: History) -> EarlierDuplicate | None:
    """The earlier question that ``dedup`` kept in place of this problem, with the similarity of the two."""
    rejection, problem = history.rejection(run.distinct_problems), history.record(run.raw_problems)
    if rejection is None or rejection.reason != DUPLICATE or problem is None:
        return None
    earlier = run.raw_problems.find(rejection.detail)
    if earlier is None:
        return None
    shared = similarity(words(problem.question.sentence), words(earlier.question.sentence))
    return EarlierDuplicate(
        id=earlier.id,
        date=earlier.date,
        sentence=earlier.question.sentence,
        similarity=round(shared, 4),
        threshold=run.distinct_problems.settings.threshold,
    )


def guesses(run: Run, history: History) -> tuple[BaselineGuess, ...]:
    """The prediction of each baseline."""
    predictions, problem = history.record(run.predictions), history.record(run.raw_problems)
    if predictions is None or problem is None:
        return ()
    return tuple(
        BaselineGuess(
            baseline=name,
            choice=problem.choices[choice].name,
            right=choice == predictions.answer,
            scores=predictions.scores[name],
            tied=predictions.scores[name].count(max(predictions.scores[name])) > 1,
        )
        for name, choice in predictions.guesses.items()
    )


def cell(run: Run, history: History) -> SuppressionCell | None:
    """The cell, its keep rates and the draw. For a suppressed problem the draw is computed again."""
    predictions, decision = history.record(run.predictions), history.record(run.decisions)
    if predictions is None or not run.decisions.exists:
        return None
    problem_cell = cell_of(predictions)
    rates = decision or _kept_in_cell(run.decisions.output, problem_cell.choices, problem_cell.pattern)
    strict, relaxed = (rates.strict_rate, rates.relaxed_rate) if rates else (None, None)
    seed = run.decisions.manifest.ingredients.seed
    draw = decision.draw if decision else uniform_hash(seed, run.decisions.name, history.id)
    level = "suppressed" if decision is None else "strict" if decision.strict else "relaxed"
    return SuppressionCell(
        pattern=problem_cell.pattern,
        solved_by=tuple(name for name, choice in predictions.guesses.items() if choice == predictions.answer),
        choices=problem_cell.choices,
        draw=draw,
        strict_rate=strict,
        relaxed_rate=relaxed,
        level=level,
        why=_why(level, draw, strict, relaxed),
    )


def _kept_in_cell(output: Output, choices: int, pattern: str) -> SuppressionDecision | None:
    """The first kept problem of the cell. Searches the bytes for the cell's fields and decodes only the line with them."""
    wanted = b'"choices":%d,"cell":%s' % (choices, msgspec.json.encode(pattern))
    for part in output.manifest.parts:
        path = output.folder / part.name
        if not part.bytes:
            continue
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as lines:
            offset = lines.find(wanted)
            if offset >= 0:
                start = lines.rfind(b"\n", 0, offset) + 1
                return jsonl.decode(lines[start : lines.find(b"\n", offset)], SuppressionDecision, str(path))
    return None


_COMPARED = {
    "strict": "the draw is below the strict rate",
    "relaxed": "the draw is at or above the strict rate, and below the relaxed rate",
    "suppressed": "the draw is at or above both rates",
}


def _why(level: str, draw: float, strict: float | None, relaxed: float | None) -> str:
    if strict is None or relaxed is None:
        return "no problem of this cell was kept, so its rates are not stored"
    expected = "strict" if draw < strict else "relaxed" if draw < relaxed else "suppressed"
    if expected == level:
        return _COMPARED[expected]
    repair = "when rates were rounded to whole problems, some were added or dropped so that every bound holds"
    return f"{_COMPARED[expected]}, but the problem is {level}: {repair}"


def placement(run: Run, history: History) -> DatasetPlacement | None:
    """The split, the level, the draw that orders validation and test, and the files."""
    assignment, exported = history.record(run.assignments), history.record(run.exported)
    if assignment is None:
        return None
    return DatasetPlacement(
        split=assignment.split,
        level=assignment.level,
        draw=uniform_hash(run.assignments.manifest.ingredients.seed, run.assignments.name, history.id),
        files=exported.files if exported else (),
    )
