"""The exported files: JSONL, its card, and XML."""

import json
import shutil

import msgspec
import pytest

from support.consistent_run import config, edit, problem


def cut_last(folder):
    """The last problem is missing, from both formats."""
    for name, last, end in (
        ("jsonl/test.jsonl", '{"id":"q6","date"', ""),
        ("wdw-xml/Strict/test.xml", "<mc>", "</ROOT>\n"),
    ):
        path = folder / "export" / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text[: text.rindex(last)] + end, encoding="utf-8")


def claim(folder):
    return edit("export/part-00000.jsonl", "jsonl/test.jsonl", "jsonl/train.jsonl")(folder)


def test_a_problem_missing_from_its_file_fails_export_files(failing):
    assert failing(after=cut_last) == ["export-files"]
    # The part was edited after its hash was taken.
    assert failing(after=claim) == ["files", "export-files"]


@pytest.mark.parametrize(
    ("old", "new"),
    [('"title":"T5 & more"', '"title":""'), ('"level":"strict"', '"level":"relaxed"'), ('"level"', '"more":1,"level"')],
)
def test_a_line_that_differs_from_its_problem_fails_export_jsonl(failing, old, new):
    assert failing(after=edit("export/jsonl/validation.jsonl", old, new)) == ["export-jsonl"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("path: train.relaxed.jsonl", "path: train.jsonl"),
        ("split: test", "split: dev"),
        ("default: true", "default: false"),
        ("num_examples: 4", "num_examples: 5"),
        ("config_name: relaxed", "config_name: loose"),
        ("configs:", "config:"),
        ("---", ""),
        ("configs:", "configs: ["),
    ],
)
def test_a_card_with_other_splits_or_counts_fails_export_card(failing, old, new):
    assert failing(after=edit("export/jsonl/README.md", old, new)) == ["export-card"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kept quiet", "kept loud"),
        ('correct="false"', 'correct="true"'),
        ('idx="1"', 'idx="2"'),
        ("<leftblank>Mayor", "<leftblank>Major"),
        ('<leftblank>Mayor</leftblank><blank type="PERSON">', '<leftblank/><blank type="PERSON">Mayor '),
        ('type="PERSON"', 'type="PLACE"'),
        ('question id="', 'question id="x'),
        ("</ROOT>", "</ROO>"),
        ("</ROOT>", "<mc/></ROOT>"),
        ("<ROOT>", '<!DOCTYPE ROOT [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><ROOT>'),
    ],
)
def test_an_xml_problem_that_differs_from_its_line_fails_export_xml(failing, old, new):
    assert failing(after=edit("export/wdw-xml/Strict/val.xml", old, new)) == ["export-xml"]


def test_characters_that_xml_cannot_hold_make_no_difference(failing):
    one = problem(5, extra="A bell\x07, a break\r\nand <markup> & more.")

    def after(folder):
        edit("export/wdw-xml/Strict/val.xml", "\x07", "")(folder)
        path = folder / "export/wdw-xml/Strict/val.xml"
        path.write_bytes(path.read_bytes().replace(b"\r", b"&#13;"))

    assert failing(problems={5: one}, after=after) == []


# ---- what the command export wrote ----------------------------------------------------------------------------------------


def by_command(form, *changes, **made_from):
    """Copy the files of a format to where the command writes them, and say what they were made from."""

    def after(folder):
        shutil.copytree(folder / "export" / form, folder / "exports" / form)
        given = json.loads((folder / "export/manifest.json").read_bytes())["ingredients"]
        given["config"] |= {"formats": [form]}
        (folder / "exports" / f"{form}.made-from.json").write_text(json.dumps(given | made_from))
        for change in changes:
            change(folder)

    return after


@pytest.mark.parametrize("form", ["jsonl", "wdw-xml"])
def test_an_export_of_the_command_that_is_of_this_run_passes(failing, form):
    assert failing(after=by_command(form)) == []


def test_an_export_of_the_command_is_checked_with_the_settings_that_it_was_made_with(failing):
    shuffled = msgspec.to_builtins(msgspec.structs.replace(config().export, formats=("jsonl",), choices="shuffled"))
    assert failing(after=by_command("jsonl", config=shuffled)) == ["command-exports"]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_an_export_of_another_run_fails(failing, form):
    def after(folder):
        (folder / "export/parquet").mkdir()
        inputs = {"split": "another", "dedup": "content of dedup", "pseudonyms": "content of pseudonyms"}
        by_command(form, inputs=inputs)(folder)

    assert failing(after=after) == ["command-exports"]
    (found,) = (check for check in failing.report.checks if check.failures)
    assert found.examples == (
        f"exports/{form}: was made from another output of split than this run's; wdw-build export {form} writes it again",
    )


@pytest.mark.parametrize(
    "change",
    [
        edit("exports/jsonl/validation.jsonl", '"level":"strict"', '"level":"relaxed"'),
        edit("exports/jsonl/README.md", "split: test", "split: dev"),
        lambda folder: (folder / "exports/jsonl/test.jsonl").unlink(),
        lambda folder: (folder / "exports/jsonl/test.jsonl").write_text("{"),
        lambda folder: (folder / "exports/jsonl.made-from.json").unlink(),
        lambda folder: (folder / "exports/jsonl.made-from.json").write_text("{}"),
    ],
)
def test_an_export_of_the_command_that_was_changed_or_cannot_be_read_fails(failing, change):
    assert failing(after=by_command("jsonl", change)) == ["command-exports"]


def test_half_an_export_and_files_beside_it_are_ignored(failing):
    def after(folder):
        (folder / "exports/.wdw-build-1/jsonl").mkdir(parents=True)
        (folder / "exports/notes.txt").write_text("mine")

    assert failing(after=after) == []
