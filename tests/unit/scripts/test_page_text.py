"""measure_page_text counts the removed and the marked words of an article; the labels hold no text."""

from __future__ import annotations

import json
from pathlib import Path

from measure_page_text import tally
from support import make

ROOT = Path(__file__).parents[3]

LABELS = ROOT / "data" / "labels" / "page_text_test.jsonl"


def test_words_that_are_removed_and_marked_are_counted():
    raw = make.raw("a", paragraphs=("The ferry sank. Read more here", "Nobody was hurt."))
    cleaned = make.article("a", "The ferry sank. Nobody hurt.")
    counts = tally(raw, cleaned, [(16, 30)])
    assert counts == {"articles": 1, "removed": 4, "right": 3, "marked": 3, "left": 0}


def test_the_labels_hold_ids_and_spans_in_order():
    for line in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines()):
        assert set(line) == {"corpus", "id", "page"}
        assert all(start < end for start, end in line["page"])
        assert line["page"] == sorted(line["page"])
