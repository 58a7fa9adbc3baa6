"""What models computed: written once, shared by processes, and never an answer from a damaged file."""

import multiprocessing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.core.store.kept import KeptResults


@given(st.lists(st.tuples(st.binary(max_size=3), st.binary(max_size=3)), max_size=30), st.booleans())
def test_the_first_result_of_a_key_is_kept(tmp_path_factory, results, network):
    path = tmp_path_factory.mktemp("kept") / "results"
    for result in results:
        writer = KeptResults(path, network=network)
        writer.add([result])
        assert writer.find(result[0]) == result[1]
        writer.flush()
    first = dict(reversed(results))
    for key in {*first, b"none"}:
        assert KeptResults(path, network=network).find(key) == first.get(key)


def _fill(path, number):
    results = KeptResults(path)
    for value in range(300):
        results.add([(b"%d-%d" % (number, value), b"x")])
        results.flush()


def test_several_processes_write_into_one_file(tmp_path):
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_fill, args=(tmp_path / "kept", number)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    kept = KeptResults(tmp_path / "kept")
    assert all(kept.find(b"%d-%d" % (number, value)) == b"x" for number in range(3) for value in range(300))


@pytest.mark.parametrize("content", [b"nothing that SQLite knows" * 100, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_damaged_file_is_put_aside_with_a_warning_and_another_one_begins(tmp_path, content):
    path = tmp_path / "kept"
    path.write_bytes(content)
    kept = KeptResults(path)
    with pytest.warns(RuntimeWarning, match="computed again"):
        assert kept.find(b"a") is None
    kept.add([(b"a", b"1")])
    kept.flush()
    assert KeptResults(path).find(b"a") == b"1"
    (aside,) = tmp_path.glob("kept.damaged-*")
    assert aside.read_bytes() == content
