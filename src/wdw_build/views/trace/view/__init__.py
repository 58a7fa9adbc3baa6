"""A trace as sections of blocks. ``terminal`` and ``page`` each show the same sections in their own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wdw_build.views.marks import Segment
from wdw_build.views.trace.records import StageOutcome, Trace
from wdw_build.views.trace.view.blocks import Block, Entries, Prose, Section, Table, line_of, shortened
from wdw_build.views.trace.view.first_sentence import sentence_blocks
from wdw_build.views.trace.view.passages import (
    answer_number,
    candidate_entry,
    passage_blocks,
    person_blocks,
    query_blocks,
    trial_blocks,
)
from wdw_build.views.trace.view.selection import (
    alternative_entries,
    cell_blocks,
    duplicate_blocks,
    placement_blocks,
    prediction_table,
    pseudonym_blocks,
)


def sections(trace: Trace) -> list[Section]:
    """The sections that are not empty, in the order of the stages."""
    blocks: dict[str, Iterable[Block]] = {
        "Stages": (_outcomes(trace.stations),),
        "Article": _article(trace),
        "First sentence": sentence_blocks(trace.lead) if trace.lead else (),
        "Query": query_blocks(trace),
        "Candidates": (Entries(tuple(map(candidate_entry, trace.candidates))),) if trace.candidates else (),
        "Persons of the candidates refused and of the passage": (
            block for persons in trace.casts for block in person_blocks(persons)
        ),
        "Alternatives": (alternative_entries(trace.alternatives),) if trace.alternatives else (),
        "Passage": passage_blocks(trace.passage, answer_number(trace)) if trace.passage else (),
        "Duplicate": duplicate_blocks(trace),
        "Pseudonyms": pseudonym_blocks(trace),
        "Baselines and adversaries": (prediction_table(trace),) if trace.guesses else (),
        "Suppression": cell_blocks(trace),
        "Dataset": placement_blocks(trace),
        "As a passage": trial_blocks(trace.as_passage),
        "Derived again": (Entries(tuple((line_of(part),) for part in trace.derived)),) if trace.derived else (),
    }
    all_sections = (Section(title, tuple(content)) for title, content in blocks.items())
    return [section for section in all_sections if section.blocks]


_OUTCOME_KINDS = {"written": "good", "rejected": "bad", "not-reached": "dim", "not-run": "dim"}


def _outcomes(outcomes: tuple[StageOutcome, ...]) -> Table:
    rows = []
    for outcome in outcomes:
        detail = f" ({shortened(outcome.detail)})" if outcome.detail else ""
        why = ": ".join(filter(None, [outcome.reason, outcome.meaning])) + detail
        rows.append(
            (
                line_of(Segment(outcome.stage, "strong")),
                line_of(Segment(outcome.outcome.replace("-", " "), _OUTCOME_KINDS[outcome.outcome])),
                line_of("; ".join(filter(None, [why, outcome.note]))),
            )
        )
    return Table(("stage", "outcome", "why"), tuple(rows))


def _article(trace: Trace) -> Iterator[Block]:
    article = trace.article
    if article is None:
        return
    yield Prose(line_of(f"{article.date}  {article.source}  {article.kind}  ", Segment(article.title, "strong")))
    if article.dateline:
        yield Prose(line_of(Segment(f"dateline: {article.dateline}", "dim")))
    yield Prose(line_of(article.first))
    yield Prose(line_of(Segment(f"{article.paragraphs} paragraph{'s' * (article.paragraphs != 1)}", "dim")))
