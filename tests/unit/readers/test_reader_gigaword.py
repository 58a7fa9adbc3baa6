"""The Gigaword reader: streaming, source and date from ids, plain punctuation, damaged files."""

import gzip
import tracemalloc

import pytest
from msgspec.structs import replace

from support.make import raw
from wdw_build.adapters.corpora.sgml_newswire import GigawordReader
from wdw_build.records import Unreadable

STORY = """<DOC id="AFP_ENG_20030401.0002" type="story" >
<HEADLINE>
US troops reach
Baghdad &amp; halt
</HEADLINE>
<DATELINE>
BAGHDAD, April 1
(AFP)
</DATELINE>
<TEXT>
<P>
Troops _ many of them tired _ said ``we
are here'' on Tuesday.
</P>
<P>
</P>
<P>
Second &lt;paragraph&gt;.
</P>
</TEXT>
</DOC>
"""


def doc(text, kind="story", name="XIN_ENG_19990101.0001"):
    return f'<DOC id="{name}" type="{kind}" >\n<TEXT>\n{text}\n</TEXT>\n</DOC>'


def read(tmp_path, text, **options):
    (tmp_path / "afp.sgm").write_bytes(text.encode() if isinstance(text, str) else text)
    return list(GigawordReader(tmp_path, options).read())


def test_a_story_is_read_whole(tmp_path):
    text = ('Troops -- many of them tired -- said "we are here" on Tuesday.', "Second <paragraph>.")
    story = raw("AFP_ENG_20030401.0002", place="afp.sgm:1", date="2003-04-01", source="AFP", paragraphs=text)
    story = replace(story, title="US troops reach Baghdad & halt", dateline="BAGHDAD, April 1 (AFP)")
    assert read(tmp_path, STORY) == [story]


def tokens(*words):
    """Tokens in the form of Annotated Gigaword, from (word, begin, end)."""
    return "".join(
        f'<token id="{at}"><word>{word}</word><lemma>x</lemma><CharacterOffsetBegin>{begin}</CharacterOffsetBegin>'
        f"<CharacterOffsetEnd>{end}</CharacterOffsetEnd><POS>X</POS><NER>O</NER></token>\n"
        for at, (word, begin, end) in enumerate(words, 1)
    )


HALF = "1\\/2"
ANNOTATED = f"""<?xml version="1.0" encoding="UTF-8"?>
<FILE id="afp_eng_200304">
<DOC id="AFP_ENG_20030401.0002" type="story" >
<HEADLINE>
(ROOT (NP (NNP US) (NNS troops) (-LRB- -LRB-) (CD 3) (-RRB- -RRB-)))
</HEADLINE>
<DATELINE>
(ROOT (NP (NNP BAGHDAD) (, ,)))
</DATELINE>
<sentences>
<sentence id="1">
<tokens>
{tokens(("Troops", 0, 6), ("_", 7, 8), ("-LRB-", 9, 10), ("many", 10, 14), ("-RRB-", 14, 15), ("said", 16, 20), (",", 20, 21))}
{tokens(("``", 22, 24), ("yes", 24, 27), ("''", 27, 29), ("AT&amp;T", 30, 34), (HALF, 35, 38), (".", 38, 39))}
</tokens>
<parse>(ROOT (S (NP (NNS Troops))))</parse>
</sentence>
<sentence id="2"><tokens>{tokens(("Again", 41, 46), (".", 46, 47))}</tokens></sentence>
<sentence id="3"><tokens></tokens></sentence>
</sentences>
<coreferences><coreference><mention><sentence>1</sentence><start>1</start></mention></coreference></coreferences>
</DOC>
</FILE>
"""


def test_annotated_gigaword_gives_the_text_behind_the_annotations(tmp_path):
    text = ('Troops -- (many) said, "yes" AT&T 1/2.', "Again.")
    story = raw("AFP_ENG_20030401.0002", place="afp.sgm:3", date="2003-04-01", source="AFP", paragraphs=text)
    assert read(tmp_path, ANNOTATED) == [replace(story, title="US troops ( 3 )", dateline="BAGHDAD ,")]


def test_tokens_without_offsets_are_parted_by_spaces(tmp_path):
    bare = '<token id="1"><word>Troops</word></token><token id="2"><word>.</word></token>'
    text = f"<sentences><sentence id='1'><tokens>{bare}</tokens></sentence></sentences>"
    assert read(tmp_path, f'<DOC id="AFP19990101.0001" type="story">\n{text}\n</DOC>')[0].paragraphs == ("Troops .",)


EDITIONS = [
    ("AFE19940512.0003", "AFE", "1994-05-12"),  # LDC2003T05
    ("LTW_ENG_20040101.0001", "LTW", "2004-01-01"),  # since LDC2005T12
    ("nonsense", "", ""),
]


@pytest.mark.parametrize(("name", "source", "date"), EDITIONS)
def test_the_ids_of_every_edition_tell_source_and_date(tmp_path, name, source, date):
    (article,) = read(tmp_path, doc("<P>\nBody.\n</P>", name=name))
    assert (article.id, article.source, article.date) == (name, source, date)


def test_the_wires_writing_is_kept_if_asked(tmp_path):
    (article,) = read(tmp_path, STORY, normalise_wire=False)
    assert article.paragraphs[0] == "Troops _ many of them tired _ said ``we are here'' on Tuesday."


def test_headline_and_dateline_may_be_missing_and_text_may_lack_paragraph_tags(tmp_path):
    (article,) = read(tmp_path, doc("first\nline\n\nsecond\n    third\nline", "other"))
    assert (article.kind, article.title, article.dateline) == ("other", "", "")
    assert article.paragraphs == ("first line", "second", "third line")


def test_text_before_the_first_paragraph_tag_and_behind_the_last_is_kept(tmp_path):
    (article,) = read(tmp_path, doc("ahead\n<P>\none\n<P>\ntwo\n</P>\nbehind", "multi"))
    assert article.paragraphs == ("ahead", "one", "two", "behind")


def test_a_headline_is_not_looked_for_in_the_text(tmp_path):
    assert read(tmp_path, doc("<P>\nA\n<HEADLINE>\nB\n</HEADLINE>\n</P>"))[0].title == ""


def test_cut_off_and_nameless_docs_are_unreadable_with_their_lines(tmp_path):
    nameless = STORY.replace('id="AFP_ENG_20030401.0002" ', "")
    lines = STORY.count("\n")
    found = read(tmp_path, STORY + nameless + STORY[:100])
    assert found[1:] == [
        Unreadable(place=f"afp.sgm:{lines + 1}", error="a DOC without id"),
        Unreadable(place=f"afp.sgm:{2 * lines + 1}", error="cut off by the end of the file"),
    ]


def test_hostile_bytes_never_raise(tmp_path):
    middle = b'<DOC id="AFP" type="\xff">\n<TEXT>\n<P>\n\x00\xff&#0;\xed\xa0\x80 text \x1f\n</P>\n</TEXT>\n</DOC>\n'
    found = read(tmp_path, b"\x00\x01\xfe garbage\n" + middle + STORY.encode())
    assert [isinstance(entry, Unreadable) for entry in found] == [True, False, False]
    assert found[1].paragraphs[0].endswith(" text")
    assert "\x00" not in found[1].paragraphs[0]
    assert found[1].paragraphs[0].encode()


def test_carriage_returns_are_white_space(tmp_path):
    assert read(tmp_path, STORY.replace("\n", "\r\n"))[0].paragraphs == read(tmp_path, STORY)[0].paragraphs


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "big.gz"
    long = STORY.replace("Second", "Second of many. " * 500).encode()
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(500):
            stream.write(long)
    next(GigawordReader(path, {}).read())  # imports what it needs
    tracemalloc.start()
    count = sum(1 for _ in GigawordReader(path, {}).read())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 500
    assert peak < 3 << 20
