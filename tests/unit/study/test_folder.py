"""Sheets and collections have one form of folder: private, found by name, and not replaced once people worked on them."""

import msgspec
import pytest

from support.collected import PASSAGES, collection_folder
from support.sheets import sheet_folder, sheet_problem
from wdw_build.errors import CorpusError, UsageError
from wdw_study.collecting.collection import CollectionFolder
from wdw_study.judging.sheets import SheetFolder, judged_of


@pytest.mark.parametrize(("make", "kind"), [(sheet_folder, SheetFolder), (collection_folder, CollectionFolder)])
def test_a_study_is_read_as_it_was_written_and_only_its_owner_may(make, kind, tmp_path):
    made = make(tmp_path)
    again = kind.read(made.path)
    assert (again.head, again.items) == (made.head, made.items)
    assert again.path.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in again.path.iterdir()} == {0o600}
    assert not again.is_worked_on
    assert {path.name for path in again.path.iterdir()} == {"study.json", "items.jsonl"}


def test_a_study_that_people_worked_on_is_not_replaced_by_another_draw(tmp_path):
    sheet_folder(tmp_path, 2).log.append("Eve", "signed-in", value=False)
    second = sheet_folder(tmp_path, 3)
    assert len(second.items) == 3
    second.log.append("Eve", "answered", "q1", 0)
    assert sheet_folder(tmp_path, 3).head == second.head
    with pytest.raises(UsageError, match="people worked on it"):
        sheet_folder(tmp_path, 4)
    assert len(SheetFolder.open(tmp_path).items) == 3


def test_without_a_name_the_study_that_people_worked_on_is_meant(tmp_path):
    with pytest.raises(UsageError, match="nothing to annotate"):
        SheetFolder.open(tmp_path)
    for name in ("a", "b"):
        sheet_folder(tmp_path, 2, name=name)
    with pytest.raises(UsageError, match="2 of them") as caught:
        SheetFolder.open(tmp_path)
    assert caught.value.hint == "--sheet: a, b"
    sheet_folder(tmp_path, 2, name="b").log.append("Eve", "answered", "q1", 0)
    assert SheetFolder.open(tmp_path).head.name == "b"
    assert SheetFolder.open(tmp_path, "a").head.name == "a"
    with pytest.raises(UsageError, match="no sheet 'c'"):
        SheetFolder.open(tmp_path, "c")


def test_changed_and_damaged_files_are_said(tmp_path):
    folder = collection_folder(tmp_path)
    items = folder.path / "items.jsonl"
    items.write_bytes(msgspec.json.encode(PASSAGES[0]) + b"\n")
    with pytest.raises(CorpusError, match="was changed"):
        CollectionFolder.read(folder.path)
    items.write_text("{")
    with pytest.raises(CorpusError):
        CollectionFolder.read(folder.path)


def test_an_answer_outside_the_choices_is_an_error(tmp_path):
    folder = sheet_folder(tmp_path, problems=[sheet_problem(1)])
    folder.log.append("Eve", "answered", "q1", 7)
    with pytest.raises(CorpusError, match="q1 has no choice with the index 7"):
        judged_of(folder)
