"""The questions that looked at an article as a passage. No key leads there: the lines of ``retrieve`` are gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.records import Candidate, Problem, Record, Rejection, Retrieval
from wdw_build.views.trace.run import Run
from wdw_build.views.trace.steps import AsPassage


def _holding(path: Path, kind: type[Record], wanted: bytes, seen: Callable[[int], None]) -> Iterator[Record]:
    """The records whose line holds some bytes; the others are not decoded."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            seen(1)
            if wanted in line:
                yield jsonl.decode(line, kind, f"{path}:{number}")


def as_passage(run: Run, article: str, seen: Callable[[int], None]) -> tuple[AsPassage, ...]:
    """Every question that tried the article, in the order of the stage. ``seen`` is told of the lines that went by."""
    if "retrieve" not in run.outputs:
        return ()
    output = run.outputs["retrieve"]
    wanted = b'"article":' + msgspec.json.encode(article)
    paths: list[tuple[Path, type[Record]]] = [(output.folder / part.name, Retrieval) for part in output.manifest.parts]
    found = []
    paths.append((output.folder / "rejections.jsonl", Rejection))
    for path, kind in paths:
        for record in _holding(path, kind, wanted, seen):
            if isinstance(record, (Retrieval, Rejection)):
                tried = next(one for one in record.candidates if one.article == article)
                found.append(_line(run, record.id, tried))
    return tuple(found)


def _line(run: Run, question: str, tried: Candidate) -> AsPassage:
    problem, rule, detail = run.find("choices", question), tried.rule, tried.detail
    chosen = isinstance(problem, Problem) and problem.passage.article == tried.article
    if not rule and not chosen:
        later = problem.refused if isinstance(problem, Problem) else _refused(run, question)
        refused = next((one for one in later if one.article == tried.article), None)
        rule, detail = (refused.rule, refused.detail) if refused else ("not-tried", "a candidate before it was taken")
    return AsPassage(
        question=question,
        rank=tried.rank,
        window=tried.window,
        score=tried.score,
        event=tried.event,
        rule=rule,
        detail=detail,
        chosen=chosen,
    )


def _refused(run: Run, question: str) -> tuple[Candidate, ...]:
    return tuple(one for rejection in run.rejections("choices", question) for one in rejection.candidates)
