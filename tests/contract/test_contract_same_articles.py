"""All readers give the same articles: a part of the embedded corpus in each form, ingested with the shipped configuration."""

from pathlib import Path

import msgspec
import pytest

from support import corpus_forms
from wdw_build.cli import main
from wdw_build.core.store.output import Output
from wdw_build.records import Article

CONFIGS = Path(__file__).parents[2] / "configs"
# In other parts, boilerplate is found by the source of articles, which some forms lose.
ARTICLES = slice(100, 200)
# Fields that a form cannot hold: its id is an address or a number; its source, a host, fixed, or the start of the id.
LOST = {
    "gigaword": {"source", "profile", "joined"},
    "trec": {"source", "profile", "joined"},
    # Pages have no source, and so another profile and another share of texts that run on.
    "warc": {"source", "id", "profile", "joined"},
    # Its datelines are marked.
    "reuters21578": {"source", "id", "profile", "joined"},
}


def ingested(config, corpus, out, *settings):
    """The articles that ``run ingest`` writes, in order."""
    overrides = [f"corpus.path={corpus}", f"output_dir={out}", "ingest.max_bad_input=0", *settings]
    sets = [word for override in overrides for word in ("--set", override)]
    assert main(["run", "ingest", "-q", "-c", str(config), *sets]) == 0
    (folder,) = (out / "store" / "ingest").glob("*/")
    return [msgspec.to_builtins(one) for one in Output(folder, Article).records()]


@pytest.fixture(scope="module")
def articles():
    return corpus_forms.sample()[ARTICLES]


@pytest.fixture(scope="module")
def from_jsonl(articles, tmp_path_factory):
    folder = tmp_path_factory.mktemp("jsonl")
    corpus_forms.jsonl(articles, folder / "articles.jsonl")
    title = "corpus.options.fields.title=title"
    return ingested(CONFIGS / "sample.yaml", folder / "articles.jsonl", folder / "out", title)


@pytest.mark.parametrize("name", corpus_forms.FORMS)
def test_every_form_gives_the_records_that_json_lines_give(name, articles, from_jsonl, tmp_path):
    write, corpus = corpus_forms.FORMS[name]
    write(articles, tmp_path / corpus)
    settings = ["corpus.options.normalise_wire=false"] if name == "gigaword" else []
    found = ingested(CONFIGS / f"{name}.yaml", tmp_path / corpus, tmp_path / "out", *settings)
    assert len(found) == len(from_jsonl) > 75
    for one, expected in zip(found, from_jsonl, strict=True):
        assert without(one, LOST.get(name, ())) == without(expected, LOST.get(name, ()))


def without(record, fields):
    return {name: value for name, value in record.items() if name not in fields}
