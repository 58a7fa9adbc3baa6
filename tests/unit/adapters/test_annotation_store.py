"""The cache of annotations: what is stored and what is annotated again."""

import pytest

from support import fakes, make
from wdw_build.adapters import annotation_store
from wdw_build.adapters.annotation_store import AnnotationStore, stored_annotation
from wdw_build.core.store import segments

ARTICLES = [make.article(f"a{number}", f"Ann Ames met Bob Beck {number} times.") for number in range(5)]


def annotated(folder, articles=ARTICLES):
    """The annotator's counts of what it annotated, and the annotations."""
    annotator = fakes.RuleAnnotator(["Ann Ames", "Bob Beck"])
    store = AnnotationStore(folder, annotator)
    annotations = store.annotate(articles)
    store.flush()
    return dict(annotator.annotated), annotations


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
