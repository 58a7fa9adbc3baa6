"""``quality``: measures human accuracy. Draws a blind sheet of problems and its key, and scores a reader's answers.

Follows the paper's measure of human performance (section 4): readers see only question, passage and choices. All readers
answer the same sheet; each reader is scored separately, and agreement between readers is not computed.
"""

from __future__ import annotations

from wdw_build.views.quality.answers import read_answers
from wdw_build.views.quality.judgements import CANNOT_TELL, FAULTS, Score, Written
from wdw_build.views.quality.sample import draw_sheet
from wdw_build.views.quality.score import find_key, score
from wdw_build.views.quality.sheet import write_sheet

__all__ = [
    "CANNOT_TELL",
    "FAULTS",
    "Score",
    "Written",
    "draw_sheet",
    "find_key",
    "read_answers",
    "score",
    "write_sheet",
]
