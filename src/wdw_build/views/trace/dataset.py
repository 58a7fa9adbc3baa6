"""From problem to dataset: the duplicate that beat it, the baselines' guesses, its cell and draw, its split."""

from __future__ import annotations

import mmap

import msgspec

from wdw_build.core.hashing import uniform_hash
from wdw_build.core.store import jsonl
from wdw_build.core.store.output import Output
from wdw_build.records import BaselinePredictions, Exported, Problem, SplitAssignment, SuppressionDecision
from wdw_build.stages.suppress import cell_of
from wdw_build.text.passages.overlap import similarity
from wdw_build.text.tokens import words
from wdw_build.views.trace.run import Found, Run
from wdw_build.views.trace.steps import Cell, Duplicate, Guess, Place


def duplicate(run: Run, found: Found) -> Duplicate | None:
    """The earlier question that beat it in ``dedup``, with the similarity of the two."""
    rejection, problem = found.rejection("dedup"), found.records.get("choices")
    if rejection is None or rejection.reason != "duplicate-question" or not isinstance(problem, Problem):
        return None
    other = run.find("choices", rejection.detail)
    if not isinstance(other, Problem):
        return None
    shared = similarity(words(problem.question.sentence), words(other.question.sentence))
    return Duplicate(
        id=other.id,
        date=other.date,
        sentence=other.question.sentence,
        similarity=round(shared, 4),
        threshold=run.section("dedup").threshold,
    )


def guesses(found: Found) -> tuple[Guess, ...]:
    """What each baseline chose."""
    guessed, problem = found.records.get("baselines"), found.records.get("choices")
    if not isinstance(guessed, BaselinePredictions) or not isinstance(problem, Problem):
        return ()
    return tuple(
        Guess(
            baseline=name,
            choice=problem.choices[at].name,
            right=at == guessed.answer,
            scores=guessed.scores[name],
            tied=guessed.scores[name].count(max(guessed.scores[name])) > 1,
        )
        for name, at in guessed.guesses.items()
    )


def _of_the_cell(output: Output, choices: int, pattern: str) -> SuppressionDecision | None:
    """A kept problem of the same cell: the first whose line has these fields, searched as bytes."""
    wanted = b'"choices":%d,"cell":%s' % (choices, msgspec.json.encode(pattern))
    for part in output.manifest.parts:
        path = output.folder / part.name
        if not part.bytes:
            continue
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as lines:
            place = lines.find(wanted)
            if place >= 0:
                start = lines.rfind(b"\n", 0, place) + 1
                return jsonl.decode(lines[start : lines.find(b"\n", place)], SuppressionDecision, str(path))
    return None


def cell(run: Run, found: Found) -> Cell | None:
    """The cell, its keep rates and the draw; for a suppressed problem the draw is drawn again."""
    guessed = found.records.get("baselines")
    if not isinstance(guessed, BaselinePredictions) or "suppress" not in run.outputs:
        return None
    output, own, kept = run.outputs["suppress"], cell_of(guessed), found.records.get("suppress")
    rates = kept if isinstance(kept, SuppressionDecision) else _of_the_cell(output, own.choices, own.pattern)
    drawn = (
        kept.draw
        if isinstance(kept, SuppressionDecision)
        else uniform_hash(output.manifest.ingredients.seed, "suppress", found.id)
    )
    level = "suppressed" if not isinstance(kept, SuppressionDecision) else "strict" if kept.strict else "relaxed"
    strict, relaxed = (rates.strict_rate, rates.relaxed_rate) if rates else (None, None)
    return Cell(
        pattern=own.pattern,
        solved_by=tuple(name for name, at in guessed.guesses.items() if at == guessed.answer),
        choices=own.choices,
        draw=drawn,
        strict_rate=strict,
        relaxed_rate=relaxed,
        level=level,
        why=_why(level, drawn, strict, relaxed),
    )


def _why(level: str, drawn: float, strict: float | None, relaxed: float | None) -> str:
    if strict is None or relaxed is None:
        return "no problem of this cell was kept, so its rates are not stored"
    below_strict, below_relaxed = drawn < strict, drawn < relaxed
    expected = "strict" if below_strict else "relaxed" if below_relaxed else "suppressed"
    compared = {
        "strict": "the draw is below the strict rate",
        "relaxed": "the draw is not below the strict rate, but below the relaxed one",
        "suppressed": "the draw is below neither rate",
    }[expected]
    if expected == level:
        return compared
    repair = "rates became whole problems, and some were added or dropped so that no bound is broken"
    return f"{compared}; yet it is {level}: {repair}"


def place(run: Run, found: Found) -> Place | None:
    """The split, the level, the draw that ordered validation and test, and the files."""
    placed, exported = found.records.get("split"), found.records.get("export")
    if not isinstance(placed, SplitAssignment):
        return None
    return Place(
        split=placed.split,
        level=placed.level,
        draw=uniform_hash(run.outputs["split"].manifest.ingredients.seed, "split", found.id),
        files=exported.files if isinstance(exported, Exported) else (),
    )
