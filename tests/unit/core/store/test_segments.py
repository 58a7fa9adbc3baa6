"""Segments: values by key in immutable files, written by many processes, merged, and read while they are merged."""

import multiprocessing
import os
import sqlite3
import time
import warnings
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.core.store import segments
from wdw_build.core.store.segments import Segment, Segments, due_for_merging


@pytest.fixture(autouse=True, scope="module")
def disk():
    """Do not wait for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


def value(name):
    return f'{{"name":"{name}"}}'.encode()


def filled(folder, *names):
    """A process's view of the folder, after it published these names as one segment."""
    store = Segments(folder)
    store.add((name, value(name)) for name in names)
    store.flush()
    return store


def files(folder):
    return sorted(folder.glob("*.sqlite"))


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["add", "publish", "compact"]), st.sets(names)), max_size=12)
)
def test_whatever_is_published_and_merged_by_whom_every_value_is_found(tmp_path_factory, steps):
    folder = tmp_path_factory.mktemp("segments")
    stores, added = [Segments(folder) for _ in range(3)], set()
    for number, what, keys in steps:
        stores[number].add((name, value(name)) for name in keys)
        added |= keys
        if what != "add":
            getattr(stores[number], {"publish": "flush", "compact": "compact"}[what])()
    for store in stores:
        store.flush()
    reader = Segments(folder)
    assert {name: reader.find(name) for name in added} == {name: value(name) for name in added}
    assert reader.find("a name too long to be drawn") is None


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(names, st.integers(0, 30_000), max_size=40))
def test_a_segment_holds_each_value_under_its_key_whatever_their_lengths(tmp_path_factory, lengths):
    folder = tmp_path_factory.mktemp("file")
    values = {name: b"x" * length for name, length in lengths.items()}
    store = Segments(folder)
    store.add(values.items())
    store.flush()
    for path in files(folder):
        segment = Segment(path)
        assert segment.count == len(values)
        assert [(key, value) for key, value, _ in segment.rows()] == sorted(
            (name.encode(), value) for name, value in values.items()
        )
    assert {name: Segments(folder).find(name) for name in values} == values
    assert Segments(folder).find("a name too long to be drawn") is None


def test_a_value_is_found_before_it_is_published_and_by_others_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "_LIST_SECONDS", 0.0)
    writer, reader = Segments(tmp_path), Segments(tmp_path)
    writer.add([("a", value("a"))])
    assert (writer.find("a"), reader.find("a")) == (value("a"), None)
    writer.flush()
    assert reader.find("a") == value("a")


def test_values_are_published_when_they_are_many_and_when_the_last_time_is_long_ago(tmp_path, monkeypatch):
    store = Segments(tmp_path)
    store.add([("a", value("a"))])
    assert not files(tmp_path)
    store.add((str(number), value(number)) for number in range(segments._PUBLISH_VALUES))
    assert len(files(tmp_path)) == 1
    monkeypatch.setattr(segments, "_PUBLISH_SECONDS", 0.0)
    store.add([("b", value("b"))])
    assert Segments(tmp_path).find("b") == value("b")


def test_a_process_merges_its_segments_as_a_binary_counter_and_leaves_those_of_others(tmp_path):
    filled(tmp_path, "of another process")
    store = Segments(tmp_path)
    for number in range(15):
        store.add([(str(number), value(number))])
        store.flush()
    # 15 = 8 + 4 + 2 + 1
    assert sorted(Segment(path).count for path in files(tmp_path)) == [1, 1, 2, 4, 8]


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [([], []), ([5], []), ([1, 5], []), ([5, 5], [5, 5]), ([1, 5, 5], [1, 5, 5]), ([1, 1, 9], [1, 1]), ([2, 3, 9], [])],
)
def test_small_segments_are_merged_until_one_is_larger_than_all_smaller_ones(sizes, merged):
    stubs = [SimpleNamespace(count=size, path=SimpleNamespace(name=str(n))) for n, size in enumerate(sizes)]
    assert [segment.count for segment in due_for_merging(stubs)] == merged


def test_compacting_joins_the_segments_of_all_and_keeps_a_repeated_key_once(tmp_path):
    for name in "abcd":
        filled(tmp_path, name, "shared")
    Segments(tmp_path).compact()
    (path,) = files(tmp_path)
    assert [key.decode() for key, *_ in Segment(path).rows()] == [*"abcd", "shared"]


def test_a_process_finds_the_values_of_more_segments_than_it_has_open(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "_MOST_OPEN", 2)
    for name in "abcde":
        filled(tmp_path, name)
    reader = Segments(tmp_path)
    assert [reader.find(name) for name in "abcde"] == [value(name) for name in "abcde"]
    assert reader.find("absent") is None
    assert reader._opened.cache_info().currsize == 2


def test_a_process_that_finds_many_segments_merges_them(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "_MANY", 4)
    for name in "abcd":
        filled(tmp_path, name)
    store = Segments(tmp_path)
    store.find("absent")
    store.add([("e", value("e"))])
    store.flush()
    assert len(files(tmp_path)) == 1


def test_compacting_is_left_to_the_process_that_is_doing_it(tmp_path):
    for name in "ab":
        filled(tmp_path, name)
    with Segments(tmp_path).locked() as is_alone:
        assert is_alone
        Segments(tmp_path).compact()
    assert len(files(tmp_path)) == 2


def test_compacting_a_folder_that_does_not_exist_makes_none(tmp_path):
    Segments(tmp_path / "none").compact()
    assert not (tmp_path / "none").exists()
    assert Segments(tmp_path / "none").find("a") is None


def test_compacting_deletes_what_a_killed_process_left_a_day_ago(tmp_path):
    filled(tmp_path, "a")
    old, new = tmp_path / ".host-1-a.sqlite.tmp", tmp_path / ".host-1-b.sqlite.tmp"
    for path in (old, new):
        path.write_bytes(b"{")
    os.utime(old, (time.time() - 90_000,) * 2)
    Segments(tmp_path).compact()
    assert (old.exists(), new.exists()) == (False, True)


# --- Segments that are gone or damaged -------------------------------------------------------------------------------


def test_a_reader_finds_a_value_whose_segment_another_process_merged(tmp_path):
    for name in "ab":
        filled(tmp_path, name)
    reader = Segments(tmp_path)
    assert reader.find("a") == value("a")
    Segments(tmp_path).compact()
    assert len(files(tmp_path)) == 1
    assert (reader.find("a"), reader.find("b")) == (value("a"), value("b"))


def test_a_process_whose_own_segments_another_process_merged_goes_on(tmp_path):
    store = Segments(tmp_path)
    for name in "abc":
        store.add([(name, value(name))])
        store.flush()
        Segments(tmp_path).compact()
    assert {name: store.find(name) for name in "abc"} == {name: value(name) for name in "abc"}
    assert len(files(tmp_path)) == 2


def test_a_segment_that_stays_gone_counts_as_absent_and_hides_no_other(tmp_path, monkeypatch):
    monkeypatch.setattr(segments, "_WAIT_SECONDS", 0.0)
    filled(tmp_path, "a")
    reader = Segments(tmp_path)
    reader.find("a")
    files(tmp_path)[0].unlink()

    def gone(segment, key):
        raise sqlite3.OperationalError("disk I/O error")

    # As over NFS, where the file cannot be read and the listing is out of date for longer than the reader waits.
    monkeypatch.setattr(Segment, "find", gone)
    monkeypatch.setattr(Segments, "_list", lambda self: None)
    assert reader.find("a") is None


@pytest.mark.parametrize(("lost", "fault"), [(1 << 14, "malformed"), (1, "the checksum of b'a|the checksum of b'b")])
def test_a_truncated_segment_is_ignored_with_one_warning(tmp_path, monkeypatch, lost, fault):
    filled(tmp_path, "a")
    filled(tmp_path, "b")
    first, _ = files(tmp_path)
    first.write_bytes(first.read_bytes()[:-lost])
    reader = Segments(tmp_path)
    with pytest.warns(RuntimeWarning, match=rf"({fault}).*; what it held is made again"):
        found = [reader.find(name) for name in "ab"]
    assert sorted(filter(None, found)) in ([value("a")], [value("b")])
    monkeypatch.setattr(segments, "_LIST_SECONDS", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if fault == "malformed" else "ignore")
        assert [reader.find(name) for name in "ab"] == found


@pytest.mark.parametrize("content", [b"", b"garbage\n" * 40, bytes(300)])
def test_a_file_that_is_no_segment_is_ignored(tmp_path, content):
    filled(tmp_path, "a")
    (tmp_path / "other.sqlite").write_bytes(content)
    with pytest.warns(RuntimeWarning, match=r"other\.sqlite"):
        assert Segments(tmp_path).find("a") == value("a")


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_no_changed_byte_gives_another_value_or_hides_the_values_of_other_segments(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    keys = [f"key {number}" for number in range(12)]
    filled(folder, *keys)
    (path,) = files(folder)
    others = ["other", *map(str, range(11))]
    filled(folder, *others)
    content = bytearray(path.read_bytes())
    # Most of a small file is empty.
    used = [place for place, byte in enumerate(content) if byte]
    content[data.draw(st.sampled_from(used))] = data.draw(st.integers(0, 255))
    path.write_bytes(bytes(content))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for act in (Segments.flush, Segments.compact):
            act(Segments(folder))
            reader = Segments(folder)
            assert all(reader.find(name) in (value(name), None) for name in keys)
            assert [reader.find(name) for name in others] == [value(name) for name in others]


def test_a_changed_value_is_absent_with_a_warning_and_compacting_keeps_the_others(tmp_path):
    filled(tmp_path, *"abc")
    (path,) = files(tmp_path)
    filled(tmp_path, *"def")
    path.write_bytes(path.read_bytes().replace(value("b"), value("x")))
    with pytest.warns(RuntimeWarning, match=r"the checksum of b'b' is wrong; what it held is made again"):
        assert Segments(tmp_path).find("b") is None
    with pytest.warns(RuntimeWarning, match=r"the checksum of b'b' is wrong"):
        Segments(tmp_path).compact()
    assert len(files(tmp_path)) == 1
    assert [name for name in "abcdef" if Segments(tmp_path).find(name) == value(name)] == [*"acdef"]


@pytest.mark.parametrize("act", ["list", "publish"])
def test_a_segment_that_is_merged_between_listing_and_opening_hides_no_value(tmp_path, monkeypatch, act):
    filled(tmp_path, "a")
    filled(tmp_path, "b")
    store, opened = Segments(tmp_path), Segments._open
    merges = iter([True])
    if act == "publish":
        # The folder is not listed again for some seconds.
        assert store.find("b") == value("b")

    def merged_before(segments, name):
        if segments is store and next(merges, False):
            Segments(tmp_path).compact()
        return opened(segments, name)

    monkeypatch.setattr(Segments, "_open", merged_before)
    if act == "publish":
        store.add([("c", value("c"))])
        store.flush()
    # The look-up of "a" would list the folder.
    assert act == "list" or store.find("c") == value("c")
    assert store.find("a") == value("a")


# --- Many processes --------------------------------------------------------------------------------------------------


def work(folder, number):
    """Publish many small segments, and compact now and then; look up what was added."""
    store = Segments(folder)
    for step in range(16):
        name = f"{number}-{step}"
        store.add([(name, value(name)), (f"shared {step}", value(f"shared {step}"))])
        store.flush()
        if step % 8 == number:
            store.compact()
        assert store.find(f"{number}-{step // 2}") == value(f"{number}-{step // 2}")


def test_processes_that_write_read_and_merge_at_once_lose_nothing(tmp_path):
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=work, args=(tmp_path, number)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    reader = Segments(tmp_path)
    names = [f"{number}-{step}" for number in range(3) for step in range(16)] + [f"shared {n}" for n in range(16)]
    assert all(reader.find(name) == value(name) for name in names)
    assert not list(tmp_path.glob(".*.tmp"))
