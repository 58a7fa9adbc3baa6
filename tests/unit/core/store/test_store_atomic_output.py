"""Atomic output: complete files in a folder of the user, or none; nothing is replaced unless asked."""

import pytest

from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.errors import UsageError


def write(folder, text, *, replace=False, name="squad"):
    with atomic_output(folder, replace=replace) as staging:
        (staging / name).mkdir()
        (staging / name / "a.json").write_text(text)


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_the_output_is_moved_into_the_folder_and_no_staging_folder_is_left(tmp_path):
    write(tmp_path / "out", "one")
    assert contents(tmp_path / "out") == {"squad/a.json": "one"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["squad"]


def test_other_files_in_the_folder_are_kept(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    write(tmp_path, "one")
    assert contents(tmp_path) == {"notes.txt": "mine", "squad/a.json": "one"}


def test_an_existing_folder_is_replaced_as_a_whole_and_only_if_asked(tmp_path):
    write(tmp_path, "one")
    (tmp_path / "squad/old.json").write_text("old")
    with pytest.raises(UsageError, match="squad already exists"):
        write(tmp_path, "two")
    assert contents(tmp_path) == {"squad/a.json": "one", "squad/old.json": "old"}
    write(tmp_path, "two", replace=True)
    assert contents(tmp_path) == {"squad/a.json": "two"}


@pytest.mark.parametrize("name", ["new", "."])
def test_after_an_error_the_folder_is_as_it_was_before(tmp_path, name):
    def fail():
        with atomic_output(tmp_path / name, replace=True) as staging:
            (staging / "half").mkdir()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_an_existing_output_can_be_refused_before_the_work(tmp_path):
    refuse_existing(tmp_path / "new", replace=False)
    refuse_existing(tmp_path, replace=True)
    with pytest.raises(UsageError) as caught:
        refuse_existing(tmp_path, replace=False)
    assert "--force" in caught.value.hint


def test_a_folder_replaces_a_file_and_a_file_a_folder(tmp_path):
    (tmp_path / "squad").write_text("a file")
    write(tmp_path, "one", replace=True)
    assert contents(tmp_path) == {"squad/a.json": "one"}
    with atomic_output(tmp_path, replace=True) as staging:
        (staging / "squad").write_text("a file again")
    assert contents(tmp_path) == {"squad": "a file again"}
