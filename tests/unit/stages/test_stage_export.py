"""export: every placed problem goes to every configured format, and its record names the files it stands in."""

import json

import msgspec
import pytest

from support import fakes, make, stage_runs, training
from support.renaming import pseudonyms_of
from wdw_build.adapters.exports.jsonl import JsonlExporter
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError
from wdw_build.records import SplitAssignment
from wdw_build.selection.settings import SplitConfig
from wdw_build.stages.export import STAGE, ExportConfig, shuffled

PLACES = {"a": ("strict", "train"), "b": ("relaxed", "train"), "c": ("strict", "validation"), "d": ("strict", "test")}


EXPORTERS = {"list": fakes.ListExporter(), "jsonl": JsonlExporter()}


def placed(name, level, split):
    return SplitAssignment(id=name, date=make.day(0), level=level, split=split)


def export(tmp_path, formats, places=PLACES, scores=None, rejected="", **settings):
    problems = [make.met(name, ["Ann Ames", "Cleo Cole"]) for name in "zdcba"]
    problems = [msgspec.structs.replace(one, event_score=(scores or {}).get(one.id)) for one in problems]
    inputs = {
        "split": [placed(name, *place) for name, place in places.items()],
        "problems": problems,
        "pseudonyms": [pseudonyms_of(one) for one in problems if one.id != rejected],
    }
    section = STAGE.config(formats=formats, **settings)
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, exporters=EXPORTERS)


def test_a_record_names_the_files_of_all_formats_in_their_order(tmp_path):
    ran = export(tmp_path, ("list", "jsonl"))
    strict, relaxed = ("list/train.txt", "jsonl/train.jsonl"), ("list/train.relaxed.txt", "jsonl/train.relaxed.jsonl")
    assert ran.records["a"].files == (strict[0], relaxed[0], strict[1], relaxed[1])
    assert ran.records["b"].files == relaxed
    assert ran.records["d"].files == ("list/test.txt", "jsonl/test.jsonl")
    assert [*ran.records] == [*PLACES]


def test_files_follow_the_order_of_split(tmp_path):
    export(tmp_path, ("list",), dict.fromkeys("cab", ("strict", "train")))
    assert (tmp_path / "export" / "list" / "train.txt").read_text().split() == ["c", "a", "b"]


def test_a_problem_with_a_low_event_score_or_none_is_rejected_and_in_no_file(tmp_path):
    scores = {"a": 0.8, "b": 0.79, "c": 0.9}
    ran = export(tmp_path, ("list", "jsonl"), scores=scores, min_event_score=0.8)
    assert [*ran.records] == ["a", "c"]
    assert ran.reasons == {"b": "low-event-score", "d": "low-event-score"}
    assert (tmp_path / "export" / "list" / "train.relaxed.txt").read_text().split() == ["a"]


# --- names ---------------------------------------------------------------------------------------------------------------


def lines_of(folder):
    lines = (folder / "export/jsonl/train.relaxed.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


def test_exported_problems_have_the_configured_names(tmp_path):
    for names, choices in (("original", ["Ann Ames", "Cleo Cole"]), ("codes", ["@entity2", "@entity1"])):
        export(tmp_path / names, ("jsonl",), names=names)
        line = lines_of(tmp_path / names)["a"]
        assert line["choices"] == choices
        assert line["question"]["deleted"] == choices[0]
        assert line["passage"]["text"] == f"{choices[0]} came. {choices[1]} came."


def test_a_problem_without_pseudonyms_is_left_out_only_if_names_are_replaced(tmp_path):
    ran = export(tmp_path / "codes", ("jsonl",), rejected="a", names="codes")
    assert ran.reasons == {"a": "no-pseudonyms"}
    assert list(lines_of(tmp_path / "codes")) == ["b"]
    assert not export(tmp_path / "original", ("jsonl",), rejected="a").reasons


def test_shuffled_choices_are_the_same_persons_under_all_names(tmp_path):
    new_name = {"Ann Ames": "@entity2", "Cleo Cole": "@entity1"}
    for names in ("original", "codes"):
        export(tmp_path / names, ("jsonl",), names=names, choices="shuffled")
    original, codes = lines_of(tmp_path / "original"), lines_of(tmp_path / "codes")
    for name, line in original.items():
        assert [new_name[choice] for choice in line["choices"]] == codes[name]["choices"]
        assert line["answer"] == codes[name]["answer"]


# --- the order of the choices ------------------------------------------------------------------------------------------

NAMES = ["Ann Ames", "Bea Bell", "Cleo Cole", "Dora Dorn", "Eve East"]


def many(name):
    return make.met(name, NAMES, 2)


def export_one(folder, exporter, seed=0, reader=None, **settings):
    """Export the problem p with five choices."""
    inputs = {"split": [placed("p", "strict", "test")], "problems": [many("p")], "pseudonyms": []}
    section, exporters = STAGE.config(formats=("one",), **settings), {"one": exporter}
    return stage_runs.run_stage(STAGE, folder, inputs, section=section, seed=seed, exporters=exporters, reader=reader)


def test_shuffled_choices_are_the_same_choices_with_the_same_answer():
    for name in map(str, range(50)):
        given, found = many(name), shuffled(many(name), 0)
        assert sorted(found.choices, key=given.choices.index) == list(given.choices)
        assert found.choices[found.answer] == given.choices[given.answer]
        assert (found.question, found.passage) == (given.question, given.passage)


def test_the_stage_shuffles_by_the_seed_of_the_run_if_configured(tmp_path):
    found = {}
    for order in ("passage", "shuffled"):
        export_one(tmp_path / order, JsonlExporter(), seed=3, choices=order)
        found[order] = json.loads((tmp_path / order / "export/jsonl/test.jsonl").read_text())
    assert (found["passage"]["choices"], found["passage"]["answer"]) == (NAMES, 2)
    drawn = shuffled(many("p"), 3)
    assert found["shuffled"]["choices"] == [one.name for one in drawn.choices]
    assert found["shuffled"]["answer"] == drawn.answer


# --- formats that need the corpus --------------------------------------------------------------------------------------


class Counting:
    """``CorpusExporter``: writes how many problems and articles it was given, each gone through twice."""

    identity = "counting 1"

    def write_from(self, folder, problems, corpus):
        counts = [len(list(one)) for one in (problems, corpus, problems, corpus)]
        (folder / "counts.txt").write_text(str(counts))
        return {"counts.txt": [problem.id for problem, _ in problems]}


def test_a_format_that_needs_the_corpus_can_read_it_more_than_once(tmp_path):
    ran = export_one(tmp_path, Counting(), reader=fakes.ListReader([make.raw("p"), make.raw("r")]))
    assert ran.records["p"].files == ("counts.txt",)
    assert (tmp_path / "export/counts.txt").read_text() == "[1, 2, 1, 2]"


def test_the_order_of_shuffled_choices_is_that_of_their_hashes():
    drawn = [choice.name for choice in shuffled(many("p"), 3).choices]
    assert drawn == sorted(NAMES, key=lambda name: uniform_hash(3, "export", f"p\x1f{name}"))


ALTERNATIVES = "jsonl/train.alternatives.jsonl"


def export_alternatives(folder, *, formats=("jsonl",), progress=None, **settings):
    """The lines of the exported training alternatives of ``support.training``."""
    section = ExportConfig(formats=formats, alternatives=True, **settings)
    given = {"section": section, "shared": {"split": SplitConfig(test_from=make.day(10))}, "progress": progress}
    inputs, stage = training.outputs(folder), STAGE.configured(section)
    ran = stage_runs.run_stage(stage, folder, inputs, **given, exporters=EXPORTERS)
    assert [*ran.records] == ["h"]
    return [json.loads(line) for line in (folder / "export" / ALTERNATIVES).read_bytes().splitlines()]


def test_training_alternatives_follow_the_problems_in_a_file_of_their_own(tmp_path, capsys):
    lines = export_alternatives(tmp_path, progress=Progress("messages"))
    assert [line["id"] for line in lines] == training.TRAINING
    assert {line["level"] for line in lines} == {"alternative"}
    said = "export: 5 training alternatives; left out: 2 of questions in the held-out"
    assert capsys.readouterr().err.startswith(said)


def test_the_choices_of_alternatives_are_shuffled_as_those_of_problems(tmp_path):
    plain, other = (export_alternatives(tmp_path / order, choices=order) for order in ("passage", "shuffled"))
    assert [sorted(line["choices"]) for line in plain] == [sorted(line["choices"]) for line in other]
    assert [line["choices"][line["answer"]] for line in plain] == [line["choices"][line["answer"]] for line in other]


def test_a_format_without_a_file_for_alternatives_is_refused(tmp_path):
    with pytest.raises(Exception, match="the format list has no file for training alternatives"):
        export_alternatives(tmp_path, formats=("jsonl", "list"))


def test_alternatives_with_codes_are_refused():
    with pytest.raises(ConfigError, match=r"export\.alternatives.*export\.names is codes"):
        ExportConfig(alternatives=True, names="codes")
