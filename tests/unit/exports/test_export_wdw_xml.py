"""The XML export: a standard parser reads the same problems, whatever characters they hold."""

from xml.etree import ElementTree

from msgspec.structs import replace

from support import make
from wdw_build.adapters.exports.published_forms import WdwXmlExporter, blank_parts
from wdw_build.records import Mention, pack_spans

TOKENS = ("He", "saw", "ex-<PM>", "George", "Bush", ",", "57", ",", "&", "left", "]]>", ".")


def question(tokens=TOKENS, blank=(2, 7), name=(3, 5)):
    """A question whose sentence is its tokens, separated by spaces."""
    sentence = " ".join(tokens)
    starts = [len(" ".join(tokens[:place])) + bool(place) for place in range(len(tokens))]

    def span(first, last):
        start, end = starts[first], starts[last - 1] + len(tokens[last - 1])
        return Mention(start=start, end=end, text=sentence[start:end])

    layout = pack_spans((start, start + len(token)) for start, token in zip(starts, tokens, strict=True))
    texts = {"sentence": sentence, "tokens": tokens, "token_layout": layout}
    asked = make.question("NYT_ENG_20081109.0135", "Ann", "Ann")
    return replace(asked, blank_tokens=blank, blank=span(*blank), name=span(*name), **texts)


TEXT = "Raw 'text' <b> & \"more\".\n\nSecond\tparagraph."


def problem(asked=None, *, text=TEXT, names=("Tony <Blair>", "George W. Bush")):
    asked = asked or question()
    return make.problem(asked.id, asked, text, names, 1, article_id='A"F&P')


def written(folder, given):
    """The file of the only problem of the export."""
    WdwXmlExporter().write(folder, [make.placed(given)])
    return folder / "wdw-xml/Strict/test.xml"


def read_back(folder, given):
    root = ElementTree.parse(written(folder, given)).getroot()
    assert root.tag == "ROOT"
    (mc,) = root
    return mc


def test_the_words_beside_the_name_within_the_blank_have_elements_of_their_own(tmp_path):
    asked = read_back(tmp_path, problem()).find("question")
    assert [asked.findtext(tag) for tag in ("leftblank", "blank", "rightblank")] == ["ex-<PM>", "George Bush", ", 57"]


def test_empty_parts_are_empty_elements_as_in_the_released_files(tmp_path):
    text = written(tmp_path, problem(question(("Bush",), (0, 1), (0, 1)))).read_text(encoding="utf-8")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n<mc>\n<question id="NYT_ENG_20081109.0135">\n'
    assert text.startswith(head)
    for name in ("leftcontext", "leftblank", "rightblank", "rightcontext"):
        assert f"<{name}/>" in text


def test_carriage_returns_emoji_and_markup_come_back_as_they_were(tmp_path):
    given = problem(text="a\r\nb\rc <![CDATA[x]]> &amp; <!-- --> \U0001f600 \u2028 é")
    assert read_back(tmp_path, given).findtext("contextart") == given.passage.text


def test_characters_that_xml_cannot_hold_are_dropped(tmp_path):
    mc = read_back(tmp_path, problem(text="a\x00b\x08c\ufffed\ud800e\x1f", names=("A\x00", "B\uffff")))
    assert mc.findtext("contextart") == "abcde"
    assert [choice.text for choice in mc.findall("choice")] == ["A", "B"]


def test_the_names_tokens_are_found_where_the_sentence_has_no_spaces_between_tokens():
    asked = question(("President", "Bush", "'s"), (0, 3), (1, 2))
    text, layout = "President Bush's", pack_spans([(0, 9), (10, 14), (14, 16)])
    names = {"blank": make.mention(text, text), "name": make.mention(text, "Bush")}
    close = replace(asked, sentence=text, token_layout=layout, **names)
    assert blank_parts(close) == (("President",), ("Bush",), ("'s",))


def test_a_name_that_comes_twice_in_the_phrase_is_told_by_its_place():
    asked = question(("Bush", "aide", "Bush", "Jr."), (0, 4), (2, 3))
    assert blank_parts(asked) == (("Bush", "aide"), ("Bush",), ("Jr.",))


def test_tokens_that_were_changed_by_the_tokeniser_do_not_shift_the_name():
    asked = question(('"', "Sam", "(", "Bush", ")"), (0, 5), (1, 2))
    changed = replace(asked, tokens=("``", "Sam", "-LRB-", "Bush", "-RRB-"))
    assert blank_parts(changed) == (("``",), ("Sam",), ("-LRB-", "Bush", "-RRB-"))
