"""Delivery: whole files in a folder of the user's, or none; what is there is not replaced unasked."""

import pytest

from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.errors import UsageError


def write(folder, text, *, replace=False, name="squad"):
    with atomic_output(folder, replace=replace) as staging:
        (staging / name).mkdir()
        (staging / name / "a.json").write_text(text)


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_what_is_written_is_moved_into_the_folder_and_nothing_else_is_left(tmp_path):
    write(tmp_path / "out", "one")
    assert contents(tmp_path / "out") == {"squad/a.json": "one"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["squad"]


def test_other_things_in_the_folder_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    write(tmp_path, "one")
    assert contents(tmp_path) == {"notes.txt": "mine", "squad/a.json": "one"}


def test_what_is_there_is_replaced_as_a_whole_and_only_if_that_was_asked_for(tmp_path):
    write(tmp_path, "one")
    (tmp_path / "squad/old.json").write_text("old")
    with pytest.raises(UsageError, match="squad is there already"):
        write(tmp_path, "two")
    assert contents(tmp_path) == {"squad/a.json": "one", "squad/old.json": "old"}
    write(tmp_path, "two", replace=True)
    assert contents(tmp_path) == {"squad/a.json": "two"}


def test_a_file_replaces_a_file(tmp_path):
    for text in ("one", "two"):
        with atomic_output(tmp_path, replace=True) as staging:
            (staging / "answers.tsv").write_text(text)
    assert contents(tmp_path) == {"answers.tsv": "two"}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["new", "."])
def test_after_an_error_nothing_is_there_that_was_not_there_before(tmp_path, name):
    def fail():
        with atomic_output(tmp_path / name, replace=True) as staging:
            (staging / "half").mkdir()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_an_existing_target_is_refused_before_the_work(tmp_path):
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
