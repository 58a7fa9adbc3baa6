"""All exporters: each problem is in the files of its split, in order, with the same bytes every time, under any names."""

import itertools
import json
import re
from collections import defaultdict

import msgspec
import pytest

from support import fakes, make
from support.renaming import ListedProblems, pseudonyms_of
from wdw_bench.exports.lm_eval import LmEvalExporter
from wdw_bench.exports.question_files import CnnDmExporter, GaReaderExporter
from wdw_build.adapters.exports.jsonl import JsonlExporter
from wdw_build.adapters.exports.parquet import ParquetExporter
from wdw_build.adapters.exports.published_forms import FlatSquadExporter, QuorefExporter, SquadExporter, WdwXmlExporter
from wdw_build.records import SplitAssignment

PLACES = [("strict", "train"), ("relaxed", "train"), ("strict", "validation"), ("strict", "test")]
# One text file for each split; tables with a description; one file for each problem.
SPANS = [SquadExporter, QuorefExporter]
TEXTS = [fakes.ListExporter, JsonlExporter, WdwXmlExporter, FlatSquadExporter, *SPANS]
EVERY = [*TEXTS, ParquetExporter, GaReaderExporter, CnnDmExporter, LmEvalExporter]


@pytest.fixture(params=EVERY)
def exporter(request):
    return request.param()


def entry(name, level="strict", split="train", odd="", passage="Ann Ames and Carl Cole{} spoke.", answer="Ann Ames"):
    asked = make.question(name, f"Then Ann Ames{odd} met Bob Beck in the port of Grey Haven again .", "Ann Ames")
    made = make.problem(name, asked, passage.format(odd), [answer, "Carl Cole"], 0)
    return made, SplitAssignment(id=name, date=make.DAY, level=level, split=split)


def all_places():
    return [entry(f"p{at}-{number}", *place) for number in range(3) for at, place in enumerate(PLACES)]


def bytes_of(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_problem_is_in_the_files_of_its_placement_only(exporter, tmp_path):
    found = defaultdict(list)
    for name, ids in exporter.write(tmp_path, all_places()).items():
        for one in ids:
            # For formats with a file for each problem, its folder.
            found[one].append(name.rpartition("/")[0] if name.endswith(".question") else name)
    by_place = [{tuple(sorted(found[f"p{at}-{number}"])) for number in range(3)} for at in range(len(PLACES))]
    strict, relaxed, validation, test = (set(files) for (files,) in by_place)
    assert relaxed < strict
    # Readers of question files want the held-out problems in the relaxed folder too.
    copies = 2 if isinstance(exporter, GaReaderExporter) else 1
    assert (len(relaxed), len(validation), len(test)) == (1, copies, copies)
    assert strict & validation == strict & test == validation & test == set()


def test_the_files_named_are_the_files_written(exporter, tmp_path):
    assert set(exporter.write(tmp_path, all_places())) == set(bytes_of(tmp_path))


@pytest.mark.parametrize("texts", TEXTS)
def test_a_text_file_holds_the_ids_in_order(texts, tmp_path):
    entries = all_places()
    order = [made.id for made, _ in entries]
    for name, ids in texts().write(tmp_path, entries).items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert ids == [one for one in order if one in text]
        assert ids == sorted(ids, key=text.index)


def test_no_problems_give_files_without_problems(exporter, tmp_path):
    written = exporter.write(tmp_path, [])
    assert set(written) == set(bytes_of(tmp_path))
    assert not any(written.values())


@pytest.mark.parametrize("files", [GaReaderExporter, CnnDmExporter])
def test_no_problems_give_folders_without_questions(files, tmp_path):
    assert files().write(tmp_path, []) == {}
    folders = {path.relative_to(tmp_path / files.name).parts for path in tmp_path.glob("*/*/*")}
    assert folders == set(itertools.product(("strict", "relaxed"), ("training", "validation", "test")))


def test_the_same_problems_give_the_same_bytes_into_any_folder(exporter, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        exporter.write(tmp_path / name, iter(all_places()))
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "two")


@pytest.mark.parametrize(("level", "split"), [("relaxed", "test"), ("relaxed", "validation"), ("strict", "dev")])
def test_a_placement_without_a_file_is_refused(exporter, tmp_path, level, split):
    with pytest.raises(ValueError, match="p9"):
        exporter.write(tmp_path, [entry("p9", level, split)])


@pytest.mark.parametrize("odd", ["<&>\"'", "\x00\x1b", "🙂", "\u2028", "\r\n", "]]>", "café"])
def test_odd_characters_are_written_as_utf_8(exporter, tmp_path, odd):
    written = exporter.write(tmp_path, [entry("p1", odd=odd)])
    assert [ids for ids in written.values() if ids] == [["p1"], ["p1"]]
    for name, text in bytes_of(tmp_path).items():
        if not name.endswith(".parquet"):
            text.decode("utf-8")


def test_the_identity_names_format_and_version(exporter):
    name, version, *_ = exporter.identity.split(" ", 2)
    assert name
    assert version.isdigit()


# --- codes ---------------------------------------------------------------------------------------------------------------


def renamed(names):
    """All placements, where the names are replaced."""
    entries = all_places()
    return ListedProblems(entries, {made.id: pseudonyms_of(made, ("Bob Beck",)) for made, _ in entries}, names)


@pytest.mark.parametrize("names", ["original", "codes"])
def test_names_change_no_file_and_no_order(exporter, tmp_path, names):
    for folder, entries in (("plain", all_places()), ("other", renamed(names))):
        (tmp_path / folder).mkdir()
        exporter.write(tmp_path / folder, entries)
    plain, other = bytes_of(tmp_path / "plain"), bytes_of(tmp_path / "other")
    assert plain.keys() == other.keys()
    assert (plain == other) is (names == "original" or isinstance(exporter, fakes.ListExporter))


def test_no_original_name_is_in_a_renamed_text_file(exporter, tmp_path):
    exporter.write(tmp_path, renamed("codes"))
    for name, content in bytes_of(tmp_path).items():
        if not name.endswith(".parquet"):
            assert not re.search(rb"\b(?:Ann|Ames|Bob|Beck|Carl|Cole)\b", content), name


@pytest.mark.parametrize("names", ["original", "codes"])
@pytest.mark.parametrize("spans", SPANS)
def test_every_answer_is_in_its_context_at_its_offset(spans, tmp_path, names):
    right = {"original": "Ann Ames", "codes": "@entity3"}[names]
    for name in spans().write(tmp_path, renamed(names)):
        for one in json.loads((tmp_path / name).read_text(encoding="utf-8"))["data"]:
            (paragraph,) = one["paragraphs"]
            (question,) = paragraph["qas"]
            (answer,) = question["answers"]
            assert answer["text"] == right
            assert paragraph["context"].startswith(right, answer["answer_start"])


def test_cnn_dm_keeps_the_codes_of_the_persons(tmp_path):
    CnnDmExporter().write(tmp_path, renamed("codes"))
    lines = (tmp_path / "cnn-dm/strict/test/0000003.question").read_text(encoding="utf-8").splitlines()
    assert lines[2] == "@entity3 and @entity2 spoke ."
    assert lines[4] == "Then @placeholder met @entity1 in the port of Grey Haven again ."
    assert (lines[6], lines[8:]) == ("@entity3", ["@entity3:@entity3", "@entity2:@entity2"])


def quoref(folder, made, placed):
    """The one entry of a quoref file, and its one paragraph."""
    QuorefExporter().write(folder, [(made, placed)])
    (one,) = json.loads((folder / "quoref/test.json").read_text(encoding="utf-8"))["data"]
    (paragraph,) = one["paragraphs"]
    return one, paragraph


def test_quoref_has_one_answer_for_a_name_at_many_places(tmp_path):
    one, paragraph = quoref(
        tmp_path, *entry("p", split="test", passage="Ann Ames spoke. Ann\nAmes and Carl Cole left.")
    )
    assert (one["title"], one["url"]) == ("T", "")
    assert re.fullmatch("[0-9a-f]{64}", paragraph["context_id"])
    assert paragraph["qas"][0]["answers"] == [{"text": "Ann Ames", "answer_start": 0}]
    assert paragraph["qas"][0]["question"] == "Then XXX met Bob Beck in the port of Grey Haven again ."


def test_an_answer_is_found_in_capitals(tmp_path):
    made, placed = entry("p", split="test", passage="ANN AMES and Carl Cole left.", answer="ANN AMES")
    ann = msgspec.structs.replace(made.choices[0], name="Ann Ames")
    made = msgspec.structs.replace(made, choices=(ann, made.choices[1]))
    _, paragraph = quoref(tmp_path, made, placed)
    assert paragraph["qas"][0]["answers"] == [{"text": "ANN AMES", "answer_start": 0}]
