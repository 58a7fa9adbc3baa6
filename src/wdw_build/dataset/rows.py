"""The dataset as a flat table: one row for each problem and split, for pandas and the Hugging Face library ``datasets``."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import msgspec

from wdw_build.dataset.problems import JoinedProblem
from wdw_build.reading import BLANK


class ProblemRow(msgspec.Struct, frozen=True, kw_only=True):
    """One problem. ``question`` has ``XXX`` for the blank; ``answer`` is an index into ``choices``.

    ``solved_by`` names the baselines that chose the answer. A problem of ``train`` is also a row of ``train.relaxed``.
    """

    id: str
    split: str
    level: str
    date: dt.date
    source: str
    question: str
    deleted: str
    passage_id: str
    passage_date: dt.date
    passage_source: str
    passage_title: str
    passage: str
    choices: tuple[str, ...]
    answer: int
    window: int
    bm25: float
    event_score: float | None
    solved_by: tuple[str, ...]


def problem_rows(joined: JoinedProblem) -> Iterator[ProblemRow]:
    """A row for each split that the problem belongs to; none if it is not in the dataset."""
    problem, question, passage = joined.problem, joined.problem.question, joined.problem.passage
    for split in joined.splits:
        yield ProblemRow(
            id=problem.id,
            split=split,
            level=joined.assignment.level if joined.assignment else "",
            date=problem.date,
            source=question.source,
            question=f"{question.left}{BLANK}{question.right}",
            deleted=question.blank.text,
            passage_id=passage.article,
            passage_date=passage.date,
            passage_source=passage.source,
            passage_title=passage.title,
            passage=passage.text,
            choices=tuple(choice.name for choice in problem.choices),
            answer=problem.answer,
            window=problem.window,
            bm25=problem.score,
            event_score=problem.event_score,
            solved_by=joined.solved_by,
        )
