"""The JSON lines reader: field names, defaults, and lines without an article."""

import json

import pytest

from support.make import raw
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.errors import ConfigError
from wdw_build.records import Unreadable

WHOLE = {"id": "a1", "date": "2003-04-01", "source": "HP", "kind": "brief", "title": "T a1", "text": "One.\n\nTwo."}


def corpus(tmp_path, *lines, name="a.jsonl"):
    path = tmp_path / name
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines))
    return path


def read(path, **options):
    return list(JsonlReader(path, options).read())


def test_a_whole_line_becomes_the_article_that_it_holds(tmp_path):
    whole = raw("a1", place="a.jsonl:1", date="2003-04-01", source="HP", kind="brief", paragraphs=("One.", "Two."))
    assert read(corpus(tmp_path, WHOLE)) == [whole]


def test_absent_fields_have_their_defaults(tmp_path):
    (article,) = read(corpus(tmp_path, {"date": "2003", "text": "Body.", "headline": "From the headline"}))
    assert (article.id, article.source, article.kind, article.title) == ("a.jsonl:1", "", "story", "From the headline")


def test_the_headline_stands_in_only_for_the_default_title(tmp_path):
    path = corpus(tmp_path, {"date": "2003", "text": "Body.", "headline": "H"})
    assert read(path, fields={"title": "head"})[0].title == ""


def test_dotted_names_reach_into_objects_and_a_name_with_a_dot_comes_first(tmp_path):
    line = {"meta": {"when": {"day": "2003-04-01"}, "id": 7}, "meta.id": "dotted", "body": {"text": ["One.", " Two. "]}}
    (article,) = read(corpus(tmp_path, line), fields={"date": "meta.when.day", "id": "meta.id", "text": "body.text"})
    assert (article.id, article.date, article.paragraphs) == ("dotted", "2003-04-01", ("One.", "Two."))


def test_numbers_are_taken_as_text(tmp_path):
    (article,) = read(corpus(tmp_path, {"id": 17, "date": 20030401, "text": "Body."}))
    assert (article.id, article.date) == ("17", "20030401")


def test_text_is_cut_at_the_separator_else_at_newlines(tmp_path):
    def paragraphs(text, **options):
        return read(corpus(tmp_path, WHOLE | {"text": text}), **options)[0].paragraphs

    assert paragraphs("One\nline.\n\nTwo.") == ("One line.", "Two.")
    assert paragraphs("One.\r\n \r\nTwo.") == ("One.", "Two.")
    assert paragraphs("One.\nTwo.") == ("One.", "Two.")
    assert paragraphs("One.<p>Two.\nStill two.", paragraph_separator="<p>") == ("One.", "Two. Still two.")
    assert paragraphs(["One.", "", " \n", "Two\n\nlines."]) == ("One.", "Two lines.")
    assert paragraphs("") == ()


BAD_LINES = [
    (b'{"id": "a', "bad JSON"),
    (b"\x00\x00\xff", "bad JSON"),
    (b"[" * 200_000, "nested too deeply"),
    (b'{"id": ' + b"9" * 5000 + b"}", "bad JSON"),
    (b"[1]", "no JSON object"),
    (b'"text"', "no JSON object"),
    ({"text": "Body."}, "no field 'date'"),
    ({"date": "2003"}, "no field 'text'"),
    ({"date": "2003", "text": {"a": 1}}, "neither a text nor a list"),
    ({"date": "2003", "text": ["a", 1]}, "neither a text nor a list"),
    ({"date": ["2003", "2004"], "text": "Body."}, "field 'date' is not a text"),
    ({"date": True, "text": "Body."}, "field 'date' is not a text"),
]


@pytest.mark.parametrize(("line", "reason"), BAD_LINES)
def test_a_line_without_an_article_is_unreadable_and_its_neighbours_are_read(tmp_path, line, reason):
    first, bad, last = read(corpus(tmp_path, WHOLE, line, WHOLE))
    assert isinstance(bad, Unreadable)
    assert (bad.place, last.place) == ("a.jsonl:2", "a.jsonl:3")
    assert reason in bad.error
    assert first.paragraphs == last.paragraphs


def test_a_date_and_a_text_that_are_empty_are_left_to_ingest(tmp_path):
    (article,) = read(corpus(tmp_path, {"date": None, "text": None}))
    assert (article.date, article.paragraphs) == ("", ())


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path):
    articles = read(corpus(tmp_path, b"\xef\xbb\xbf" + json.dumps(WHOLE).encode(), b"", b"  \r", WHOLE, b""))
    assert [article.place for article in articles] == ["a.jsonl:1", "a.jsonl:4"]


def test_control_characters_and_lone_surrogates_go_and_the_result_can_be_written_as_utf8(tmp_path):
    text = b'"One\\u0000 \\ud800two\\udc00 \x07\ttab\\u0085 end \\ud83d\\ude00"'
    line = b'{"id": "x\\udfff", "date": "2003\\u0000", "title": "\\u0003T", "text": ' + text + b"}"
    (article,) = read(corpus(tmp_path, line))
    assert article.paragraphs == ("One two tab end \U0001f600",)
    assert (article.id, article.date, article.title) == ("x", "2003", "T")
    assert "".join(article.paragraphs).encode()


def test_bytes_that_are_not_utf_8_are_windows_1252_unless_the_encoding_is_stated(tmp_path):
    text = '{"date": "2003", "text": "“café latte”"}'
    path = corpus(tmp_path, text.encode("cp1252"), text.encode())
    assert [article.paragraphs for article in read(path)] == [("“café latte”",)] * 2
    first, second = read(path, encoding="utf-8")
    assert (first.paragraphs, second.paragraphs) == (("\ufffdcaf\ufffd latte\ufffd",), ("“café latte”",))


def test_an_unknown_option_names_its_path_and_the_known_ones(tmp_path):
    with pytest.raises(ConfigError) as caught:
        read(corpus(tmp_path, WHOLE), fields={"dat": "x"})
    assert "corpus.options.fields" in caught.value.message
    assert "`dat`" in caught.value.message
    assert "fields.date" in caught.value.hint
    assert "paragraph_separator" in caught.value.hint


@pytest.mark.parametrize("options", [{"fields": {"id": ""}}, {"paragraph_separator": ""}, {"fields": []}])
def test_an_option_of_the_wrong_type_or_empty_is_refused(tmp_path, options):
    with pytest.raises(ConfigError, match=r"corpus\.options\."):
        read(corpus(tmp_path, WHOLE), **options)


@pytest.mark.parametrize("encoding", ["utf-16", "nonsense", "base64", "a\0b"])
def test_an_encoding_that_cannot_be_read_by_lines_is_refused(tmp_path, encoding):
    with pytest.raises(ConfigError, match="encoding"):
        read(corpus(tmp_path, WHOLE), encoding=encoding)
