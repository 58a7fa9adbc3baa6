"""XML, SGML and web archives as people have them: the articles that ``ingest`` makes of them.

``marked/expected.json`` has the date, dateline, title and paragraphs of each article by its id, and the reason of each rejection.
"""

import json
from pathlib import Path

import pytest

from support import stage_runs
from wdw_build.pipeline.registry import make_reader
from wdw_build.stages.ingest import STAGE

FOLDER = Path(__file__).parent / "marked"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
READERS = {"nitf": "nitf", "newsml": "newsml", "feed": "feed", "trafilatura": "trafilatura", "open-tags": "gigaword"}


def reader_of(name):
    start = name.partition(".")[0]
    known = [READERS[key] for key in READERS if start.startswith(key)] or ["gigaword" if start == "joined" else "trec"]
    return "warc" if ".warc" in name else known[0]


def articles(folder, name):
    # The pages of an archive are one story in several layouts.
    ran = stage_runs.run_stage(
        STAGE, folder, section=STAGE.config(reject_copies=False), reader=make_reader(reader_of(name), FOLDER / name, {})
    )
    found = {one.id: [str(one.date), one.dateline, one.title, *one.paragraphs] for one in ran.records.values()}
    return found | {one.id: f"{one.reason}: {one.detail}" for one in ran.rejections.values()}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_gives_its_articles(tmp_path, name):
    assert articles(tmp_path, name) == EXPECTED[name]
