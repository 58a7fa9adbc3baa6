"""The XML export: a standard parser reads the same problems, whatever characters they hold."""

import datetime as dt
from xml.etree import ElementTree

import msgspec

from wdw_build.adapters.exports.published_forms import WdwXmlExporter, blank_parts
from wdw_build.records import Choice, Mention, Passage, Problem, Question, SplitAssignment, pack_spans

FILES = ["wdw-xml/Strict/train.xml", "wdw-xml/Relaxed/train.xml", "wdw-xml/Strict/val.xml", "wdw-xml/Strict/test.xml"]
TOKENS = ("He", "saw", "ex-<PM>", "George", "Bush", ",", "57", ",", "&", "left", "]]>", ".")


def question(tokens=TOKENS, blank=(2, 7), name=(3, 5), name_id="NYT_ENG_20081109.0135"):
    """A question whose sentence is its tokens, separated by spaces."""
    sentence = " ".join(tokens)
    starts = [len(" ".join(tokens[:place])) + bool(place) for place in range(len(tokens))]

    def span(first, last):
        start, end = starts[first], starts[last - 1] + len(tokens[last - 1])
        return Mention(start=start, end=end, text=sentence[start:end])

    return Question(
        id=name_id,
        date=dt.date(2008, 11, 9),
        source="NYT",
        sentence=sentence,
        tokens=tokens,
        blank_tokens=blank,
        blank=span(*blank),
        name=span(*name),
        others=(),
        tree="(S)",
        token_layout=pack_spans((start, start + len(token)) for start, token in zip(starts, tokens, strict=True)),
    )


def problem(
    asked=None, *, text="Raw 'text' <b> & \"more\".\n\nSecond\tparagraph.", names=("Tony <Blair>", "George W. Bush")
):
    asked = asked or question()
    passage = Passage(article='A"F&P', date=dt.date(2008, 11, 9), source="AFP", title="T", text=text, tokens=5)
    choices = tuple(Choice(name=name, mentions=()) for name in names)
    return Problem(id=asked.id, question=asked, passage=passage, choices=choices, answer=1, window=1, score=1.0)


def place(given, level="strict", split="test"):
    return given, SplitAssignment(id=given.id, date=given.date, level=level, split=split)


def read_back(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "ROOT"
    return list(root)


def content(element, tag):
    return element.findtext(tag) or ""


def test_the_words_beside_the_name_within_the_blank_have_elements_of_their_own(tmp_path):
    WdwXmlExporter().write(tmp_path, [place(problem())])
    (mc,) = read_back(tmp_path / "wdw-xml/Strict/test.xml")
    parts = [content(mc.find("question"), tag) for tag in ("leftblank", "blank", "rightblank")]
    assert parts == ["ex-<PM>", "George Bush", ", 57"]


def test_empty_parts_are_empty_elements_as_in_the_released_files(tmp_path):
    given = problem(question(("Bush",), (0, 1), (0, 1)))
    WdwXmlExporter().write(tmp_path, [place(given)])
    text = (tmp_path / "wdw-xml/Strict/test.xml").read_text(encoding="utf-8")
    assert text.startswith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n<mc>\n<question id="NYT_ENG_20081109.0135">\n'
    )
    for name in ("leftcontext", "leftblank", "rightblank", "rightcontext"):
        assert f"<{name}/>" in text


def test_carriage_returns_emoji_and_markup_come_back_as_they_were(tmp_path):
    given = problem(text="a\r\nb\rc <![CDATA[x]]> &amp; <!-- --> \U0001f600 \u2028 é")
    WdwXmlExporter().write(tmp_path, [place(given)])
    (mc,) = read_back(tmp_path / "wdw-xml/Strict/test.xml")
    assert content(mc, "contextart") == given.passage.text


def test_characters_that_xml_cannot_hold_are_dropped(tmp_path):
    given = problem(text="a\x00b\x08c\ufffed\ud800e\x1f", names=("A\x00", "B\uffff"))
    WdwXmlExporter().write(tmp_path, [place(given)])
    (mc,) = read_back(tmp_path / "wdw-xml/Strict/test.xml")
    assert content(mc, "contextart") == "abcde"
    assert [choice.text for choice in mc.findall("choice")] == ["A", "B"]


def test_the_names_tokens_are_found_where_the_sentence_has_no_spaces_between_tokens():
    asked = question(("President", "Bush", "'s"), (0, 3), (1, 2))
    close = msgspec.structs.replace(
        asked,
        sentence="President Bush's",
        blank=Mention(start=0, end=16, text="President Bush's"),
        name=Mention(start=10, end=14, text="Bush"),
        token_layout=pack_spans([(0, 9), (10, 14), (14, 16)]),
    )
    assert blank_parts(close) == (("President",), ("Bush",), ("'s",))


def test_a_name_that_comes_twice_in_the_phrase_is_told_by_its_place():
    assert blank_parts(question(("Bush", "aide", "Bush", "Jr."), (0, 4), (2, 3))) == (
        ("Bush", "aide"),
        ("Bush",),
        ("Jr.",),
    )


def test_tokens_that_were_changed_by_the_tokeniser_do_not_shift_the_name():
    asked = question(('"', "Sam", "(", "Bush", ")"), (0, 5), (1, 2))
    changed = msgspec.structs.replace(asked, tokens=("``", "Sam", "-LRB-", "Bush", "-RRB-"))
    assert blank_parts(changed) == (("``",), ("Sam",), ("-LRB-", "Bush", "-RRB-"))
