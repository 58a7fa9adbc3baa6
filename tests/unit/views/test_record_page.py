"""The page of an id: text of articles is neither lost nor executed, on a terminal or on a page; where an id ended."""

import datetime as dt
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.records import Article, Rejection
from wdw_build.views.blocks import Segment, Terminal, dressed
from wdw_build.views.dataset import Run
from wdw_build.views.record_page import RecordPage, StageOutcome, ended, page_html, page_text

EVIL = "<script>alert(1)</script>&\x1b[31m\u202e\ud800"
EMPTY = Run(Path("tiny"), {})
ANSI = re.compile("\x1b\\[[0-9;]*m")


def page(evil=EVIL):
    texts = dict.fromkeys(("id", "source", "title", "dateline"), evil)
    article = Article(date=dt.date(2014, 3, 4), kind="story", paragraphs=(evil,), **texts)
    rejection = Rejection(id=evil, reason="coordinated", detail=evil)
    stages = (
        StageOutcome(stage="ingest", outcome="written", record=article),
        StageOutcome(stage="questions", outcome="rejected", meaning=evil, rejections=(rejection,)),
    )
    return RecordPage(id=evil, run="tiny", ended=evil, stages=stages)


def test_a_page_escapes_scripts_and_control_characters():
    shown = page_html(page(), EMPTY)
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert not re.search("[\x1b\u202e\ud800]", shown)
    shown.encode()


@pytest.mark.parametrize("colour", [False, True])
def test_a_terminal_shows_control_characters_as_escapes(colour):
    shown = page_text(page(), Terminal(colour, 80), EMPTY)
    assert "\\x1b[31m" in shown
    assert "\x1b" not in ANSI.sub("", shown)
    assert ("\x1b" in shown) is colour


def test_colour_does_not_change_the_text():
    plain, coloured = (page_text(page("Ann Poole left."), Terminal(colour, 80), EMPTY) for colour in (False, True))
    assert ANSI.sub("", coloured) == plain


PARTS = st.tuples(st.text("ab \u00e9", min_size=1, max_size=12), st.sampled_from(["", "blank", "person"]))


@given(st.lists(PARTS, max_size=8))
def test_flowing_loses_no_word_and_keeps_the_width(parts):
    line = tuple(Segment(*part) for part in parts)
    flowed = Terminal(False, 40).flow(line, "  ", "    ")
    assert flowed.split() == "".join(map(dressed, line)).split()
    words = max((len(word) for word in flowed.split()), default=0)
    assert all(len(line.rstrip()) <= max(40, words + 4) for line in flowed.splitlines())


ENDS = [
    ("written written written rejected written written", "it is in the dataset"),
    ("written written written rejected written rejected", "export rejected it"),
    ("written written written rejected not-reached not-run", "pseudonyms rejected it"),
    ("written rejected written written not-reached not-reached", "suppress rejected it"),
]


@pytest.mark.parametrize(("states", "words"), ENDS)
def test_an_article_ends_where_later_stages_say_whatever_problems_and_pseudonyms_did(states, words):
    stages = "dedup suppress problems pseudonyms split export".split()
    found = (StageOutcome(stage=name, outcome=state) for name, state in zip(stages, states.split(), strict=True))
    assert ended(("dedup", "suppress", "split", "export"), tuple(found)).startswith(words)
