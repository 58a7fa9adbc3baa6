"""The Reuters-21578 reader: both forms give the same articles, without the sign-offs of the wire; no input raises."""

import json

import pytest
from msgspec.structs import replace

from support.make import raw
from wdw_build.adapters.corpora.reuters21578 import ReutersReader
from wdw_build.records import Unreadable

BODY = (
    "Showers continued throughout the week in\nthe Bahia cocoa zone, Smith said.\n"
    "    &lt;Smith Corp> said AT&amp;T paid.\n   Three spaces.\n     Five spaces\n\nand a blank line.\n Reuter\n&#3;"
)
JSON_BODY = BODY.replace("&lt;", "<").replace("&amp;", "&").replace("&#3;", "\x03")
DATE = "26-FEB-1987 15:01:01.79"
SHOWERS = "Showers continued throughout the week in the Bahia cocoa zone, Smith said."
PARAGRAPHS = (SHOWERS, "<Smith Corp> said AT&T paid.", "Three spaces.", "Five spaces and a blank line.")


def sgml(body=BODY, *, number="1", date=DATE, kind="", title="BAHIA &lt;BAH>\n REVIEW"):
    story = f"<TITLE>{title}</TITLE>\n<DATELINE>    SALVADOR, Feb 26 -\n    </DATELINE><BODY>{body}</BODY>"
    return (
        f'<REUTERS TOPICS="YES" OLDID="5544" NEWID="{number}">\n<DATE>{date}</DATE>\n<TOPICS><D>cocoa</D></TOPICS>\n'
        f"<UNKNOWN> \n&#5;&#5;&#5;C T\nu f BC-BAHIA</UNKNOWN>\n<TEXT{kind}>&#2;\n{story}</TEXT>\n</REUTERS>\n"
    )


def read_sgml(tmp_path, text, name="reut2-000.sgm"):
    (tmp_path / name).write_text('<!DOCTYPE lewis SYSTEM "lewis.dtd">\n' + text, encoding="latin-1")
    return list(ReutersReader(tmp_path, {}).read())


def read_json(tmp_path, content, name="reuters-000.json"):
    (tmp_path / name).write_text(content if isinstance(content, str) else json.dumps(content))
    return list(ReutersReader(tmp_path, {}).read())


def test_an_article_of_the_sgml_is_read_whole(tmp_path):
    story = raw("REUTERS_ENG_19870226.00001", place="reut2-000.sgm:2", date="1987-02-26", source="REUTERS")
    story = replace(story, title="BAHIA <BAH> REVIEW", dateline="SALVADOR, Feb 26 -", paragraphs=PARAGRAPHS)
    assert read_sgml(tmp_path, sgml()) == [story]


def test_the_json_gives_the_same_article_but_for_the_dateline(tmp_path):
    (first,) = read_sgml(tmp_path, sgml())
    entry = {"title": "BAHIA <BAH>\n REVIEW", "body": JSON_BODY, "date": DATE, "places": [], "id": "1"}
    (tmp_path / "a.json").write_text(json.dumps([entry]))
    assert list(ReutersReader(tmp_path / "a.json", {}).read()) == [replace(first, place="a.json:1", dateline="")]


def test_dates_are_iso_where_they_are_dates_and_else_stand_as_they_are(tmp_path):
    def found(date):
        (article,) = read_sgml(tmp_path, sgml(date=date))
        return article.date, article.id

    assert found("  3-MAR-1987 09:16:02.85") == ("1987-03-03", "REUTERS_ENG_19870303.00001")
    assert found("27-MAR-1987 00:02:59.13&#5;&#5;&#5;RM") == ("1987-03-27", "REUTERS_ENG_19870327.00001")
    guessed = "5-mar-1987  09:1    # date added by guesswork"
    assert found(guessed) == ("1987-03-05", "REUTERS_ENG_19870305.00001")
    assert found("31-FEB-1987 00:00") == ("31-FEB-1987 00:00", "REUTERS-1")
    assert found("26-XYZ-1987") == ("26-XYZ-1987", "REUTERS-1")
    assert found("") == ("", "REUTERS-1")


SIGN_OFFS = [
    "\n Reuter\n&#3;",
    "\n    REUTER\n&#3;",
    "\n reuter...\n",
    "\nREUTER^M\n&#3;",
    "\n REUITER\n",
    "\n More\n\n Reuter\n",
    "\n Reuter4",
    "\n REUTER E",
    *(" REUTER", " REUTER11:43/VB", " Reuter"),  # within the last line
]


@pytest.mark.parametrize("end", SIGN_OFFS)
def test_the_sign_off_is_taken_off(tmp_path, end):
    (article,) = read_sgml(tmp_path, sgml(f"It rained.\n    It stopped.{end}"))
    assert article.paragraphs == ("It rained.", "It stopped.")


@pytest.mark.parametrize("end", ["they told Reuters.", "he joined Reuter", "there was more"])
def test_a_sentence_that_ends_in_the_agencys_name_is_left_alone(tmp_path, end):
    assert read_sgml(tmp_path, sgml(f"It rained, {end}"))[0].paragraphs == (f"It rained, {end}",)


def test_briefs_have_no_body_and_unprocessed_articles_all_of_their_text(tmp_path):
    brief = '<TEXT TYPE="BRIEF">&#2;\n***<TITLE>FUNDS ROSE\n</TITLE>Blah blah blah.\n&#3;\n</TEXT>'
    raw = '<TEXT TYPE="UNPROC">&#2;\nREPORT 1\n Float..511\n    Two weeks\n\n Reuter\n&#3;\n</TEXT>'
    first, second = read_sgml(tmp_path, "".join(f'<REUTERS NEWID="1">\n{text}\n</REUTERS>\n' for text in (brief, raw)))
    assert (first.kind, first.title, first.paragraphs) == ("brief", "FUNDS ROSE", ())
    assert (second.kind, second.title, second.paragraphs) == ("unproc", "", ("REPORT 1 Float..511", "Two weeks"))


def test_the_json_tells_the_kind_by_the_texts_that_there_are(tmp_path):
    entries = [{"id": "1", "title": "T", "body": "B"}, {"id": 2, "title": "T"}, {"id": "3"}]
    assert [article.kind for article in read_json(tmp_path, entries)] == ["story", "brief", "unproc"]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [(17, "object"), ({"title": "no id"}, "id"), ({"id": " "}, "no id"), ({"id": "1", "body": ["x"]}, "body")],
)
def test_an_entry_that_is_no_article_is_unreadable_and_the_next_is_read(tmp_path, entry, reason):
    bad, good = read_json(tmp_path, [entry, {"id": "2", "body": "B"}])
    assert isinstance(bad, Unreadable)
    assert bad.place == "reuters-000.json:1"
    assert reason in bad.error
    assert good.id == "REUTERS-2"


@pytest.mark.parametrize("content", ['[{"id": "1"', "", "[" * 200_000, '{"id": "1"}', "\x00"])
def test_a_json_file_that_holds_no_list_is_unreadable(tmp_path, content):
    (bad,) = read_json(tmp_path, content)
    assert isinstance(bad, Unreadable)
    assert bad.place == "reuters-000.json"


def test_half_an_article_and_one_without_number_are_unreadable_and_the_whole_ones_are_read(tmp_path):
    whole = sgml(number="7")
    lost = whole.replace("NEWID", "LOSTID")
    found = read_sgml(tmp_path, whole[: len(whole) // 2] + "\n" + lost + whole + whole[:200])
    assert [isinstance(entry, Unreadable) for entry in found] == [True, True, False, True]
    assert [found[1].error, found[3].error] == ["no NEWID", "cut off by the end of the file"]
    assert found[2].id == "REUTERS_ENG_19870226.00007"


def test_control_entities_and_bytes_leave_no_trace(tmp_path):
    (article,) = read_sgml(tmp_path, sgml("A&#0;b\x00c &#127;d&#55296;e \xfc.&#5;&#30;side"))
    assert article.paragraphs == ("Abc de ü. side",)


def test_of_the_npm_package_only_the_full_articles_are_read(tmp_path):
    numbers = {"data/full/r.json": "1", "data/noIDs/r.json": "2", "package.json": "3", "a/b/x.json": "4"}
    for name, number in numbers.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps([{"id": number}]))
    (tmp_path / "README.txt").write_text("no article")
    assert [article.id for article in ReutersReader(tmp_path, {}).read()] == ["REUTERS-1"]
    assert [article.id for article in ReutersReader(tmp_path / "data" / "full", {}).read()] == ["REUTERS-1"]
    assert [article.id for article in ReutersReader(tmp_path / "a", {}).read()] == ["REUTERS-4"]
