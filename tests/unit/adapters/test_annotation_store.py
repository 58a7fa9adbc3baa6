"""The cache of annotations: what is stored, what is annotated again, and how SQLite files of earlier versions are taken over."""

import contextlib
import sqlite3
import threading

import msgspec
import pytest

from support import fakes, make
from wdw_build.adapters import annotation_store
from wdw_build.adapters.annotation_store import AnnotationStore, stored_annotation
from wdw_build.core.hashing import digest
from wdw_build.core.store import segments

ARTICLES = [make.article(f"a{number}", f"Ann Ames met Bob Beck {number} times.") for number in range(5)]
FOLDER = digest(fakes.RuleAnnotator.identity)[:16]


def annotated(folder, articles=ARTICLES):
    """The annotator's counts of what it annotated, and the annotations."""
    annotator = fakes.RuleAnnotator(["Ann Ames", "Bob Beck"])
    store = AnnotationStore(folder, annotator)
    annotations = store.annotate(articles)
    store.flush()
    return dict(annotator.annotated), annotations


def write_sqlite(folder, articles=ARTICLES, **changes):
    """A file as earlier versions wrote it."""
    _, annotations = annotated(folder / "made")
    folder.mkdir(exist_ok=True)
    path = folder / f"{FOLDER}.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE annotations (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        rows = [
            (annotation_store._key(one), msgspec.json.encode(msgspec.structs.replace(annotations[one.id], **changes)))
            for one in articles
        ]
        connection.executemany("INSERT INTO annotations VALUES (?, ?)", rows)
    return path, annotations


def test_what_one_process_annotated_no_other_annotates(tmp_path):
    counts, first = annotated(tmp_path)
    assert counts == {article.id: 1 for article in ARTICLES}
    assert annotated(tmp_path) == ({}, first)
    assert stored_annotation(tmp_path, fakes.RuleAnnotator.identity, ARTICLES[0]) == first["a0"]


def test_a_chunk_of_annotations_is_published_at_once_if_the_last_time_is_long_ago(tmp_path, monkeypatch):
    monkeypatch.setattr(annotation_store, "_CHUNK", 2)
    monkeypatch.setattr(segments, "_PUBLISH_SECONDS", 0.0)
    annotator = fakes.RuleAnnotator(["Ann Ames"])
    whole, calls = annotator.annotate, []

    def dies_later(texts):
        calls.append(texts)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return whole(texts)

    annotator.annotate = dies_later
    with pytest.raises(KeyboardInterrupt):
        AnnotationStore(tmp_path, annotator).annotate(ARTICLES)
    assert annotated(tmp_path)[0] == {"a4": 1}


def test_compacting_leaves_one_file(tmp_path):
    for article in ARTICLES[:3]:
        annotated(tmp_path, [article])
    AnnotationStore(tmp_path, fakes.RuleAnnotator([])).compact()
    assert len(list(tmp_path.glob("*/*.segment"))) == 1
    assert annotated(tmp_path, ARTICLES[:3])[0] == {}


def test_a_sqlite_file_is_converted_once_and_nothing_is_annotated_again(tmp_path):
    path, annotations = write_sqlite(tmp_path / "store")
    assert annotated(path.parent) == ({}, annotations)
    assert [one.name for one in path.parent.glob("*.sqlite*")] == []


def test_looking_an_annotation_up_converts_the_sqlite_file(tmp_path):
    path, annotations = write_sqlite(tmp_path / "store")
    identity = fakes.RuleAnnotator.identity
    assert [stored_annotation(path.parent, identity, one) for one in ARTICLES] == list(annotations.values())
    assert not path.exists()


def test_an_annotation_of_a_sqlite_file_without_token_spans_is_made_again(tmp_path):
    path, annotations = write_sqlite(tmp_path / "store", token_layout=())
    assert annotated(path.parent) == ({article.id: 1 for article in ARTICLES}, annotations)


def test_a_damaged_sqlite_file_is_set_aside_and_its_articles_are_annotated_again(tmp_path):
    path, annotations = write_sqlite(tmp_path / "store")
    path.write_bytes(b"no database" * 100)
    with pytest.warns(RuntimeWarning, match=r"sqlite\.damaged: file is not a database"):
        assert annotated(path.parent) == ({article.id: 1 for article in ARTICLES}, annotations)
    assert annotated(path.parent)[0] == {}


def test_a_process_waits_for_another_one_that_converts_the_sqlite_file(tmp_path):
    path, annotations = write_sqlite(tmp_path / "store")
    results = []
    with segments.Segments(path.with_suffix("")).locked():
        waiting = threading.Thread(target=lambda: results.append(annotated(path.parent)))
        waiting.start()
        waiting.join(0.1)
        assert path.exists()
        assert not results
    waiting.join()
    assert results == [({}, annotations)]


def test_nothing_is_looked_up_in_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    path, _ = write_sqlite(tmp_path / "store")

    def refused(*_):
        raise PermissionError("read-only file system")

    monkeypatch.setattr(annotation_store, "_convert", refused)
    assert stored_annotation(path.parent, fakes.RuleAnnotator.identity, ARTICLES[0]) is None
    assert path.exists()
