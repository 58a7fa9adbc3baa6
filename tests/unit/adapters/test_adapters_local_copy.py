"""Copies of the index on a local disk: made once, whole, and shared by the processes of a host."""

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from wdw_build.adapters.lucene_index import local_copy


@pytest.fixture
def index(tmp_path):
    folder = tmp_path / "store" / "index" / "f00d" / "lucene"
    folder.mkdir(parents=True)
    (folder / "segments_1").write_text("terms")
    return folder


def test_the_copy_has_the_files_and_is_used_again(index, tmp_path):
    copy = local_copy(index, tmp_path / "scratch")
    assert (copy / "segments_1").read_text() == "terms"
    assert copy.is_relative_to(tmp_path / "scratch")
    assert "f00d" in copy.parts
    shutil.rmtree(index)
    assert local_copy(index, tmp_path / "scratch") == copy


def test_many_processes_copy_once(index, tmp_path, monkeypatch):
    copied = []
    monkeypatch.setattr(shutil, "copytree", lambda source, target: (copied.append(source), target.mkdir()))
    with ThreadPoolExecutor(8) as pool:
        copies = set(pool.map(lambda _: local_copy(index, tmp_path / "scratch"), range(8)))
    assert len(copies) == len(copied) == 1


def test_what_a_killed_copy_left_is_replaced(index, tmp_path):
    copy = local_copy(index, tmp_path / "scratch")
    unfinished = copy.with_name(".lucene.unfinished")
    copy.rename(unfinished)
    (unfinished / "segments_1").write_text("te")
    assert (local_copy(index, tmp_path / "scratch") / "segments_1").read_text() == "terms"
    assert not unfinished.exists()


def test_without_space_the_index_is_searched_where_it_is(index, tmp_path, monkeypatch):
    def full(source, target):
        target.mkdir()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copytree", full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        assert local_copy(index, tmp_path / "scratch") == index
