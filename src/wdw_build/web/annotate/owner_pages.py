"""The owner's pages: how far each person is, the scores, and the problems to adjudicate with their key."""

from __future__ import annotations

import datetime as dt
import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from starlette.datastructures import FormData

from wdw_bench.rendering import number
from wdw_build.annotation.event_log import FORGOTTEN
from wdw_build.annotation.judgements import ADJUDICATED, Adjudication
from wdw_build.annotation.people import LONGEST_NAME, OWNER_NAME, aside_of, checked_name
from wdw_build.annotation.score_records import Agreement, AnswerScore, PersonScore, Share, SheetScore
from wdw_build.annotation.sheet_folder import SheetFolder, read_judged
from wdw_build.annotation.sheet_score import Case, cases, pattern_legend, score
from wdw_build.annotation.sheets import PHENOMENA, SheetProblem
from wdw_build.annotation.study import GOLD, gold_answers, item_problems
from wdw_build.errors import UsageError
from wdw_build.views.marks import marked_question
from wdw_build.web.annotate.annotator import LONGEST_NOTE, Annotator, note_of
from wdw_build.web.annotate.annotator_pages import menu_of
from wdw_build.web.base import OWNER, Pages, require
from wdw_build.web.base.access import Form, field, labels_of, see

_ADJUDICATOR = "adjudicator"
_NO_ANSWER = "none"


class _Site(NamedTuple):
    """The owner's pages of one sheet."""

    folder: SheetFolder
    pages: Pages

    def page(self, request: Request, template: str, status: int = 200, **values: Any) -> Response:
        """A page of the owner."""
        return self.pages.render(request, template, status, menu=menu_of(request), sheet=self.folder.sheet, **values)

    def case_page(self, request: Request, case: Case, error: str = "") -> Response:
        """The page on which a problem is adjudicated."""
        return self.page(
            request,
            "case.html.j2",
            400 if error else 200,
            case=case,
            question=marked_question(case.problem.question),
            chosen_by=[_chosen_by(case, index) for index in range(len(case.problem.choices))],
            undecided=_chosen_by(case, None),
            phenomenon_words=PHENOMENA,
            labelled_by={
                label: ", ".join(each.person for each in case.judgements if label in each.phenomena)
                for label in PHENOMENA
            },
            name=request.session.get(_ADJUDICATOR, ""),
            error=error,
            fault_words=self.folder.sheet.faults,
            no_answer=_NO_ANSWER,
            longest=LONGEST_NAME,
            longest_note=LONGEST_NOTE,
        )


def owner_router(folder: SheetFolder, pages: Pages) -> APIRouter:
    """The router of one sheet, for the role of owner alone."""
    router, site = APIRouter(prefix="/owner", dependencies=[Depends(require(OWNER))]), _Site(folder, pages)

    @router.get("")
    def progress(request: Request) -> Response:
        has_gold = any(item.kind == GOLD for item in folder.study.items)
        return site.page(request, "progress.html.j2", people=list(_progress(folder)), has_gold=has_gold)

    @router.get("/scores")
    def scores(request: Request) -> Response:
        scored = score(read_judged(folder.path))
        return site.page(request, "scores.html.j2", notes=scored.notes, tables=score_tables(scored))

    @router.get("/disagreements")
    def disagreements(request: Request) -> Response:
        return site.page(request, "disagreements.html.j2", cases=list(cases(read_judged(folder.path))))

    @router.get("/problem/{number}")
    def show(request: Request, number: int) -> Response:
        return site.case_page(request, _case(folder, number))

    @router.post("/problem/{number}")
    def decide(request: Request, number: int, form: Form) -> Response:
        case = _case(folder, number)
        try:
            name, decision = checked_name(field(form, "name")), _decision(form, folder, case.problem)
        except UsageError as error:
            return site.case_page(request, case, f"{error.message}: {error.hint}.")
        request.session[_ADJUDICATOR] = name
        folder.log.append(name, ADJUDICATED, case.problem.id, decision)
        return see("/owner/disagreements")

    return router


def _progress(folder: SheetFolder) -> Iterator[dict[str, Any]]:
    """How far everyone is who signed in, in the order of signing in."""
    events = folder.log.events()
    last_times = {
        event.person: event.time
        for event in events
        if event.kind not in (ADJUDICATED, FORGOTTEN) and event.person != OWNER_NAME
    }
    judged, aside = read_judged(folder.path, list(last_times)), aside_of(events)
    gold, items = gold_answers(folder.study, events), {each.id for each in item_problems(folder.study)}
    for name, time in last_times.items():
        judgements = [judgement for judgement in judged.judgements if judgement.person == name]
        answered = [judgement for judgement in judgements if judgement.answered]
        seconds = [judgement.seconds for judgement in answered if judgement.seconds is not None]
        yield {
            "name": name,
            "aside": name in aside,
            "answered": len(answered),
            "all": len({each.id for each in Annotator(folder, name).problems} - items),
            "gold": " of ".join(map(str, gold.get(name, ()))) or "-",
            "cannot_tell": sum(judgement.answer is None and not judgement.phenomena for judgement in answered),
            "faulty": sum(bool(judgement.faults) for judgement in judgements),
            "median_seconds": statistics.median(seconds) if seconds else None,
            "last_seen": f"{dt.datetime.fromtimestamp(time, dt.UTC):%Y-%m-%d %H:%M} UTC",
        }


def _case(folder: SheetFolder, number: int) -> Case:
    """The problem with this number. Raises 404 if there is nothing to adjudicate under it."""
    case = next((case for case in cases(read_judged(folder.path)) if case.problem.number == number), None)
    if case is None:
        raise HTTPException(404, "There is nothing to adjudicate under this number.")
    return case


def _decision(form: FormData, folder: SheetFolder, problem: SheetProblem) -> Adjudication:
    """The decision of a form. Raises ``UsageError`` if a part is missing, and 400 for an unknown label."""
    faults, note = labels_of(form, "fault", folder.sheet.faults), note_of(form)
    if folder.sheet.task == "phenomena":
        phenomena = labels_of(form, "phenomenon", PHENOMENA)
        if not phenomena and not faults:
            raise UsageError("no label was chosen", hint="choose at least one, or mark what is wrong with the problem")
        return Adjudication(None, faults, note, phenomena)
    given = field(form, "answer")
    choices = {str(index): index for index in range(len(problem.choices))}
    if given not in (*choices, _NO_ANSWER):
        raise UsageError("no answer was chosen", hint="choose one, or that none is right")
    return Adjudication(choices.get(given), faults, note)


def _chosen_by(case: Case, index: int | None) -> str:
    """The names of the people who gave an answer, separated by commas."""
    return ", ".join(
        judgement.person
        for judgement in case.judgements
        if judgement.answered and not judgement.phenomena and judgement.answer == index
    )


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
        ("person", "answered", "cannot tell", "accuracy (95%)", "without cannot tell", "median seconds"),
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
    yield ScoreTable("All people together", ("", "accuracy (95%)"), rows)
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
        ("baseline", "accuracy (95%)", "same as people"),
        [(name, _share(each.accuracy), number(each.agreement.share)) for name, each in answers.baselines.items()],
    )
    yield ScoreTable(
        "Accuracy by kind of problem",
        ("kind", "problems", "accuracy (95%)", "chance"),
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
