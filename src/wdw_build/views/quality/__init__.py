"""quality: can a careful reader answer the problems? A blind sheet of problems drawn by seed, its key, and a scorer.

Follows the paper's measure of human performance (section 4): readers see question, passage and choices, and nothing else.
Left out: agreement between several readers; score each one's answers, the sheet is the same for all.
"""

from __future__ import annotations

from wdw_build.views.quality.answers import read_answers
from wdw_build.views.quality.draw import SPLITS, draw_sheet
from wdw_build.views.quality.judgements import CANNOT_TELL, FAULTS, Score, Written
from wdw_build.views.quality.score import find_key, score
from wdw_build.views.quality.sheet import write_sheet

__all__ = [
    "CANNOT_TELL",
    "FAULTS",
    "SPLITS",
    "Score",
    "Written",
    "draw_sheet",
    "find_key",
    "read_answers",
    "score",
    "write_sheet",
]
