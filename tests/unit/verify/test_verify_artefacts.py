"""The audit finds damage: changed files, lost ids, outputs that do not fit together, other exports, and names that are left."""

import json
import re
import shutil

import pytest

from support import toy_pipeline as toy
from support.forged_run import copied, edit, failing, forge, set_field
from wdw_build.errors import CheckError, UsageError
from wdw_build.stages.dedup import DedupConfig
from wdw_build.stages.export import ExportConfig
from wdw_build.verify import PROMISES, texts
from wdw_build.verify.exports import words_left

JSONL = "export/jsonl/validation.jsonl"


@pytest.fixture
def coded(tmp_path):
    copied(tmp_path, "codes")
    return tmp_path


def test_a_correct_run_keeps_every_promise_and_each_check_that_applies_looks_at_something(run):
    report, failed = failing(run)
    assert failed == []
    assert report.ok
    assert [check.name for check in report.checks] == list(PROMISES)
    idle = {check.name for check in report.checks if not check.checked}
    unused = "answer-places enrichment omissions split-periods leaks names-left training-alternatives"
    assert idle == set(unused.split())


def test_a_correct_run_with_codes_keeps_every_promise(coded):
    report, failed = failing(coded, "codes")
    assert failed == []
    assert next(check.checked for check in report.checks if check.name == "names-left") > 0


def failures(run, failed, *names, **sections):
    """The examples of each check of an audit in which these checks fail and no others."""
    report, found = failing(run, *names, **sections)
    assert found == failed
    return {check.name: check.examples for check in report.checks}


@pytest.mark.parametrize("name", ["dedup/part-00000.jsonl", "dedup/rejections.jsonl", JSONL])
def test_a_changed_file_is_named(run, name):
    with (run / name).open("ab") as stream:
        stream.write(b'{"id":"more"}\n')
    report, _ = failing(run)
    examples = next(check.examples for check in report.checks if check.name == "files")
    assert any(re.fullmatch(rf"{re.escape(name)}: has \d+ bytes, but \d+ were written", one) for one in examples)


def test_a_missing_file_and_an_unknown_part_are_named(run):
    (run / JSONL).unlink()
    shutil.copy(run / "dedup/part-00000.jsonl", run / "dedup/part-00001.jsonl")
    found = failures(run, ["files", "exports"])
    assert found["files"] == ("dedup/part-00001.jsonl: is not in the manifest", f"{JSONL}: is missing")


def test_checks_that_cannot_read_a_damaged_part_fail_and_say_so(run):
    part = run / "suppress/part-00000.jsonl"
    part.write_bytes(part.read_bytes()[:-10])
    report, failed = failing(run)
    assert {"files", "accounting", "cells", "placement"} <= set(failed)
    assert "cannot be checked" in next(check.examples[0] for check in report.checks if check.name == "cells")


FORGED = [
    # The answer is Ann Adler; the sentence is "… said that Bert Cole sued XXX over plot 0 …".
    ("distinct-choices", 0, {"name": "Ann Addler"}),
    ("distinct-choices", 0, {"name": "Ann J. Adler"}),
    ("whole-names", 0, {"name": "Mad Dog’ Moss"}),
    ("whole-names", 0, {"name": "Pope Ann Adler"}),
    ("right-answers", -1, {"name": "Bea Adler"}),
    ("right-answers", -1, {"name": "O.J. Adler"}),
    ("choices-not-shown", 0, {"name": "Bert “Red” Cole"}),
    ("choices-not-shown", 0, {"name": "Bert Coles"}),
    ("finite-verbs", None, {"tree": "(ROOT (NP (NP (NNP Bert)) (PP (IN with) (NP (NNP Ann)))))"}),
    ("finite-verbs", None, {"sentence": "officials said that Bert Cole (left) sued Ann Adler."}),
]


@pytest.mark.parametrize(("check", "part", "fields"), FORGED)
def test_two_names_of_a_person_a_name_that_the_question_shows_and_a_caption_are_named(run, check, part, fields):
    def change(records):
        record = records[0]
        part_of_choice = record["answer"] if part == -1 else part
        (record["question"] if part is None else record["choices"][part_of_choice]).update(fields)

    forge(run, "problems", change)
    assert check in failing(run)[1]


def test_an_answer_whose_family_name_alone_is_another_s_in_the_passage_is_named(run):
    def change(records):
        records[0]["question"]["name"]["text"] = "Adler"
        records[0]["passage"]["text"] += " Mr Adler spoke."

    def shorten(records):
        for record in records:
            record["paragraphs"] = [text.replace("Ann Adler", "Adler") for text in record["paragraphs"]]

    forge(run, "problems", change)
    forge(run, "ingest", shorten)
    assert "right-answers" in failing(run)[1]


def test_a_lost_and_an_invented_id_are_named(run):
    forge(run, "index", lambda records: records[0].update(id="ghost"))
    assert [one.split(":")[0] for one in failures(run, ["accounting"])["accounting"]] == ["q00", "ghost"]


def test_counts_of_a_manifest_that_are_wrong_are_found(run):
    edit(run / "index/manifest.json", '"read": 24', '"read": 25')
    assert failing(run)[1] == ["accounting"]


def test_an_output_made_from_another_input_or_with_another_key_or_seed_is_found(run):
    found = failures(run, ["chain"], dedup=DedupConfig(threshold=0.5))
    assert found["chain"] == ("dedup: was made with another dedup.threshold",)
    made_from = json.loads((run / "retrieve/manifest.json").read_bytes())["ingredients"]
    edit(run / "retrieve/manifest.json", made_from["inputs"]["index"], "another")
    edit(run / "split/manifest.json", '"seed": 0', '"seed": 1')
    inputs, seed = failures(run, ["chain"])["chain"]
    assert inputs == "retrieve: was made from another output of index than this run's"
    assert seed == "split: was made with seed 1, not 0"


@pytest.mark.parametrize("stage", ["problems", "dedup"])
def test_a_problem_that_is_not_the_selected_alternative_is_found(run, stage):
    forge(run, stage, lambda records: records[3]["question"].update(source="another"))
    assert "stored-problems" in failing(run)[1]


def test_a_problem_with_another_text_than_its_article_is_found(run):
    forge(run, "ingest", set_field("p03", paragraphs=["another text"]))
    assert failures(run, ["stored-problems"])["stored-problems"][0].startswith("q03: is not the alternative")


# ---- exports --------------------------------------------------------------------------------------------------------------


EDITED = [
    (JSONL, "came home", "came back"),
    (JSONL, '"answer":', '"answer": '),
    ("export/wdw-xml/Strict/val.xml", "came home", "came back"),
    ("export/squad/test.json", "came home", "came back"),
    ("export/jsonl/README.md", "validation", "dev"),
]


@pytest.mark.parametrize(("name", "old", "new"), EDITED)
def test_an_exported_file_that_differs_from_the_stored_problems_is_found(run, name, old, new):
    edit(run / name, old, new)
    assert failures(run, ["files", "exports"])["exports"][0].startswith(f"{name}: line ")


def by_command(run, **made_from):
    """Give the run a format of the command ``export``."""
    shutil.copytree(run / "export/jsonl", run / "exports/jsonl")
    ingredients = json.loads((run / "export/manifest.json").read_bytes())["ingredients"]
    ingredients["config"]["formats"], ingredients["backends"]["exporters"] = ["jsonl"], "jsonl 3"
    (run / "exports/jsonl.made-from.json").write_text(json.dumps(ingredients | made_from))


def test_an_export_of_the_command_is_compared_with_the_stored_problems(run):
    by_command(run)
    assert failing(run)[1] == []
    edit(run / "exports/jsonl/test.jsonl", "came home", "came back")
    assert failures(run, ["exports"])["exports"][0].startswith("exports/jsonl/test.jsonl: line 1")


def test_an_export_of_the_command_that_is_of_another_run_or_cannot_be_read_is_found(run):
    by_command(run, inputs={"split": "another"})
    assert "was made from another output of split than this run's" in failures(run, ["exports"])["exports"][0]
    (run / "exports/jsonl.made-from.json").write_text("{}")
    assert "exports" in failing(run)[1]


def test_an_export_by_another_version_of_an_exporter_is_not_compared(run):
    edit(run / "export/manifest.json", "jsonl 3", "jsonl 1")
    edit(run / JSONL, "came home", "came back")
    assert failing(run)[1] == ["files"]


def test_a_name_that_is_left_in_an_export_with_codes_is_found(coded):
    name = toy.LAST[6]
    edit(coded / JSONL, "came home", f"came home to {name}")
    found = failures(coded, ["files", "exports", "names-left"], "codes")
    assert found["names-left"] == (f"q06: {name!r} of a replaced person is left in {JSONL}",)


def test_a_mention_that_the_stored_pseudonyms_do_not_replace_is_found(coded):
    forge(coded, "pseudonyms", lambda records: [one.update(passage=[]) for one in records])
    assert "exports" in failing(coded, "codes")[1]


LEFT = [
    ("Now Kettle rose.", ["Kettle"]),
    ("Now KETTLE rose.", ["KETTLE"]),
    ("Kettle's and pro-Kettle", ["Kettle's", "Kettle"]),
    ("the kettle of @entity0 and @entity1's", []),
]


@pytest.mark.parametrize(("text", "left"), LEFT)
def test_capitalised_words_of_a_person_are_left_and_others_are_not(text, left):
    assert list(words_left(text, {"kettle", "entity"})) == left


# ---- what is missing ------------------------------------------------------------------------------------------------------


def test_a_missing_output_says_which_command_makes_it(run):
    shutil.rmtree(run / "split")
    with pytest.raises(UsageError, match="has no output of split") as caught:
        failing(run)
    assert "wdw-build all" in caught.value.hint


def test_a_damaged_manifest_is_named(run):
    (run / "suppress/manifest.json").write_text("{")
    with pytest.raises(CheckError, match=r"suppress.manifest\.json: not a manifest"):
        failing(run)


def test_an_export_with_other_settings_than_the_run_s_fails_chain(run):
    assert failing(run, export=ExportConfig(formats=("jsonl",)))[1] == ["chain"]


ALIKE = [
    ("Kim Jong-ha", "Kim Jong Ha", True),
    ("J.R. Toller", "J. R. Toller", True),
    ("Ann Ames", "Ann Beck Ames", True),
    ("Owen Pike", "Owen Pike Jr.", False),
    ("Owen H.W. Pike", "Owen W. Pike", False),
    ("Ann Ames", "Bo Ames", False),
    ("Ames", "Ann Ames", False),
]


@pytest.mark.parametrize(("one", "other", "alike"), ALIKE)
def test_choices_are_compared_by_their_plain_letters(one, other, alike):
    assert texts._are_written_alike(one, other) == texts._are_written_alike(other, one) == alike
