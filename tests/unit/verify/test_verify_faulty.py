"""A problem that people found faulty must not be in the dataset."""

from wdw_build.core.config.corpus_settings import CorpusConfig


def test_only_a_faulty_problem_in_the_dataset_fails(failing, tmp_path):
    files = [tmp_path / "faulty.jsonl"]
    corpus = CorpusConfig(reader="jsonl", path="x", faulty_problems=tuple(map(str, files)))
    files[0].write_text('{"id": "gone", "reason": "no-story"}\n')
    assert failing(corpus=corpus) == []
    files[0].write_text('{"id": "q3", "reason": "no-story"}\n')
    assert failing(corpus=corpus) == ["faulty-left-out"]
    for content in ("q3", "[]", "{}"):
        files[0].write_text(content)
        assert failing(corpus=corpus) == ["faulty-left-out"]
