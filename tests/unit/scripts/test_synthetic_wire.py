"""The invented wire: the same for the same seed, of the requested size, and usable to make problems."""

import datetime as dt
import gzip
import itertools
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from support import fakes

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

from synthetic.models import BoundedModel, Lookup, StandIns
from synthetic.wire import Wire
from synthetic.words import made_up, tape
from wdw_build.core.config.corpus_settings import CorpusConfig
from wdw_build.core.config.settings import Config, RetrieveConfig
from wdw_build.core.progress import Progress
from wdw_build.pipeline import Pipeline
from wdw_build.registry import Backends

SCRIPT = Path(__file__).parents[3] / "scripts" / "make_corpus.py"


def wire(count, seed=0, per_day=10):
    return list(itertools.islice(Wire(seed, per_day).articles(), count))


def write(path, *options):
    subprocess.run([sys.executable, str(SCRIPT), "--out", str(path), *options], check=True)
    return path.read_bytes()


def test_the_same_seed_gives_the_same_wire_and_another_seed_another():
    assert wire(60) == wire(60)
    assert wire(60) != wire(60, seed=1)
    assert wire(60)[:20] == wire(20)


def test_articles_come_in_the_order_of_their_days_with_ids_of_their_own():
    found = wire(300)
    assert [one.date for one in found] == sorted(one.date for one in found)
    assert len({one.id for one in found}) == 300
    assert found[-1].date - found[0].date >= dt.timedelta(days=20)
    assert len({one.source for one in found}) == 4


def test_events_are_reported_on_several_days_and_stories_are_filed_again():
    found = wire(600)
    leads = Counter(one.text.partition(" _ ")[2].partition("\n")[0] for one in found)
    assert max(leads.values()) > 1
    days = {}
    for one in found:
        days.setdefault(one.title, set()).add(one.date)
    assert max(map(len, days.values())) > 2


def test_long_articles_have_as_many_times_more_words_and_names():
    usual, long = (list(itertools.islice(Wire(0, 10, length=length).articles(), 80)) for length in (1, 6))
    words = [sum(len(one.text.split()) for one in found) for found in (usual, long)]
    names = [sum(one.text.count(" said the ") for one in found) for found in (usual, long)]
    assert 4 * words[0] < words[1] < 9 * words[0]
    assert names[1] > 3 * names[0]


def test_without_paragraphs_only_the_blank_lines_change():
    joined = list(itertools.islice(Wire(0, 10, paragraphs=False).articles(), 30))
    assert [one.text for one in joined] == [one.text.replace("\n\n", " ") for one in wire(30)]


def test_few_words_are_frequent_and_most_are_rare():
    counts = Counter(tape()).most_common()
    assert counts[0][1] > 50 * counts[300][1]
    assert len(counts) > 20_000
    assert len({made_up(number) for number in range(20_000)}) == 20_000


def test_the_script_writes_so_many_lines_packed_or_not(tmp_path):
    plain = write(tmp_path / "a.jsonl", "--articles", "25", "--seed", "3")
    packed = write(tmp_path / "a.jsonl.gz", "--articles", "25", "--seed", "3")
    assert gzip.decompress(packed) == plain
    assert packed == write(tmp_path / "b.jsonl.gz", "--articles", "25", "--seed", "3")
    assert [set(json.loads(line)) for line in plain.splitlines()] == [
        {"id", "date", "source", "kind", "title", "text"}
    ] * 25


@dataclass(frozen=True)
class _Ports:
    config: Config

    def get(self, port):
        if port == "index":
            return fakes.ScanIndex()
        if port == "event_scorer":
            return fakes.FakeEventScorer()
        return StandIns(Backends(self.config), 10).get(port)

    def identity(self, port):
        return "fixed"

    def check(self, port):
        pass

    def preload(self, ports):
        pass

    def take_devices(self, ports):
        return ()


def test_problems_come_of_it(tmp_path):
    """Uses the substitutes for the models, and an index that scans all articles."""
    write(tmp_path / "wire.jsonl", "--articles", "600")
    config = Config(
        run="r",
        output_dir=str(tmp_path / "out"),
        corpus=CorpusConfig(reader="jsonl", path=str(tmp_path / "wire.jsonl")),
        retrieve=RetrieveConfig(min_event_score=0.0),
    )
    pipeline = Pipeline(config, Progress("quiet"), _Ports(config))
    pipeline.run(["dedup"])
    assert pipeline.output("ingest").manifest.written == 600
    assert pipeline.output("dedup").manifest.written >= 20


def test_the_stand_in_finds_the_names_and_nothing_else():
    (sentence,) = Lookup().first_sentences(["Judge Ida Malberg met the mayor, said Torquist."])
    (names,) = Lookup().names([sentence])
    assert [" ".join(sentence.words[name.start : name.end]) for name in names] == ["Ida Malberg", "Torquist"]


@pytest.mark.parametrize(("most", "taken"), [(0, b""), (2, b"a b\nc\n"), (3, b"a b\nc\nd\n"), (9, b"a b\nc\nd\ne\n")])
def test_a_bounded_model_takes_the_first_sentences(tmp_path, most, taken):
    given = []

    class Model:
        identity = "m"

        def estimate(self, text, folder):
            given.extend(text)

    BoundedModel(Model(), most).estimate([b"a b\nc", b"\nd\n", b"e\n"], tmp_path)
    assert b"".join(given) == taken
