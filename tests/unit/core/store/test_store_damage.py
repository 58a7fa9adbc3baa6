"""Damage to a finished output: no stage reads it, no reader returns it, and the plan notices it."""

import pickle
import shutil

import pytest

from support import toy_pipeline
from support import toy_stages as toys
from wdw_build.core.run.task import cut
from wdw_build.core.store import output as store
from wdw_build.core.store.manifest import damage, read_manifest
from wdw_build.core.store.output import Output
from wdw_build.errors import DamagedOutputError, UsageError


@pytest.fixture
def source(tmp_path, monkeypatch):
    """An output of 300 records in parts of 128, with a file of its own."""
    monkeypatch.setattr(store, "PART_RECORDS", 128)
    return toys.make(tmp_path, toys.job(toys.source(), ports=toys.ToyPorts(count=300)))


def without_last_line(content):
    return content[: content.rstrip(b"\n").rfind(b"\n") + 1]


def with_another_value(content):
    """One byte of a record is another one; the line is still a record of the same length."""
    assert b'"value":210,' in content or b'"value":200,' in content
    return content.replace(b'"value":2', b'"value":3', 1)


def with_two_lines_exchanged(content):
    first, second, *rest = content.splitlines(keepends=True)
    return b"".join([second, first, *rest])


def with_another_line(content):
    return content + content.splitlines(keepends=True)[-1]


def nothing(content):
    return b""


CHANGES = [without_last_line, with_another_value, with_two_lines_exchanged, with_another_line, nothing]


def change(path, how):
    path.write_bytes(how(path.read_bytes()))


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("size", [64, 128, 320])
def test_a_shard_gives_its_records_as_they_were_written_or_an_error(source, how, size):
    whole = [note.value for note in source.records()]
    change(source.folder / "part-00001.jsonl", how)
    refused = 0
    for number, shard in enumerate(pickle.loads(pickle.dumps(cut(source, size)))):
        try:
            assert [note.value for note in shard.records()] == whole[number * size :][: shard.count]
        except DamagedOutputError:
            refused += 1
    assert refused


@pytest.mark.parametrize(("how", "block"), [(without_last_line, 0), *((how, 64) for how in CHANGES)])
def test_a_stage_on_a_damaged_input_is_not_committed(tmp_path, source, how, block):
    change(source.folder / "part-00001.jsonl", how)
    made = toys.job(toys.mapped(toys.double, block=block), {"source": source})
    with pytest.raises(DamagedOutputError, match=r"part-00001\.jsonl "):
        toys.make(tmp_path, made)
    assert not toys.places(tmp_path, made)[1].exists()


def test_a_missing_part_is_damage(source):
    (source.folder / "part-00002.jsonl").unlink()
    for read in (lambda: list(source.records()), lambda: Output(source.folder, toys.Note).find(toys.name(290))):
        with pytest.raises(DamagedOutputError, match=r"part-00002\.jsonl is missing"):
            read()


@pytest.mark.parametrize("how", CHANGES)
def test_a_changed_part_is_refused_with_the_command_that_makes_it_and_other_parts_are_found(source, how):
    change(source.folder / "part-00001.jsonl", how)
    keeps_size = how in (with_another_value, with_two_lines_exchanged)
    words = "is not as it was written" if keeps_size else r"has \d+ bytes, but \d+ were written"
    for read in (lambda: list(source.records()), lambda: source.find(toys.name(200))):
        with pytest.raises(DamagedOutputError, match=rf"part-00001\.jsonl {words}") as caught:
            read()
        assert "wdw-build run source --force" in caught.value.hint
    assert source.find(toys.name(1)).value == 1


@pytest.mark.parametrize("how", [without_last_line, with_two_lines_exchanged, nothing])
def test_reading_changed_rejections_raises_an_error(tmp_path, how):
    output = toys.chain(tmp_path, toys.mapped(toys.double))
    change(output.folder / "rejections.jsonl", how)
    with pytest.raises(DamagedOutputError, match=r"rejections\.jsonl "):
        list(output.rejections())


def harm(folder):
    """What the plan finds wrong with the files of an output."""
    return damage(folder, read_manifest(folder))


def listed(folder):
    return [path for path in sorted(folder.iterdir()) if path.name not in {"manifest.json", "timing.json"}]


def test_every_file_but_manifest_and_timing_is_listed_and_a_cut_changed_or_missing_one_is_found(tmp_path):
    folder = toys.chain(tmp_path, toys.WITH_STEPS).folder
    assert {path.name for path in listed(folder)} == read_manifest(folder).all_files.keys()
    assert harm(folder) == ""
    for path in listed(folder):
        content = path.read_bytes()
        path.write_bytes(content + b" ")
        assert harm(folder).startswith(f"{path.name} has")
        path.unlink()
        assert harm(folder) == f"{path.name} is missing"
        path.write_bytes(content)
        if content:
            with_another_byte(path)
            assert harm(folder) == f"{path.name} is not as it was written"
            path.write_bytes(content)
        # A file with another time alone is not damaged.
        assert harm(folder) == ""


def with_another_byte(path):
    """The file has its size, but its middle byte is another one."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("copy", [shutil.copy, shutil.copy2], ids=["cp", "cp -a"])
def test_a_copy_of_an_output_is_as_good_and_a_changed_byte_in_it_is_found(tmp_path, source, copy):
    copied = shutil.copytree(source.folder, tmp_path / "copy", copy_function=copy)
    assert harm(copied) == ""
    with_another_byte(copied / "part-00001.jsonl")
    assert harm(copied).startswith("part-00001.jsonl")


def test_files_that_are_older_than_the_manifest_are_not_read(source, monkeypatch):
    monkeypatch.setattr("wdw_build.core.store.manifest.hash_file", None)
    assert harm(source.folder) == ""


# --- In the plan -----------------------------------------------------------------------------------------------------


def causes(plan):
    return {step.stage.name: [str(cause) for cause in step.causes] for step in plan if step.output is None}


FILES = ("part-00000.jsonl", "index.sqlite", "name_counts.tsv", "rejections.jsonl")


def with_another_size(path):
    path.write_bytes(path.read_bytes() + b"\n")


@pytest.mark.parametrize(
    ("stage", "name", "spoil", "words"),
    [
        *(("names", name, with_another_size, "has") for name in FILES),
        ("sentences", "part-00000.jsonl", with_another_byte, "is not as it was written"),
    ],
)
def test_a_damaged_file_makes_the_stage_outdated_and_the_same_bytes_are_made_again(tmp_path, stage, name, spoil, words):
    mine = toy_pipeline.begun(tmp_path)
    mine.run(["names"])
    folder = mine.output(stage).folder.resolve()
    before = toys.contents(folder)
    spoil(folder / name)
    (cause,) = causes(mine.plan(["names"]))[stage]
    assert cause.startswith(f"its output is damaged: {name} {words}")
    with pytest.raises(UsageError, match=f"{stage} is not up to date: its output is damaged"):
        mine.ready(["names"])
    assert mine.run(["names"]) == [stage]
    assert toys.contents(folder) == before


@pytest.mark.parametrize("delete", [shutil.rmtree, lambda folder: (folder / "manifest.json").unlink()])
def test_a_deleted_output_is_gone_and_is_not_a_stage_that_never_ran(tmp_path, delete):
    mine = toy_pipeline.begun(tmp_path)
    mine.run(["ingest"])
    delete(mine.output("ingest").folder.resolve())
    assert causes(mine.plan(["ingest"])) == {"ingest": ["its output is gone, or an earlier version stored it"]}
    assert mine.run(["ingest"]) == ["ingest"]
