"""joined_lines: a headline or a caption that runs into a sentence is marked in sources that have such openings."""

import math

import pytest

from support.fakes import FakePageTagger
from wdw_build.records import Joined
from wdw_build.text.pages import joined_lines
from wdw_build.text.pages.first_look import Line
from wdw_build.text.pages.joined_lines import JoinedLine, joined_spans, judge, lines_to_read
from wdw_build.text.pages.profile import joined_shares
from wdw_build.text.pages.tagged_lines import KINDS

CAPTION, STORY = "Beck spoke at the harbour of Tarn", "The mayor, Ann Beck, has named a date."
OFTEN, SELDOM = Joined(openings=0.2, articles=0.3), Joined()


def marked(paragraphs, joined=OFTEN, **every):
    """The spans in a text, which is read beside another one."""
    tagger = FakePageTagger()
    texts = [list(lines_to_read(text, joined, **every)) for text in ([f"{CAPTION} {STORY}"], paragraphs)]
    return joined_spans(texts, tagger.starts, tagger.probabilities)[1]


def test_what_runs_into_the_first_sentence_is_marked_up_to_where_a_sentence_starts():
    (span,) = marked([f"{CAPTION} {STORY}"])
    assert (span.paragraph, span.start, span.end, span.kind, span.by) == (0, 0, len(CAPTION) + 1, "heading", "model")


def test_a_caption_inside_the_story_is_marked_in_a_source_with_many():
    text = ["The mayor has left.", f"She was late. {CAPTION} {STORY}"]
    (span,) = marked(text, every=True)
    assert text[1][span.start : span.end] == f"{CAPTION} "
    assert marked(text, SELDOM, every=True) == []


@pytest.mark.parametrize(
    ("text", "share"),
    [
        pytest.param(f"{CAPTION}. {STORY}", OFTEN, id="after a full stop, the first sentence is over"),
        pytest.param(f"{CAPTION}, {STORY}", OFTEN, id="after a comma, no sentence starts"),
        pytest.param(STORY, OFTEN, id="nothing is before the first word"),
        pytest.param(f"{CAPTION} {STORY}", SELDOM, id="the source hardly ever runs on, and the network is not sure"),
        pytest.param("", OFTEN, id="an empty paragraph"),
    ],
)
def test_other_openings_stay(text, share):
    assert marked([text], share) == []
    assert marked([], share) == []


def test_the_features_of_a_place_are_those_of_both_networks_and_of_the_source():
    text = f"{CAPTION} {STORY}"
    line = JoinedLine(text, Line(0, 0, len(text)), OFTEN)
    kinds = [tuple(float(number == kind) for number in range(len(KINDS))) for kind in (1, *[1] * 7, *[0] * 10)]
    ((start, features),) = line.candidates([-9.0] * 7 + [5.5] + [-9.0] * 10, kinds)
    assert start == len(CAPTION) + 1
    assert features == pytest.approx(
        {
            "start": 5.5,
            "later start": -4.0,
            "page text before": math.log(19),
            "page text after": -math.log(19),
            "share of the source": math.log(0.2),
            "inside the story": 0.0,
        }
    )


def test_the_probability_is_the_logistic_function_of_the_weighted_features(monkeypatch):
    monkeypatch.setattr(joined_lines, "_weights", lambda: {"intercept": -1.0, "start": 0.5, "inside the story": 2.0})
    assert judge({"start": 3.0, "inside the story": 0.1}) == round(1 / (1 + math.exp(-0.7)), 2)


def test_the_shares_of_a_source_are_smoothed_and_have_three_digits():
    shares = [
        joined_shares(100, {"runs on": 20, "opening runs on": 5}),
        joined_shares(3, {"runs on": 1}),
        joined_shares(0, {}),
    ]
    assert [one.openings for one in shares] == pytest.approx([5.2 / 200, 0.00194, 0.002])
    assert [one.articles for one in shares] == pytest.approx([20.2 / 200, 0.0117, 0.002])
    assert shares[2] == Joined()


def test_after_a_dateline_the_first_line_is_not_read():
    text = [f"{CAPTION} {STORY}", f"She was late. {CAPTION} {STORY}"]
    places = [[one.place for one in lines_to_read(text, OFTEN, has_dateline=known)] for known in (False, True)]
    assert places == [[(0, 0), (1, 14)], [(1, 14)]]
