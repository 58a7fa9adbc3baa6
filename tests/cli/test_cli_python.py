"""The Python API over the real run: the examples of docs/howto/python.md run, from the first to the last."""

import json
from pathlib import Path

import pytest

import wdw_build
from support.interpreter import python
from support.pages import blocks

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "python.md"


@pytest.fixture
def place(built, tmp_path, monkeypatch):
    """A working directory in which the paths of the page lead to the real run and to a corpus of one article."""
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "sample.yaml").symlink_to(built.config)
    runs = tmp_path / "out" / "sample" / "runs"
    runs.mkdir(parents=True)
    # Other tests may add runs beside this one.
    (runs / built.folder.name).symlink_to(built.folder)
    article = {"id": "a1", "date": "2014-03-04", "source": "HP", "kind": "story", "title": "T", "text": "It rained."}
    (tmp_path / "articles.jsonl").write_text(json.dumps(article) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_index_of_a_run_finds_its_articles(built):
    run = wdw_build.load_run(built.folder)
    question = next(iter(run.questions))
    index, asked = wdw_build.search_index(run), {"names": [question.name.text], "date": question.date}
    assert question.id in {hit.id for hit in index.search("Who was it?", **asked, limit=3)}
    assert question.id not in {hit.id for hit in index.search("Who was it?", **asked, exclude=question.id)}


def test_the_examples_of_the_page_run_as_one_script(place):
    """Without ``if __name__ == "__main__"``; and the script's environment is the same afterwards."""
    pytest.importorskip("datasets", reason="the table needs the extra hf")
    checks = """
assert questions.records[0].name.text == "Bob Beck"
assert hit.id == "a1"
assert os.environ == before
"""
    script = place / "page.py"
    script.write_text("\n".join(["import os", "before = dict(os.environ)", *blocks(PAGE), checks]), encoding="utf-8")
    python(script)
