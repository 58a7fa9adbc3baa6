"""The report: one HTML page about a run, without scripts or network access: numbers, charts, examples, problems.

Examples and problems are sampled by a hash of seed and id, so that the same run gives the same bytes. Templates and charts
escape the text of articles.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
import yaml
from markupsafe import Markup

from wdw_build.core.progress import Progress
from wdw_build.records import Rejection
from wdw_build.similarity.leaks import KINDS
from wdw_build.views import fact_tables
from wdw_build.views.blocks import Block, Segment, prose
from wdw_build.views.charts import rows, stacked
from wdw_build.views.dataset import (
    SCORES,
    WHOLE_NUMBERS,
    Facts,
    HashSample,
    JoinedProblem,
    RefusedCandidate,
    Run,
    Table,
    most_frequent_first,
    refused_candidates,
)
from wdw_build.views.pages import html_environment
from wdw_build.views.record_blocks import candidate_entries, question_line, record_blocks
from wdw_build.views.sections import ReportSection

PROBLEMS = 20
# For each reason and rule.
EXAMPLES = 5
# Its chart is of strict problems, beside what random positions would give.
_POSITION = "answer position"


class Reason(NamedTuple):
    """A rejection reason or refusal rule with its count and examples."""

    name: str
    total: int
    examples: list[list[Block]]


class Losses(NamedTuple):
    """The rejections of one stage: inputs by reason, candidates by rule."""

    stage: str
    reasons: list[Reason]
    rules: list[Reason]


def page(run: Run, facts: Facts, sections: Sequence[ReportSection], seed: int, progress: Progress) -> str:
    """The page. ``seed`` draws the examples and the problems."""
    template = html_environment().get_template("report.html.j2")
    return template.render(
        facts=facts,
        tables=fact_tables,
        sections=sections,
        kinds=KINDS,
        seed=seed,
        losses=_losses(run, facts, seed, progress),
        charts=_charts(facts),
        problems=_problems(run, seed),
        configuration=yaml.safe_dump(run.config(), sort_keys=False, allow_unicode=True),
    )


def _losses(run: Run, facts: Facts, seed: int, progress: Progress) -> list[Losses]:
    new = partial(HashSample, EXAMPLES, seed, "report")
    rejected: defaultdict[tuple[str, str], HashSample[Rejection]] = defaultdict(new)
    refused: defaultdict[tuple[str, str], HashSample[RefusedCandidate]] = defaultdict(new)
    tables = [table for table in run.tables.values() if table.exists]
    with progress.bar("rejections", sum(table.manifest.rejected for table in tables), "records") as bar:
        for table in tables:
            for rejection in table.rejections():
                # An id can be rejected twice; the detail distinguishes the two rejections.
                rejected[table.name, rejection.reason].offer(f"{rejection.id} {rejection.detail}", rejection)
                bar.advance()
    for refusal in refused_candidates(run):
        candidate, name = refusal.candidate, f"{refusal.question} {refusal.candidate.article} {refusal.candidate.blank}"
        refused[refusal.table.name, candidate.rule].offer(name, refusal)
    losses = []
    for table in tables:
        reasons = [
            Reason(
                name, count, [of_rejection(run, table, rejection) for rejection in rejected[table.name, name].by_name()]
            )
            for name, count in most_frequent_first(facts.rejections.get(table.name, {}))
        ]
        rules = [
            Reason(name, count, [of_candidate(run, refusal) for refusal in refused[table.name, name].by_name()])
            for name, count in most_frequent_first(facts.refused.get(table.name, {}))
        ]
        losses.append(Losses(table.name, reasons, rules))
    return losses


def _charts(facts: Facts) -> Mapping[str, Markup]:
    predictors = [(name, row) for name, row in fact_tables.predictors(facts) if not name.endswith(": chance")]
    levels = zip(*(fact_tables.levels(row) for _, row in predictors), strict=True)
    months = facts.distributions.get("month", {})
    charts = {
        "accuracies": rows(
            "Accuracy before and after suppression",
            dict(zip(("before suppression", "strict", "relaxed"), levels, strict=True)),
            [name for name, _ in predictors],
        ),
        "months": stacked(
            "Problems per month",
            {part: [by_split.get(part, 0) for by_split in months.values()] for part in fact_tables.PARTS},
            list(months),
        ),
        f"{_POSITION}, strict problems": _positions(facts),
    }
    for name in (name for name in (*WHOLE_NUMBERS, *SCORES) if name != _POSITION):
        if counts := fact_tables.totals(fact_tables.values(facts, name)):
            charts[name] = rows(name, {"problems": list(counts.values())}, list(counts))
    return charts


def _positions(facts: Facts) -> Markup:
    """Strict problems by the position of the answer, beside what random positions would give."""
    positions, choices = (
        fact_tables.totals(facts.distributions.get(name, {}), fact_tables.STRICT) for name in (_POSITION, "choices")
    )
    places = range(1, max(map(int, choices), default=1) + 1)
    at_random = [sum(count / int(size) for size, count in choices.items() if int(size) >= place) for place in places]
    series: dict[str, list[float]] = {
        "problems": [positions.get(str(place), 0) for place in places],
        "at random": at_random,
    }
    return rows(f"{_POSITION}, strict problems", series, list(map(str, places)))


def _problems(run: Run, seed: int) -> list[JoinedProblem]:
    sample = HashSample[JoinedProblem](PROBLEMS, seed, "report problems")
    for joined in run.problems():
        sample.offer(joined.id, joined)
    return sample.by_hash()


# ---- examples of rejections and of refused candidates, as blocks of the stored records -------------------------------

_CANDIDATES = 3


def of_rejection(run: Run, table: Table[Any, Any], rejection: Rejection) -> list[Block]:
    """A rejection of a stage, with its first refused candidates."""
    first = msgspec.structs.replace(rejection, candidates=rejection.candidates[:_CANDIDATES])
    return [prose(Segment(rejection.id, "id")), *record_blocks(first, run, table.name)]


def of_candidate(run: Run, refused: RefusedCandidate) -> list[Block]:
    """A refused candidate, with the question that it was refused for."""
    question = run.questions.find(refused.question)
    line = question_line(question.with_blank(refused.candidate.blank)) if question else ()
    question_block = prose("for the question ", Segment(refused.question, "id"), "  ", *line)
    return [candidate_entries([refused.candidate], run), question_block]
