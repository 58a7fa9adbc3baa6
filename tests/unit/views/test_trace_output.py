"""The output of a trace: text of articles is neither lost nor executed, on a terminal or on a page."""

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.records import RenamedPerson
from wdw_build.views.marks import Segment
from wdw_build.views.trace import ended
from wdw_build.views.trace.records import StageOutcome, Trace, TracedArticle, TracedSentence
from wdw_build.views.trace.sections import page, text, tree_lines
from wdw_build.views.trace.terminal import Terminal, dressed

EVIL = "<script>alert(1)</script>&\x1b[31m\u202e\ud800"
TREE = "(ROOT (S (NP (NP (DT the) (NN aide)) (, ,) (NP (NNP Ann) (NNP Poole))) (VP (VBD left))))"
ANSI = re.compile("\x1b\\[[0-9;]*m")


def traced(evil=EVIL):
    return Trace(
        id=evil,
        run="tiny",
        ended=evil,
        stations=(
            StageOutcome(stage="questions", outcome="rejected", reason="coordinated", meaning=evil, detail=evil),
        ),
        article=TracedArticle(
            date=dt.date(2014, 3, 4), source=evil, kind="story", title=evil, dateline=evil, paragraphs=1, first=evil
        ),
        lead=TracedSentence(sentence=evil),
        pseudonyms=(RenamedPerson(name=evil, choice=0, code="@entity0"),),
        derived=(evil,),
    )


def test_a_page_escapes_scripts_and_control_characters():
    shown = page(traced())
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert not re.search("[\x1b\u202e\ud800]", shown)
    shown.encode()


@pytest.mark.parametrize("colour", [False, True])
def test_a_terminal_shows_control_characters_as_escapes(colour):
    shown = text(traced(), Terminal(colour, 80))
    assert "\\x1b[31m" in shown
    assert "\x1b" not in ANSI.sub("", shown)
    assert ("\x1b" in shown) is colour


def test_colour_does_not_change_the_text():
    plain, coloured = (text(traced("Ann Poole left."), Terminal(colour, 80)) for colour in (False, True))
    assert ANSI.sub("", coloured) == plain


@given(
    st.lists(
        st.tuples(st.text("ab \u00e9", min_size=1, max_size=12), st.sampled_from(["", "blank", "person"])), max_size=8
    )
)
def test_flowing_loses_no_word_and_keeps_the_width(parts):
    line = tuple(Segment(*part) for part in parts)
    flowed = Terminal(False, 40).flow(line, "  ", "    ")
    assert flowed.split() == "".join(map(dressed, line)).split()
    words = max((len(word) for word in flowed.split()), default=0)
    assert all(len(line.rstrip()) <= max(40, words + 4) for line in flowed.splitlines())


def test_the_climbed_node_is_marked_in_the_tree():
    lines = ["".join(segment.text for segment in line) for line in tree_lines(TREE, (0, 0, 2))]
    assert [line for line in lines if line.startswith(">")] == [">       (NP (NNP Ann) (NNP Poole)))"]
    whole = "".join(line.replace(">", " ") for line in lines)
    assert re.sub(r"\s+", "", whole) == re.sub(r"\s+", "", TREE)


def test_a_tree_without_a_climb_has_no_mark():
    assert ["".join(segment.text for segment in line) for line in tree_lines(TREE, None)] == [f"  {TREE}"]


def test_a_trace_shows_the_code_of_each_person():
    person = RenamedPerson(name="Ann Poole", choice=1, code="@entity3")
    shown = text(Trace(id="Q1", run="tiny", ended="", stations=(), pseudonyms=(person,)), Terminal(False, 80))
    assert re.search(r"Ann Poole +2 +@entity3", shown)


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (("written", "written"), "it is in the dataset"),
        (("written", "rejected"), "export rejected it"),
        (("not-reached", "not-run"), "pseudonyms rejected it"),
    ],
)
def test_a_problem_whose_names_cannot_be_replaced_ends_where_later_stages_say(after, words):
    states = ("written", "written", "rejected", *after)
    assert ended(MAIN_LINE, outcomes(("suppress", "problems", "pseudonyms", "split", "export"), states)).startswith(
        words
    )


MAIN_LINE = ("dedup", "suppress", "split", "export")


def outcomes(names, states):
    return tuple(StageOutcome(stage=name, outcome=state) for name, state in zip(names, states, strict=True))


def test_an_article_that_suppress_rejected_ends_there_although_problems_writes_it():
    states = ("written", "rejected", "written", "written", "not-reached", "not-reached")
    found = outcomes(("dedup", "suppress", "problems", "pseudonyms", "split", "export"), states)
    assert ended(MAIN_LINE, found).startswith("suppress rejected it")
