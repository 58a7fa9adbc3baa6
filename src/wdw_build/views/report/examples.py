"""Examples of rejections and of refused candidates, as blocks of the stored records."""

from __future__ import annotations

from typing import Any

import msgspec

from wdw_build.dataset import RefusedCandidate, Run, Table
from wdw_build.records import Rejection
from wdw_build.views.blocks import Block, prose
from wdw_build.views.marks import Segment
from wdw_build.views.record_blocks import candidate_entries, question_line, record_blocks

_CANDIDATES = 3


def of_rejection(run: Run, table: Table[Any, Any], rejection: Rejection) -> list[Block]:
    """A rejection of a stage, with its first refused candidates."""
    first = msgspec.structs.replace(rejection, candidates=rejection.candidates[:_CANDIDATES])
    return [prose(Segment(rejection.id, "id")), *record_blocks(first, run, table.name)]


def of_candidate(run: Run, refused: RefusedCandidate) -> list[Block]:
    """A refused candidate, with the question that it was refused for."""
    question = run.questions.find(refused.question)
    line = question_line(question.with_blank(refused.candidate.blank)) if question else ()
    asked = prose("for the question ", Segment(refused.question, "id"), "  ", *line)
    return [candidate_entries([refused.candidate], run), asked]
