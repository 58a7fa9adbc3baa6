"""gc finds what no run links to, and never deletes what a run links to or a process works on."""

import os

from hypothesis import given
from hypothesis import strategies as st

from wdw_build.cli.gc import delete, find_unused
from wdw_build.core.store.output import final_folder, link, locked, staging_folder

ONE, TWO = "0" * 16, "1" * 16


def output(root, stage, fingerprint, size=10):
    folder = final_folder(root, stage, fingerprint)
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_bytes(b"x" * size)
    return folder


def found(root, keep_days=0):
    return {(one.stage, one.fingerprint, one.kind) for one in find_unused(root, keep_days)}


STORED = st.sets(st.tuples(st.sampled_from(["ingest", "names"]), st.integers(0, 3)), max_size=8)


@given(STORED, st.sets(st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["ingest", "names"]), st.integers(0, 3))))
def test_after_gc_exactly_the_linked_outputs_are_left(tmp_path_factory, stored, links):
    root = tmp_path_factory.mktemp("store")
    folders = {place: output(root, place[0], f"{place[1]:016x}") for place in stored}
    linked = {(run, stage): (stage, number) for run, stage, number in sorted(links) if (stage, number) in stored}
    for (run, stage), place in linked.items():
        link(root / "runs" / run / stage, folders[place])
    for one in find_unused(root, 0):
        assert delete(root, one)
    assert {place for place, folder in folders.items() if folder.exists()} == set(linked.values())


def test_what_stopped_runs_left_is_deleted_and_what_a_process_works_on_is_not(tmp_path):
    for fingerprint in (ONE, TWO):
        staging_folder(tmp_path, "ingest", fingerprint).mkdir(parents=True)
    (tmp_path / "store" / "ingest" / f".{ONE}.old-77").mkdir()
    with locked(tmp_path, "ingest", TWO):
        deleted = {(one.fingerprint, one.kind) for one in find_unused(tmp_path, 0) if delete(tmp_path, one)}
    assert deleted == {(ONE, "staging"), (ONE, "remains")}
    assert found(tmp_path) == {("ingest", TWO, "staging")}


def test_folders_of_another_kind_are_kept(tmp_path):
    for name in ("annotations/6f97422d6b9a4507", "cross-fits/0a0b0c0d0e0f0a0b", "ingest/notes", f"ingest/{ONE}"):
        (tmp_path / "store" / name).mkdir(parents=True)
    assert found(tmp_path) == set()


def test_what_was_changed_lately_is_kept(tmp_path):
    folder = output(tmp_path, "ingest", ONE)
    assert found(tmp_path, keep_days=1) == set()
    os.utime(folder, (0, 0))
    assert found(tmp_path, keep_days=1) == {("ingest", ONE, "output")}


def test_the_size_is_that_of_all_files(tmp_path):
    (output(tmp_path, "index", ONE, size=100) / "lucene").mkdir()
    (final_folder(tmp_path, "index", ONE) / "lucene" / "a").write_bytes(b"y" * 23)
    (one,) = find_unused(tmp_path, 0)
    assert (one.bytes, one.path) == (123, f"store/index/{ONE}")


def test_an_output_that_a_process_makes_again_or_to_which_a_run_links_meanwhile_is_kept(tmp_path):
    folder = output(tmp_path, "ingest", ONE)
    (one,) = find_unused(tmp_path, 0)
    with locked(tmp_path, "ingest", ONE):
        assert not delete(tmp_path, one)
    link(tmp_path / "runs" / "new" / "ingest", folder)
    assert not delete(tmp_path, one)
    assert (folder / "manifest.json").exists()
