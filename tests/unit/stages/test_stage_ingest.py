"""ingest: every reason for which a place of the corpus gives no article, and what becomes of one that does."""

import datetime as dt

import msgspec
import pytest

from support import fakes, stage_runs
from support.make import raw
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.pipeline.registry import make_reader
from wdw_build.records import Unreadable
from wdw_build.stages.ingest import STAGE


class OneBlockEach(fakes.ListReader):
    """A corpus with a block for each article."""

    def blocks(self):
        return list(range(len(self._articles)))

    def read(self, block=None):
        yield from self._articles if block is None else [self._articles[block]]


def ingest(tmp_path, *inputs, reader=None, progress=None, **settings):
    """The results; the texts of most tests are too short for their kinds to be judged."""
    section, reader = STAGE.config(**{"judge_kinds": False} | settings), reader or fakes.ListReader(inputs)
    return stage_runs.run_stage(STAGE, tmp_path, section=section, reader=reader, progress=progress)


def outcome(ran):
    """Id, reason and detail of each rejection, in order."""
    return [(one.id, one.reason, one.detail) for one in ran.rejections.values()]


def removed(article):
    """What was removed from the text besides datelines."""
    return tuple(mark.text for mark in article.marks if mark.kind != "dateline")


GOOD = raw("good")


UNUSABLE = [
    (raw("x", kind="brief"), "not-a-story", {"kinds": ()}),
    (raw("x", kind="brief"), "not-a-story", {"kinds": ("story", "brief")}),
    (raw("x", date="10/3 2014"), "no-date", {"date_formats": ("%d/%m %Y",)}),
    (raw("x", date="soon"), "no-date", None),
    (raw("x", date="2014-02-30"), "no-date", None),
    (raw("x", paragraphs=()), "no-body", None),
    (raw("x", paragraphs=("  ", "\n")), "no-body", None),
]


@pytest.mark.parametrize(("bad", "reason", "off"), UNUSABLE)
def test_an_article_that_cannot_be_used_is_rejected_with_its_reason(tmp_path, bad, reason, off):
    assert ingest(tmp_path / "on", GOOD, bad).reasons == {"x": reason}
    if off:
        assert ingest(tmp_path / "off", GOOD, bad, **off).reasons == {}


GERMAN = (
    "Die Bürgermeisterin von Orrin und der Ingenieur gaben am Montag bekannt, dass die Brücke nicht mehr befahren wird.",
    "Der Rat hatte zwei Briefe erhalten und niemand las sie, wie die Beamtin am Dienstag vor dem Ausschuss bestätigte.",
)
REPORT = (
    "Mayor Dalia Hesk of Orrin told a hearing on Monday that nobody in her office had read the engineer's letters.",
    "The bridge fell in January. The engineer, Tomas Verrell, had written twice, and he asked for it to be closed, he said.",
)
BOTH = [raw("g", paragraphs=GERMAN), raw("s", paragraphs=REPORT)]


def test_a_text_in_another_language_is_rejected_with_its_kind_its_probability_and_its_beginning(tmp_path):
    ran = ingest(tmp_path, *BOTH, judge_kinds=True)
    assert list(ran.records) == ["s"]
    beginning = "'Die Bürgermeisterin von Orrin und der Ingenieur gaben am Mon'"
    assert outcome(ran) == [("g", "not-a-story", f"language, probability 1.00: {beginning}")]


def test_kinds_that_are_asked_for_are_kept_with_their_probability(tmp_path):
    ran = ingest(tmp_path, *BOTH, judge_kinds=True, kinds=("language",))
    assert (ran.records["g"].kind, ran.records["g"].kind_score) == ("language", 1.0)
    assert ran.rejections["s"].detail.startswith("story, probability ")


def test_a_kind_that_the_reader_gives_is_not_judged(tmp_path):
    ran = ingest(tmp_path, raw("g", kind="advis", paragraphs=GERMAN), judge_kinds=True, kinds=("advis",))
    assert (ran.records["g"].kind, ran.records["g"].kind_score) == ("advis", 1.0)


def test_the_shares_of_the_kinds_are_said_with_an_example_of_each(tmp_path, capsys):
    ingest(tmp_path, *BOTH, progress=Progress("lines"), judge_kinds=True)
    said = "articles (50.0%) are of the kind language (a text in another language than English), such as 'Die B"
    assert f"1 of 2 {said}" in capsys.readouterr().err


def test_the_first_article_of_an_id_is_kept_and_later_ones_are_rejected(tmp_path):
    ran = ingest(tmp_path, raw("x", paragraphs=["One."]), raw("x", paragraphs=["Two."], place="b:2"))
    assert ran.records["x"].paragraphs == ("One.",)
    assert outcome(ran) == [("x", "duplicate-id", "b:2")]


@pytest.mark.parametrize("entries", [[raw("x", date="never"), raw("x")], [raw("x"), raw("x", date="never")]])
def test_an_entry_that_cannot_be_used_keeps_its_reason_and_its_id_is_free_for_another_one(tmp_path, entries):
    ran = ingest(tmp_path, *entries)
    assert (list(ran.records), ran.reasons) == (["x"], {"x": "no-date"})


def test_a_timestamp_becomes_its_day_in_the_configured_zone(tmp_path):
    late = raw("x", date="2014-03-05T02:30:00Z")
    assert ingest(tmp_path / "written", late).records["x"].date == dt.date(2014, 3, 5)
    settled = ingest(tmp_path / "settled", late, time_zone="America/New_York")
    assert settled.records["x"].date == dt.date(2014, 3, 4)


@pytest.mark.parametrize("name", ["America/Atlantis", "../../etc/passwd", "/etc/passwd", "\0", "America"])
def test_an_unknown_zone_is_a_config_error(tmp_path, name):
    with pytest.raises(ConfigError, match="time_zone"):
        ingest(tmp_path, GOOD, time_zone=name)


def test_an_unreadable_entry_is_rejected_with_its_place_and_error(tmp_path):
    ran = ingest(tmp_path, GOOD, Unreadable(place="a.jsonl:2", error="bad JSON"))
    assert outcome(ran) == [("a.jsonl:2", "unreadable", "bad JSON")]


def test_more_unreadable_places_than_the_share_stop_the_stage_with_the_first_error(tmp_path):
    bad = [Unreadable(place=f"a:{number}", error="bad JSON") for number in range(3)]
    with pytest.raises(CorpusError, match="a:0: bad JSON"):
        ingest(tmp_path / "on", GOOD, *bad)
    assert len(ingest(tmp_path / "off", GOOD, *bad, max_bad_input=0.5).rejections) == 3


NONE = [
    ([], "no article"),
    ([raw("x", kind="brief")], "no article"),
    ([Unreadable(place="a", error="b")], "unreadable"),
]


@pytest.mark.parametrize(("entries", "words"), NONE)
def test_a_corpus_without_articles_raises_a_corpus_error(tmp_path, entries, words):
    with pytest.raises(CorpusError, match=words):
        ingest(tmp_path, *entries, max_bad_input=1.0)


@pytest.mark.parametrize(
    ("stated", "text", "kept"),
    [
        ("LONDON, March 9", "", "LONDON, March 9"),
        ("LONDON, March 9", "GREYHAVEN, March 10 (HP) -- ", "GREYHAVEN, March 10 (HP) --"),
        ("Newport Tarn, Brune", "Newport Tarn - ", "Newport Tarn -"),
        ("20140310T191044+0100", "", ""),
        ("Monday, March 10th, 2014 7 p.m. GMT", "GREYHAVEN - ", "GREYHAVEN -"),
        ("4/4/2018", "", ""),
    ],
)
def test_a_dateline_of_the_reader_is_stored_if_it_has_a_place_and_one_in_the_text_is_cut(tmp_path, stated, text, kept):
    found = ingest(tmp_path, raw("x", paragraphs=[f"{text}The ferry sailed."], dateline=stated)).records["x"]
    assert (found.dateline, found.paragraphs) == (kept, ("The ferry sailed.",))


SEVERAL = [
    ("The ferry sailed. ENDITEM ZCZC 017 Nine men met the mayor of Tarn on Monday, he said.", "The ferry sailed."),
    ("ZCZC ABC017 The ferry sailed. NNNN ZCZC Nine men met the mayor of Tarn on Monday.", "The ferry sailed."),
    ("ZCZC is a mark. The ferry sailed.", "is a mark. The ferry sailed."),
    ("The ferry sailed to Enditem on Monday.", "The ferry sailed to Enditem on Monday."),
]


@pytest.mark.parametrize(("text", "story"), SEVERAL)
def test_the_first_of_several_stories_in_a_text_is_kept(tmp_path, text, story):
    found = ingest(tmp_path, raw("x", paragraphs=[text])).records["x"]
    assert found.paragraphs == (story,)
    assert sorted("".join((*removed(found), story)).replace(" ", "")) == sorted(text.replace(" ", ""))


def test_articles_with_a_blank_id_get_their_places_as_ids_and_blank_paragraphs_are_left_out(tmp_path):
    names = enumerate(["", " ", " ", "\t"])
    ran = ingest(tmp_path, *(raw(name, place=f"a:{at}", paragraphs=["", f"Line {at}.", " "]) for at, name in names))
    assert (list(ran.records), ran.reasons) == (["a:0", "a:1", "a:2", "a:3"], {})
    assert ran.records["a:0"].paragraphs == ("Line 0.",)


STORY = " ".join(f"The ferry to pier {chr(97 + number)} sailed again." for number in range(20))


def test_a_copy_is_rejected_with_the_id_of_the_earliest_article(tmp_path):
    late = raw("late", date="2014-03-12", source="Other", paragraphs=[STORY])
    entries = [late, raw("first", paragraphs=[STORY]), GOOD]
    ran = ingest(tmp_path / "on", *entries)
    assert set(ran.records) == {"first", "good"}
    assert outcome(ran) == [("late", "copy", "first")]
    assert set(ingest(tmp_path / "off", *entries, reject_copies=False).records) == {"late", "first", "good"}


def test_an_entry_with_the_id_of_a_copy_is_still_a_duplicate_of_the_copy(tmp_path):
    again = raw("late", place="b:7", paragraphs=["Another text."])
    ran = ingest(tmp_path, raw("late", date="2014-03-12", paragraphs=[STORY]), again, raw("first", paragraphs=[STORY]))
    assert set(ran.records) == {"first"}
    assert outcome(ran) == [("late", "copy", "first"), ("late", "duplicate-id", "b:7")]


def test_credits_are_cut_before_the_dateline_and_stored_beside_the_text(tmp_path):
    paragraphs = ["By Ann Ames", "GREYHAVEN, March 10 (HP) -- The ferry sailed.", "Story Continued Below", "It sank."]
    found = ingest(tmp_path / "on", raw("x", paragraphs=paragraphs)).records["x"]
    assert found.paragraphs == ("The ferry sailed.", "It sank.")
    assert found.dateline == "GREYHAVEN, March 10 (HP) --"
    assert removed(found) == ("By Ann Ames", "Story Continued Below")
    off = {"cut_credits": False, "cut_openings": False}
    whole = ingest(tmp_path / "off", raw("x", paragraphs=paragraphs), **off).records["x"]
    assert (whole.paragraphs, removed(whole)) == (tuple(paragraphs), ())


def test_an_article_of_credits_alone_has_no_body(tmp_path):
    credit = raw("x", paragraphs=["Bob Beck contributed to this report."])
    assert ingest(tmp_path / "on", GOOD, credit).reasons == {"x": "no-body"}
    assert ingest(tmp_path / "off", GOOD, credit, cut_credits=False).reasons == {}


def test_damaged_text_is_repaired_unless_switched_off(tmp_path):
    damaged = msgspec.structs.replace(raw("x", paragraphs=["Ameâ€™s boat sank."]), title="CafÃ©")
    on = ingest(tmp_path / "on", damaged).records["x"]
    assert (on.title, on.paragraphs) == ("Café", ("Ame’s boat sank.",))
    off = ingest(tmp_path / "off", damaged, repair_text=False).records["x"]
    assert (off.title, off.paragraphs) == (damaged.title, damaged.paragraphs)


STAMP = "Friday 4 January 2019 10.15 GMT"


def with_stamps(count):
    """Articles whose texts begin with a time stamp, of two sources, of which one is a wire."""
    texts = [f"Ann Ames met envoy number {number} in the old town on Monday." for number in range(count)]
    return [
        *(raw(f"p{number}", source="Page", paragraphs=[STAMP, text]) for number, text in enumerate(texts)),
        *(
            raw(f"w{number}", source="Wire", paragraphs=[STAMP, f"TARN, March 10 (HP) -- {number} {text}"])
            for number, text in enumerate(texts)
        ),
    ]


def test_what_is_no_part_of_the_story_is_cut_and_kept_beside_the_text_but_of_a_wire_only_datelines(tmp_path):
    ran = ingest(tmp_path / "on", *with_stamps(24)).records
    assert all(removed(ran[f"p{number}"]) == (STAMP,) for number in range(24))
    assert ran["p3"].paragraphs == ("Ann Ames met envoy number 3 in the old town on Monday.",)
    assert {one.profile for one in ran.values() if one.source == "Wire"} == {"wire"}
    assert ran["w3"].paragraphs[0] == STAMP
    assert ingest(tmp_path / "off", *with_stamps(24), cut_openings=False).records["p3"].paragraphs[0] == STAMP


def test_a_caption_that_runs_into_the_story_is_cut_in_a_source_with_many_and_stays_in_another(tmp_path, capsys):
    caption = "The envoy spoke to the crews of several ships in the old harbour of Tarn, with number"

    plain = [raw(f"plain{number}", source="few", paragraphs=[f"Number {number} left."]) for number in range(500)]
    pages = [
        raw(f"{source}{number}", source=source, paragraphs=[f"{caption} {number} The mayor met envoy {number}."])
        for source, most in (("many", 40), ("few", 2))
        for number in range(most)
    ]
    ran = ingest(tmp_path, *pages, *plain, reject_copies=False, progress=Progress("lines")).records
    assert "run into sentences, which are cut: many (29%)\n" in capsys.readouterr().err
    assert removed(ran["many7"]) == (f"{caption} 7",)
    assert ran["many7"].paragraphs == ("The mayor met envoy 7.",)
    assert ran["few1"].marks == ()


def test_what_is_cut_does_not_depend_on_the_blocks_of_the_corpus(tmp_path):
    articles = with_stamps(24)
    parts = ingest(tmp_path / "parts", reader=OneBlockEach(articles)).records
    assert parts == ingest(tmp_path / "whole", *articles).records


def dated(tmp_path, *dates, **settings):
    """The day of each article or why it is rejected, read in as many blocks."""
    articles = [raw(f"x{number}", date=date) for number, date in enumerate(dates)]
    ran = ingest(tmp_path, reader=OneBlockEach(articles), **settings)
    return [ran.reasons.get(one.id) or str(ran.records[one.id].date) for one in articles]


def test_one_date_that_fits_a_single_order_decides_for_all_blocks_of_the_corpus(tmp_path):
    days = dated(tmp_path / "day", "05/09/2016", "21/09/2016", "12.9.2016 14:30")
    assert days == ["2016-09-05", "2016-09-21", "2016-09-12"]
    days = dated(tmp_path / "month", "05/09/2016", "09/21/2016", "2016-12-09", "soon")
    assert days == ["2016-05-09", "2016-09-21", "2016-12-09", "no-date"]


@pytest.mark.parametrize("settings", [{}, {"cut_openings": False}])
def test_dates_that_fit_both_orders_are_refused_with_an_example_and_the_key(tmp_path, settings):
    with pytest.raises(ConfigError, match=r"'05/09/2016' \(a.jsonl:x1\).* all 2 of them") as caught:
        dated(tmp_path, "2016-09-21", "05/09/2016", "06/07/2016", "05/05/2016", **settings)
    assert "ingest.date_formats" in caught.value.hint


def test_dates_in_both_orders_are_refused_with_an_example_of_each(tmp_path):
    with pytest.raises(ConfigError, match=r"'21/09/2016' \(a.jsonl:x0\).*'09/22/2016' \(a.jsonl:x1\)"):
        dated(tmp_path, "21/09/2016", "09/22/2016")


def test_given_formats_replace_the_search_for_an_order(tmp_path):
    days = dated(tmp_path / "named", "05/09/2016", "09/21/2016", "20160921", date_formats=("day-first",))
    assert days == ["2016-09-05", "no-date", "no-date"]
    days = dated(tmp_path / "codes", "05/09/2016", "05.09.2016", date_formats=("%d/%m/%Y",))
    assert days == ["2016-09-05", "no-date"]


def test_dates_that_are_the_same_day_in_both_orders_are_read(tmp_path):
    assert dated(tmp_path, "05/05/2016", "7.7.2016") == ["2016-05-05", "2016-07-07"]


def test_an_article_of_another_kind_does_not_decide(tmp_path):
    with pytest.raises(ConfigError, match="ambiguous"):
        ingest(tmp_path, raw("x", date="05/09/2016"), raw("brief", date="21/09/2016", kind="brief"))


FORMATS = [
    (("%d/%m/%Y", "%m/%d/%Y"), "'%d/%m/%Y' and '%m/%d/%Y' read '02/04/2003' as different days"),
    (("day-first", "%m/%d/%Y"), "'day-first' and '%m/%d/%Y' read"),
    (("epoch", "%Y%m%d"), "'epoch' and '%Y%m%d' read '20030204'"),
    (("DD/MM/YYYY",), "'DD/MM/YYYY' does not read day, month and year"),
    (("%d/%Q/%Y",), "does not read"),
    (("%d/%m",), "does not read"),
]


@pytest.mark.parametrize(("formats", "fault"), FORMATS)
def test_formats_that_contradict_each_other_or_read_no_day_are_a_config_error(tmp_path, formats, fault):
    with pytest.raises(ConfigError) as caught:
        ingest(tmp_path, GOOD, date_formats=formats)
    assert fault in caught.value.message


def test_the_order_of_dates_and_odd_texts_are_said_at_the_end(tmp_path, capsys):
    text = "Ann Ames met Bob Beck in the old town on Monday, and they left it together."
    odd = raw("a", date="05/09/2016", paragraphs=["By the desk", text])
    articles = [odd, raw("b", date="21/09/2016", paragraphs=[text])]
    ingest(tmp_path, reader=OneBlockEach(articles), progress=Progress("lines"))
    said = capsys.readouterr().err
    assert "ingest: dates such as '05/09/2016' (a.jsonl:a) are read as day/month/year" in said
    assert "ingest: 1 of 2 first paragraphs have fewer than 10 words, such as 'By the desk' (a)" in said


def test_empty_files_are_said_at_the_end(tmp_path, capsys):
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "a.csv").write_text("id,date,source,title,text\n1,2016-09-05,AP,Storm,It rained.\n")
    (folder / "b.csv").touch()
    ingest(tmp_path, reader=make_reader("csv", folder, {}), progress=Progress("lines"))
    assert "ingest: 1 of 2 files are empty, such as b.csv" in capsys.readouterr().err
