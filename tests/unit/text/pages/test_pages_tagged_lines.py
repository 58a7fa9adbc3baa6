"""tagged_lines: the lines that a first look does not clear are read by a tagger, and cut as a whole or in part."""

import pytest

from support.fakes import FakePageTagger
from support.tables import cases
from wdw_build.text.pages.first_look import judged, lines_of
from wdw_build.text.pages.profile import line_key
from wdw_build.text.pages.tagged_lines import GATE, PARAGRAPH, SIZE, Reading, Word, _windows, marks_of_lines

STORY = "The president of the ferry company, Ann Ames, told reporters in Tarn on Monday that two ships were lost."
NOTICE = "SIGN UP FOR OUR NEWSLETTER AND SHARE THIS STORY"
STORY_KIND, PAGE_KIND = (1.0, 0.0, 0.0, 0.0, 0.0), (0.1, 0.9, 0.0, 0.0, 0.0)


def found(*paragraphs: str, gate: float = GATE) -> list[str]:
    reading = Reading(paragraphs, "", gate)
    spans = reading.spans(FakePageTagger().probabilities(reading.texts))
    return [paragraphs[one.paragraph][one.start : one.end] for one in spans]


def test_a_line_that_both_find_likely_is_cut_as_a_whole():
    assert found(STORY, NOTICE) == [NOTICE]


def test_the_first_look_clears_a_sentence_of_news_and_not_a_notice():
    story, notice = judged([STORY, NOTICE])
    assert story.odds < -3 < 0 < notice.odds


def test_a_text_without_any_other_line_keeps_all():
    assert found(NOTICE) == []


def test_lines_are_sentences_and_keep_their_places():
    text = ["Dr. Ames left on Aug. 2. She said: “No.” Two sank in Calif. He slept.", "It rained."]
    lines = [text[line.paragraph][line.start : line.end] for line in lines_of(text)]
    assert lines == ["Dr. Ames left on Aug. 2.", "She said: “No.”", "Two sank in Calif.", "He slept.", "It rained."]


@pytest.mark.parametrize("size", [1, SIZE - 1, SIZE, SIZE + 1, 3 * SIZE + 7])
def test_every_word_counts_in_one_window(size: int) -> None:
    words = [Word(PARAGRAPH, -1), *(Word(str(number), number) for number in range(size - 1))]
    assert [window[number] for window, numbers in _windows(words) for number in numbers] == words
    assert all(len(window) <= SIZE for window, _ in _windows(words))


# Case, line, and what is cut from it.
ENDS = """
glued words at the start | x:PLEASE SHARE THIS STORY/now The mayor of Tarn left. | x:PLEASE SHARE THIS STORY/now
glued words at the end | The mayor of Tarn left on Monday in a coat that he was lent PLEASE SHARE THIS STORY/now
    | PLEASE SHARE THIS STORY/now
a link without a space after it | (CLICK HERE TO SEE ALL SHARES AND RATINGS)The mayor of Tarn left in a coat that he was lent.
    | (CLICK HERE TO SEE ALL SHARES AND RATINGS)
the start of a sentence with it | PLEASE SHARE THIS STORY ON OUR SITE IF BOB BECK left on Monday in a coat that he was lent.
    | PLEASE SHARE THIS STORY ON OUR SITE
few words within a sentence | The mayor of Tarn left the PLEASE SHARE THIS STORY on Monday. |
the start of a sentence | PLEASE SHARE THIS STORY and left on Monday in a coat that he was lent. |
many words within a sentence | The mayor Bob Beck AMES LEAVES FERRY COMPANY TARN SHARE THIS STORY MORE left on Monday in a coat.
    | AMES LEAVES FERRY COMPANY TARN SHARE THIS STORY MORE
a word before without a stop | Tarn’s SIGN UP AND SHARE THIS STORY NOW | Tarn’s SIGN UP AND SHARE THIS STORY NOW
two words after without a stop | SIGN UP AND SHARE THIS STORY NOW TO WIN Bob Beck
    | SIGN UP AND SHARE THIS STORY NOW TO WIN Bob Beck
three words before | Bob Beck left SHARE THIS STORY NOW | SHARE THIS STORY NOW
"""


@pytest.mark.parametrize(("line", "cut"), cases(ENDS))
def test_words_of_a_line_are_cut_with_what_is_glued_to_them(line, cut):
    assert found(STORY, line, gate=-100) == ([cut] if cut else [])


class Unsure(FakePageTagger):
    """Takes words in capitals for page text, but "or" among them for the story."""

    def probabilities(self, texts):
        return [
            [(0.45, 0.55, 0, 0, 0) if word == "or" else kinds for word, kinds in zip(text, of_text, strict=True)]
            for text, of_text in zip(texts, super().probabilities(texts), strict=True)
        ]


UNSURE = [
    ("SHARE THIS or SAVE THIS The mayor of Tarn left on Monday in a coat.", ["SHARE THIS or SAVE THIS"]),
    ("The mayor of Tarn left on Monday in a coat. SHARE THIS or SAVE THIS", ["SHARE THIS or SAVE THIS"]),
    ("SHARE THIS or SAVE THIS and left on Monday in a coat.", []),
    ("SHARE THIS STORY or Bob Beck of Tarn left on Monday in a coat.", []),
    ("SHARE THIS STORY L.A. Times left on Monday in a coat.", []),
]


@pytest.mark.parametrize(("line", "cut"), UNSURE)
def test_a_start_or_an_end_that_is_likely_as_a_whole_is_cut(line, cut):
    reading = Reading([STORY, line], "", -100)
    spans = reading.spans(Unsure().probabilities(reading.texts))
    assert [line[one.start : one.end] for one in spans] == cut


def test_a_line_with_words_of_the_story_is_not_cut_as_a_whole():
    line = f"{NOTICE} {NOTICE} He left Tarn"
    assert found(STORY, line, gate=-100) != [line]


def test_the_first_look_sees_glued_words_and_names_that_are_said_twice():
    sentence = "On Monday the mayor of Tarn and president of the ferry company Bob Beck{} told reporters that two ships were lost."
    plain, linked = judged([sentence.format(""), sentence.format(" Bob J. BeckFerry is lost in storm")])
    assert plain.odds < linked.odds


def test_a_line_is_marked_by_its_place_and_by_words_of_another_line_or_the_title():
    text = [
        "The ferry left Tarn at noon. It came back at six.",
        "A calm sea was seen by all.",
        "“The ferry left Tarn at noon,” he said. No sea is calm.",
        "He slept. They slept.",
    ]
    marks = ["".join(of_line) for of_line in marks_of_lines(text, list(lines_of(text)), "A calm sea was seen")]
    assert marks == ["¶«§", "«", "¶†", "¶§", "»", "¶»", "»"]


def test_a_line_that_the_source_repeats_is_read_whatever_the_first_look_says_and_cut_with_less_evidence():
    line = "Quay is a weekly column about harbours by our editor!"
    gates = {frozenset(): -100, frozenset({line_key(line)}): 100}
    readings = [Reading([STORY, line], "", gate, repeated) for repeated, gate in gates.items()]
    assert [reading.is_read[-1] for reading in readings] == [True, True]
    assert not any(readings[1].is_read[:-1])
    story = set(STORY.split())
    scores = [
        [[STORY_KIND if word in story else PAGE_KIND for word in words] for words in one.texts] for one in readings
    ]
    spans = [reading.spans(of_reading) for reading, of_reading in zip(readings, scores, strict=True)]
    assert [[(span.paragraph, span.start, span.end) for span in of_one] for of_one in spans] == [
        [],
        [(1, 0, len(line))],
    ]


def test_a_line_in_which_a_quotation_goes_on_is_kept():
    assert found(STORY, f"He said: “{NOTICE}") == []
