"""index: every article goes into the index with its day and text, and is accounted for."""

import datetime as dt
import json

from support import fakes, make, stage_runs
from wdw_build import api
from wdw_build.ports import INDEX_FOLDER
from wdw_build.stages import index as index_stage
from wdw_build.stages.index import STAGE
from wdw_build.text.passages.same_event import read_frequencies


def test_every_article_is_added_with_its_day_and_its_whole_text(tmp_path):
    first = make.article("a", "One ferry.\n\nTwo ferries, 3 boats.", date=dt.date(1970, 1, 2))
    index = fakes.ScanIndex()
    ran = stage_runs.run_stage(STAGE, tmp_path, {"ingest": [first, make.article("b", "...")]}, index=index)
    assert [(one.id, one.day, one.words) for one in ran.records.values()] == [("a", 1, 6), ("b", 16139, 0)]
    asked = {"sentence": "ferries", "names": ["two ferries 3 boats"], "day": 1}
    (hits,) = index.search(tmp_path / "index" / INDEX_FOLDER, **asked, windows=[0], exclude="", limit=5)
    assert [hit.id for hit in hits] == ["a"]


def test_an_index_without_articles_is_valid(tmp_path):
    assert stage_runs.run_stage(STAGE, tmp_path, {"ingest": []}, index=fakes.ScanIndex()).records == {}


def test_the_document_frequencies_stand_beside_the_index(tmp_path):
    articles = [make.article("a", "A ferry. Ferry, ferry!"), make.article("b", "A dyke.")]
    stage_runs.run_stage(STAGE, tmp_path, {"ingest": articles}, index=fakes.ScanIndex())
    found = read_frequencies(tmp_path / "index")
    assert (found.articles, found.counts) == (2, {"a": 2, "dyke": 1, "ferry": 1})


def test_an_index_joined_in_groups_holds_every_article(tmp_path, monkeypatch):
    """1,100 articles are three shards; groups of 400 articles are three groups, and groups of 300 four, one of them empty."""
    articles = [make.article(f"a{number:04d}", "A ferry.") for number in range(1100)]
    for size in (400, 300):
        monkeypatch.setattr(index_stage, "_GROUP", size)
        ports = fakes.FakePorts(index=fakes.ScanIndex())
        made = api.run_stage("index", articles, config={"execution": {"shard_size": 512}}, ports=ports)
        stored = json.loads((made.output.folder / INDEX_FOLDER / "articles.json").read_text())
        assert list(stored) == [article.id for article in articles]
        assert read_frequencies(made.output.folder).articles == 1100
