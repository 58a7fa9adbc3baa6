"""Every reader: the same sixteen articles in its form, through each command that reads them, with quick models.

The stages after ``ingest`` read no corpus: one reader, of two other readers, goes through all of them.
"""

import importlib.util
import itertools
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from support import corpus_forms as forms
from support import toy_pipeline as toy
from support.entry_points import Point, provide
from support.pages import block
from wdw_build.pipeline import backends, registry

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_reader" / "day_files.py"
# Questions about invented events, from models that know no persons: everything is a choice, and everything is kept.
ARTICLES, COPIES = 16, 2
SETTINGS = {
    "execution": {"workers": 1},
    "rules": {"off": ["ingest.reject_copies"]},
    "retrieve": {"min_event_score": 0.0, "min_passage_words": 0},
    "choices": {"min_evidence": 0.0},
    "adversary": {"systems": []},
    "suppress": {"strict": 1.0, "relaxed": 1.0, "min_kept": 1, "max_per_event": 0},
    "split": {"max_share": 0.5},
}


def day_files(articles, folder):
    """Files as the example reader of the repository reads them."""
    folder.mkdir()
    for day, of_day in itertools.groupby(articles, key=itemgetter("date")):
        (folder / f"{day}.txt").write_text("\n%%\n".join(map(text_of, of_day)), encoding="utf-8")


def text_of(article):
    return f"{article['title']}\n" + "\n\n".join(article["paragraphs"])


def text_folder(articles, folder):
    """Files as the reader of the page reads them."""
    folder.mkdir()
    for one in articles:
        (folder / f"{one['date']}_{one['id']}.txt").write_text(text_of(one), encoding="utf-8")


def several(articles, folder):
    folder.mkdir()
    forms.jsonl(articles[:8], folder / "a.jsonl")
    forms.csv_table(articles[8:], folder / "b.csv")


FIELDS = {"id": "url", "date": "published", "source": "agency", "title": "headline", "text": "body"}
PARTS = [{"reader": "jsonl", "path": "a.jsonl"}, {"reader": "csv", "path": "b.csv", "options": {"fields": FIELDS}}]


class Form(NamedTuple):
    """The articles as a reader has them."""

    write: Callable
    corpus: str
    options: dict | None = None
    """The options, if ``init`` does not find the reader out."""


TABLE = {name: Form(*form) for name, form in forms.FORMS.items()} | {
    "jsonl": Form(forms.jsonl, "articles.jsonl"),
    "feed": Form(forms.feed, "articles.rss"),
    "trafilatura": Form(forms.trafilatura, "articles"),
    "several": Form(several, "articles", {"parts": PARTS}),
    "day-files": Form(day_files, "articles", {}),
    "text-folder": Form(text_folder, "articles", {}),
}


def test_every_reader_has_a_row_in_the_table():
    assert set(registry.READERS) | {"several", "day-files", "text-folder"} == set(TABLE)


@pytest.fixture
def prepared(tmp_path, monkeypatch):
    """The readers of the examples are installed, and the models are quick; the tests run in an empty folder."""
    spec = importlib.util.spec_from_file_location("day_files", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    own = Point("text-folder", "", block("add-a-reader.md")["TextFolder"])
    provide(monkeypatch, "wdw_build.readers", Point("day-files", "", example.DayFiles), own)
    stand_ins = toy.ports()
    ports = "page_tagger language_detector annotator annotations index event_scorer language_model solver"
    for port in ports.split():
        monkeypatch.setitem(backends._MAKERS, port, lambda config, port=port: stand_ins.get(port))
    monkeypatch.chdir(tmp_path)


def configured(call, name):
    """The configuration that ``init`` writes for the corpus of a form; for ``several``, one as the page shows it."""
    form, config = TABLE[name], Path("config.yaml")
    form.write(forms.sample()[:ARTICLES], Path(form.corpus))
    if name == "several":
        corpus = {"reader": name, "path": form.corpus, "options": form.options}
        config.write_text(yaml.safe_dump({"run": "r", "output_dir": "out", "corpus": corpus}))
    else:
        reader = [] if form.options is None else ["--reader", name]
        # The others are copies.
        told = f"{ARTICLES - COPIES} of {ARTICLES} records are articles"
        assert told in call("init", "-q", form.corpus, "-o", config, *reader).ok().out
    whole = yaml.safe_load(config.read_text())
    assert whole["corpus"]["reader"] == name
    config.write_text(yaml.safe_dump(whole | SETTINGS))
    return config


@pytest.fixture
def told(call):
    """Run a command over a configuration; returns its JSON."""
    return lambda config, *command: call(*command, "-q", "--json", "-c", config).ok().json


@pytest.mark.parametrize("name", TABLE)
def test_a_corpus_of_every_reader_goes_through_every_command_that_reads_it(call, prepared, told, name):
    config = configured(call, name)
    assert call("config", "check", "--json", "-c", config).ok().json["articles"] == ARTICLES
    assert told(config, "all", "--dry-run")["estimate"]["articles"] == ARTICLES
    assert told(config, "run", "ingest")["ran"] == ["ingest"]
    assert told(config, "run", "ingest")["ran"] == []
    assert len(list(Path("out").glob("**/store/ingest/*/manifest.json"))) == 1


def test_a_dataset_is_built_of_a_corpus_of_several_readers(call, prepared, told):
    config = configured(call, "several")
    built = told(config, "all")
    assert built["funnel"]["articles"] == ARTICLES, built["funnel"]
    assert told(config, "summary") == built
