"""The score of a sheet as tables for the owner's page. ``annotate score`` prints the same figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.annotation.score_records import Agreement, AnswerScore, PersonScore, Share, SheetScore
from wdw_build.annotation.sheet_score import pattern_legend
from wdw_build.views.bench_tables import number


class ScoreTable(NamedTuple):
    """A table: its heading, the heads of its columns, and rows whose first cell names the row."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    legend: str = ""


def score_tables(scored: SheetScore) -> list[ScoreTable]:
    """The tables of a score; those without rows are left out."""
    tables = [_persons(scored.persons), *(_answers(scored.answers) if scored.answers else ()), *_labels(scored)]
    return [table for table in tables if table.rows]


def _labels(scored: SheetScore) -> Iterator[ScoreTable]:
    """The tables of phenomena, of faults and of adjudicated problems."""
    yield ScoreTable(
        "Phenomena",
        ("label", "share", "by the majority", "adjudicated", "same", "alpha"),
        [
            (label, _share(each.share), str(each.majority.part), _share(each.adjudicated), *_agreed(each.agreement))
            for label, each in scored.phenomena.items()
        ],
    )
    yield ScoreTable(
        "Faults",
        ("fault", "problems", "marked by several", "same", "alpha"),
        [
            (label, str(fault.problems), str(fault.by_several), *_agreed(fault.agreement))
            for label, fault in scored.faults.items()
        ],
    )
    if scored.adjudication is not None:
        rows = [
            ("key right", _share(scored.adjudication.key_right)),
            ("key wrong", _share(scored.adjudication.key_wrong)),
            ("no single right choice", _share(scored.adjudication.undecidable)),
            ("accuracy by the adjudicated key", _share(scored.adjudication.accuracy)),
        ]
        yield ScoreTable("Adjudicated problems", ("", "share"), rows)


def _persons(persons: Sequence[PersonScore]) -> ScoreTable:
    return ScoreTable(
        "People",
        ("person", "answered", "cannot tell", "accuracy (95 %)", "without cannot tell", "median seconds"),
        [
            (
                person.person,
                str(person.answered),
                str(person.cannot_tell),
                _share(person.accuracy),
                _share(person.accuracy_of_decided),
                f"{person.seconds.median:.0f}" if person.seconds else "-",
            )
            for person in persons
        ],
    )


def _answers(answers: AnswerScore) -> Iterator[ScoreTable]:
    rows = [
        ("human performance (all answers)", _share(answers.accuracy)),
        ("answer of the majority", _share(answers.majority)),
        ("chance", number(answers.chance)),
        ("Krippendorff's alpha", number(answers.agreement.alpha)),
    ]
    yield ScoreTable("All people together", ("", "accuracy (95 %)"), rows)
    yield ScoreTable(
        "Agreement of two people",
        ("people", "problems", "same answer", "Cohen's kappa"),
        [
            (f"{pair.first}, {pair.second}", str(pair.problems), number(pair.same), number(pair.kappa))
            for pair in answers.agreement.pairs
        ],
    )
    yield ScoreTable(
        "Baselines on the same problems",
        ("baseline", "accuracy (95 %)", "same as people"),
        [(name, _share(each.accuracy), number(each.agreement.share)) for name, each in answers.baselines.items()],
    )
    yield ScoreTable(
        "Accuracy by kind of problem",
        ("kind", "problems", "accuracy (95 %)", "chance"),
        [
            (f"{group.field}: {group.value or '-'}", str(group.problems), _share(group.accuracy), number(group.chance))
            for group in answers.groups
        ],
        pattern_legend(answers),
    )


def _agreed(agreement: Agreement) -> tuple[str, str]:
    return number(agreement.same), number(agreement.alpha)


def _share(share: Share | None) -> str:
    """A share with its interval and counts; - without cases."""
    if share is None or share.share is None:
        return "-"
    low, high = share.interval
    return f"{number(share.share)} ({number(low)} to {number(high)}; {share.part} of {share.whole})"
