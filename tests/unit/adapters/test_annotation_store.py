"""The cache of annotations: what is stored and what is annotated again."""

import pytest

from support import fakes, make
from wdw_build.adapters import kept_results
from wdw_build.adapters.kept_results import AnnotationStore, KeptResults

ARTICLES = [make.article(f"a{number}", f"Ann Ames met Bob Beck {number} times.") for number in range(5)]


def annotated(folder):
    """The annotator's counts of what it annotated, and the annotations."""
    annotator = fakes.RuleAnnotator(["Ann Ames", "Bob Beck"])
    store = AnnotationStore(KeptResults(folder / "kept"), annotator)
    annotations = store.annotate(ARTICLES)
    store.flush()
    return dict(annotator.annotated), annotations


def test_what_one_process_annotated_no_other_annotates(tmp_path):
    counts, first = annotated(tmp_path)
    assert counts == {article.id: 1 for article in ARTICLES}
    assert annotated(tmp_path) == ({}, first)


def test_a_chunk_of_annotations_is_written_at_once_if_the_last_time_is_long_ago(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_results, "_CHUNK", 2)
    monkeypatch.setattr(kept_results, "_WRITE_SECONDS", 0.0)
    annotator = fakes.RuleAnnotator(["Ann Ames"])
    whole = annotator.annotate

    def dies_later(texts):
        if len(annotator.annotated) == 4:
            raise KeyboardInterrupt
        return whole(texts)

    annotator.annotate = dies_later
    with pytest.raises(KeyboardInterrupt):
        AnnotationStore(KeptResults(tmp_path / "kept"), annotator).annotate(ARTICLES)
    assert annotated(tmp_path)[0] == {"a4": 1}


def everything(annotator, texts):
    firsts = annotator.first_sentences(texts)
    sentences = [tokens for tokens in firsts if tokens]
    return [firsts, annotator.names(sentences), annotator.trees(sentences)]


def test_what_was_read_of_a_sentence_is_read_once_for_all_runs_and_is_the_same(tmp_path):
    texts = ["Ann Ames met Bob Beck.", "", "Bob Beck met Ann Ames.", "Ann Ames met Bob Beck."]

    def read(texts):
        asked = []
        annotator = fakes.RuleAnnotator(["Ann Ames", "Bob Beck"])
        for name in ("first_sentences", "names", "trees"):
            whole = getattr(annotator, name)
            setattr(annotator, name, lambda given, whole=whole: asked.extend(given) or whole(given))
        store = AnnotationStore(KeptResults(tmp_path / "kept"), annotator)
        results = everything(store, texts)
        store.flush()
        return len(asked), results

    expected = everything(fakes.RuleAnnotator(["Ann Ames", "Bob Beck"]), texts)
    # The fourth text is the first one again.
    assert read(texts) == (3 + 2 * (len(set(texts)) - 1), expected)
    assert read(texts) == (0, expected)
    assert read([*texts, "Cy Cole met Ann Ames."])[0] == 3


def test_a_result_that_json_cannot_hold_is_made_again(tmp_path):
    class Odd(fakes.RuleAnnotator):
        def trees(self, sentences):
            return [f"(S {sentence.text}\ud800)" for sentence in sentences]

    sentence = Odd([]).first_sentences(["Ann Ames came."])[0]
    for _ in range(2):
        store = AnnotationStore(KeptResults(tmp_path / "kept"), Odd([]))
        assert store.trees([sentence]) == [f"(S {sentence.text}\ud800)"]
        store.flush()
