"""The code of the pages that show how to add a reader, exporter, stage or system: each block is taken from its page and run."""

import datetime as dt
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support import make
from support.entry_points import Point, provide
from support.interpreter import python
from support.pages import PAGES, block, blocks
from support.reading import labelled, reading_problem
from wdw_build.core.progress import Progress
from wdw_build.pipeline.backends import backend
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.pipeline.registry import system_entry, system_names
from wdw_build.reading import TrainingContext
from wdw_build.records import SplitAssignment
from wdw_build.stages.export import ExportConfig


@pytest.fixture
def folder(tmp_path) -> Path:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "2014-03-04_ferry.txt").write_text("A ferry sinks\nGREYHAVEN (HP) _ It sank.\n\nNobody knows why.\n")
    (corpus / "2014-03-05_fog.txt").write_text("Fog\nThere was fog.\n")
    (corpus / "2014-03-06_empty.txt").write_text("A title only\n")
    (corpus / "undated.txt").write_text("A title\nA text.\n")
    return corpus


def config(corpus: Path, **changes: Any) -> Config:
    read = CorpusConfig(reader="text-folder", path=str(corpus), options={"source": "My Agency"})
    return Config(run="example", output_dir=str(corpus.parent / "out"), corpus=read, **changes)


def test_each_block_of_the_pages_imports_or_defines_every_name_that_it_uses(tmp_path):
    """The blocks of python.md are one session, which another test runs."""
    for page in sorted(PAGES.glob("*.md")):
        for number, code in enumerate(blocks(page) if page.name != "python.md" else (), 1):
            (tmp_path / f"{page.stem}-{number}.py").write_text(code, encoding="utf-8")
    assert len(list(tmp_path.iterdir())) >= 6
    python(*"-m ruff check --isolated --select F821 --output-format concise .".split(), cwd=tmp_path)


@pytest.mark.parametrize("name", ["TextFolder", "TextFolderInBlocks"])
def test_the_reader_is_found_by_entry_point_and_feeds_ingest(folder, monkeypatch, name):
    module = ModuleType("my_package.reader")
    module.__dict__.update(block("add-a-reader.md"))
    monkeypatch.setitem(sys.modules, "my_package", ModuleType("my_package"))
    monkeypatch.setitem(sys.modules, "my_package.reader", module)
    number = 2 if name == "TextFolderInBlocks" else 1
    provide(monkeypatch, "wdw_build.readers", Point("text-folder", "", block("add-a-reader.md", number)[name]))
    pipeline = Pipeline(config(folder), Progress())
    assert pipeline.run(["ingest"]) == ["ingest"]
    articles = list(pipeline.output("ingest").records())
    assert [article.id for article in articles] == ["2014-03-04_ferry", "2014-03-05_fog"]
    first = articles[0]
    assert (first.date, first.source, first.title) == (dt.date(2014, 3, 4), "My Agency", "A ferry sinks")
    assert first.paragraphs == ("It sank.", "Nobody knows why.")
    rejections = {one.id: one.reason for one in pipeline.output("ingest").rejections()}
    assert rejections == {"2014-03-06_empty.txt": "unreadable", "undated": "no-date"}


def test_the_exporter_is_found_by_entry_point_and_writes_every_split(folder, monkeypatch, tmp_path):
    provide(monkeypatch, "wdw_build.exporters", Point("answers", "", block("add-an-exporter.md")["Answers"]))
    exporters = backend(config(folder, export=ExportConfig(formats=("answers",))), "exporters")
    assert exporters.identity == "answers 1"
    places = {"a": "train", "b": "train", "c": "test"}
    problems = [
        (make.met(name, ["Ab", "Xa"], 1), SplitAssignment(id=name, date=make.DAY, level="strict", split=split))
        for name, split in places.items()
    ]
    written = exporters["answers"].write(tmp_path, iter(problems))
    assert written == {"answers/train.tsv": ["a", "b"], "answers/test.tsv": ["c"]}
    assert (tmp_path / "answers/test.tsv").read_text() == "c\tstrict\tXa\n"


def test_the_system_of_the_page_is_found_by_its_entry_point_and_chooses_as_the_page_says(monkeypatch):
    provide(monkeypatch, "wdw_build.systems", Point("last-before", "", block("add-a-system.md")["SYSTEM"]))
    assert system_names()[-1] == "last-before"
    entry = system_entry("last-before")
    problem = reading_problem("XXX left early .", "Ann Fox spoke to Bo Lee. Lee left. Fox sang.", ["Ann Fox", "Bo Lee"])
    (prediction,) = entry.make(entry.settings()).choose([problem])
    assert problem.choices[prediction.first_choice].name == "Bo Lee"


def test_the_trained_system_of_the_page_learns(monkeypatch, tmp_path):
    provide(monkeypatch, "wdw_build.systems", Point("near-words", "", block("add-a-system.md", 2)["TRAINED"]))
    entry = system_entry("near-words")
    cases = {"Ann Fox won. Bo Lee lost.": ["Ann Fox", "Bo Lee"], "Cy Ray won. Dee Moss lost.": ["Cy Ray", "Dee Moss"]}
    problems = [reading_problem("XXX lost .", passage, names, id=names[0]) for passage, names in cases.items()]
    # The word of the question is nearer to the second person, who is the answer; so the nearer person is preferred.
    trained = entry.make(entry.settings())
    trained.fit([labelled(problem, 1) for problem in problems], [], TrainingContext())
    assert [prediction.first_choice for prediction in trained.choose(problems)] == [1, 1]
    # One of two features decides: with the answers exchanged, the other person is chosen.
    trained.fit([labelled(problem, 0) for problem in problems], [], TrainingContext())
    assert [prediction.first_choice for prediction in trained.choose(problems)] == [0, 0]
