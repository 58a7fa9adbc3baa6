"""Examples of rejections: up to five for each reason and rule, as blocks of the stored records."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import Any

import msgspec

from wdw_build.dataset import HashSample, RefusedCandidate, Run, Table
from wdw_build.records import Rejection
from wdw_build.views.blocks import Block, prose
from wdw_build.views.marks import Segment
from wdw_build.views.record_blocks import candidate_entries, question_line, record_blocks

EXAMPLES = 5
_CANDIDATES = 3


class RejectionSampler:
    """Draws examples from the rejections of every stage by reason, and from the refused candidates by rule."""

    def __init__(self, run: Run, seed: int) -> None:
        self._run = run
        self._rejections = defaultdict[tuple[str, str], HashSample[Rejection]](
            partial(HashSample, EXAMPLES, seed, "report")
        )
        self._candidates = defaultdict[tuple[str, str], HashSample[RefusedCandidate]](
            partial(HashSample, EXAMPLES, seed, "report")
        )

    def offer_rejection(self, table: Table[Any, Any], rejection: Rejection) -> None:
        """Offer a rejection of one stage."""
        # An id can be rejected twice; the detail distinguishes the two rejections.
        self._rejections[table.name, rejection.reason].offer(f"{rejection.id} {rejection.detail}", rejection)

    def offer_candidate(self, refused: RefusedCandidate) -> None:
        """Offer a refused candidate."""
        sample = self._candidates[refused.table.name, refused.candidate.rule]
        sample.offer(f"{refused.question} {refused.candidate.article} {refused.candidate.blank}", refused)

    def of_reason(self, table: Table[Any, Any], reason: str) -> list[list[Block]]:
        """The examples of a rejection reason of a stage."""
        sample = self._rejections[table.name, reason]
        return [self._rejected(table, rejection) for rejection in sample.by_name()]

    def of_rule(self, table: Table[Any, Any], rule: str) -> list[list[Block]]:
        """The examples of a rule by which a stage refuses candidates."""
        return [self._refused(refused) for refused in self._candidates[table.name, rule].by_name()]

    def _rejected(self, table: Table[Any, Any], rejection: Rejection) -> list[Block]:
        first = msgspec.structs.replace(rejection, candidates=rejection.candidates[:_CANDIDATES])
        return [prose(Segment(rejection.id, "id")), *record_blocks(first, self._run, table.name)]

    def _refused(self, refused: RefusedCandidate) -> list[Block]:
        question = self._run.questions.find(refused.question)
        line = question_line(question.with_blank(refused.candidate.blank)) if question else ()
        asked = prose("for the question ", Segment(refused.question, "id"), "  ", *line)
        return [candidate_entries([refused.candidate], self._run), asked]
