"""Hashes: canonical, remembered only when that is safe; draws that come from the id alone."""

import hashlib
import os
import time

import pytest

from wdw_build.core import hashing
from wdw_build.core.hashing import digest, hash_file, hash_order, id_sum, uniform_hash


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder, and nothing remembered from before."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    hashing._cached_hashes.cache_clear()
    yield tmp_path / "cache" / "wdw-build" / "file-hashes"
    hashing._cached_hashes.cache_clear()


def settled(path, content):
    path.write_bytes(content)
    long_ago = time.time() - 100
    os.utime(path, (long_ago, long_ago))
    return path


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_a_digest_tells_values_apart_and_does_not_depend_on_the_order_of_keys():
    assert digest({"a": 1, "b": {"c": 2, "d": 3}}) == digest({"b": {"d": 3, "c": 2}, "a": 1})
    assert len({digest(value) for value in ({"a": 1}, {"a": 2}, {"a": "1"}, {"a": [1]}, {"b": 1}, [], None)}) == 7


def test_a_draw_is_below_one_even_where_division_rounds_up(monkeypatch):
    class Highest:
        def digest(self):
            return b"\xff" * 32

    monkeypatch.setattr(hashing.hashlib, "sha256", lambda _: Highest())
    assert uniform_hash(0, "s", "a") < 1.0


def test_draws_depend_on_seed_stage_and_id():
    given = [(0, "a", "x"), (1, "a", "x"), (0, "b", "x"), (0, "a", "y")]
    assert len({uniform_hash(*one) for one in given}) == 4


def test_draws_are_even():
    drawn = [uniform_hash(0, "s", str(number)) for number in range(4000)]
    assert sum(value < 0.25 for value in drawn) == pytest.approx(1000, abs=120)
    assert sum(drawn) / len(drawn) == pytest.approx(0.5, abs=0.02)


def test_an_id_with_a_lone_surrogate_can_be_hashed():
    assert id_sum("\ud800") != id_sum("\ud801")
    assert uniform_hash(0, "s", "\ud800") != uniform_hash(0, "s", "\ud801")


def test_a_settled_file_is_hashed_once_and_remembered_across_processes(cache, tmp_path, monkeypatch):
    path = settled(tmp_path / "f", b"abc")
    hash_file(path)
    hashing._cached_hashes.cache_clear()  # as in a new process
    monkeypatch.setattr(hashing.hashlib, "file_digest", lambda *_: pytest.fail("was read again"))
    assert hash_file(path) == sha256(b"abc")


def test_a_file_that_changed_is_hashed_again(cache, tmp_path):
    path = settled(tmp_path / "f", b"abc")
    hash_file(path)
    path.write_bytes(b"abd")
    assert hash_file(path) == sha256(b"abd")


def test_a_file_changed_just_now_is_not_remembered(cache, tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    hash_file(path)
    assert not cache.exists()


def test_a_torn_line_of_the_cache_is_passed_over(cache, tmp_path):
    path = settled(tmp_path / "f", b"abc")
    hash_file(path)
    cache.write_bytes(cache.read_bytes()[:-30] + b"\n\xff\xfe\tnonsense\n\n")
    hashing._cached_hashes.cache_clear()
    assert hash_file(path) == sha256(b"abc")


def test_a_cache_that_grows_too_large_keeps_the_newest_hashes_of_unchanged_files(cache, tmp_path, monkeypatch):
    files = [settled(tmp_path / f"f{number}", b"%d" % number) for number in range(10)]
    for path in files[:9]:
        hash_file(path)
    line = len(cache.read_bytes()) // 9
    files[7].unlink()
    settled(files[6], b"changed")
    monkeypatch.setattr(hashing, "_LARGEST_CACHE", 9 * line)
    hash_file(files[9])
    kept = [line.partition("\t")[0] for line in cache.read_text().splitlines()]
    assert kept == [str(files[number]) for number in (4, 5, 8, 9)]
    assert [path.name for path in cache.parent.iterdir()] == [cache.name]
    hashing._cached_hashes.cache_clear()
    monkeypatch.setattr(hashing.hashlib, "file_digest", lambda *_: pytest.fail("was read again"))
    assert hash_file(files[4]) == sha256(b"4")


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(cache, tmp_path):
    (tmp_path / "cache").touch()
    assert hash_file(settled(tmp_path / "f", b"abc")) == sha256(b"abc")


def test_an_order_by_hash_is_that_of_the_hashes_and_keeps_the_order_of_equal_keys():
    keys = ["a", "b", "c", "b", "d"]
    order = hash_order(3, "choices", keys)
    assert sorted(order) == [0, 1, 2, 3, 4]
    assert order == sorted(range(5), key=lambda index: (uniform_hash(3, "choices", keys[index]), index))
    assert order.index(1) + 1 == order.index(3)
    assert any(hash_order(seed, "choices", keys) != order for seed in range(9))
