"""The whole pipeline on a toy corpus of twelve events, with fakes for all models."""

import datetime as dt
import shutil
import tempfile
from functools import cache
from pathlib import Path

import msgspec

from support import fakes
from support.fakes import ListReader, RuleAnnotator
from support.make import raw
from wdw_build.core.progress import Progress
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.selection.settings import SplitConfig, SuppressConfig
from wdw_build.stages.export import ExportConfig
from wdw_build.stages.ingest import IngestConfig
from wdw_build.text.settings import ChoicesConfig, RetrieveConfig
from wdw_build.views.dataset import open_run

ORDER = (
    "ingest index sentences names questions retrieve choices dedup baselines adversary suppress problems pseudonyms split export"
).split()
# The stages of a run that does not replace names.
RAN = [name for name in ORDER if name != "pseudonyms"]
FIRST = "Ann Bert Carl Dora Emil Fran Gwen Hugo Ida Jack Kate Luis".split()
LAST = "Adler Brandt Cole Dunn Ertl Frost Gray Hale Irwin Jost Kerr Lowe".split()
TOWNS = "Arden Bexley Corby Dalton Epsom Frome Goole Hexham Ilford Jarrow Kendal Leeds".split()


def events(count=12):
    """Two articles an event: a question is made of the first, and the second is its passage."""
    for at in range(count):
        day = dt.date(2014, 3, 1) + dt.timedelta(days=3 * at)
        asked, other, third = (f"{FIRST[(at + n) % 12]} {LAST[(at + 2 * n) % 12]}" for n in range(3))
        town = TOWNS[at]
        lead = (
            f"officials in {town} said late yesterday that {other} sued {asked} over plot {at} near the river {town}."
        )
        tale = (
            f"the court of {town} opened early.\n\n{third} spoke for an hour about plot {at}. {other} was there as well.\n\n"
            f"{third} left first. at noon {asked} came home."
        )
        yield raw(f"q{at:02d}", date=str(day), paragraphs=(lead, "nothing else is known."))
        yield raw(f"p{at:02d}", date=str(day + dt.timedelta(days=1)), paragraphs=tuple(tale.split("\n\n")))
    yield raw("undated", date="someday")
    yield raw("", place="a.jsonl:99", date="never")


def events_with_easy_answers():
    """The same articles; every second passage names the answer first and most often."""
    for number, article in enumerate(events()):
        answer = article.paragraphs[-1].partition("at noon ")[2].removesuffix(" came home.")
        opening = f"{answer} woke. {answer} rose. {answer} came."
        easy = msgspec.structs.replace(article, paragraphs=(opening, *article.paragraphs[:-1]))
        yield easy if number % 4 == 1 else article


def ports(**changes):
    annotator = RuleAnnotator()
    backends = {
        "reader": ListReader(events()),
        "annotator": annotator,
        "annotations": fakes.MemoryAnnotations(annotator),
        "index": fakes.ScanIndex(),
        "event_scorer": fakes.FakeEventScorer(),
        "language_model": fakes.BigramModel(),
        "adversaries": fakes.FakeAdversaries(),
        "solver": fakes.ScipySolver(),
        "exporters": {"list": fakes.ListExporter()},
    }
    return fakes.FakePorts(**backends | changes)


def config(root, **changes):
    base = Config(
        run="toy",
        output_dir=str(root),
        corpus=CorpusConfig(reader="list", path="nowhere"),
        # The toy texts are too short for their kinds to be judged.
        ingest=IngestConfig(judge_kinds=False),
        suppress=SuppressConfig(strict=1.0, relaxed=1.0, min_kept=1),
        split=SplitConfig(max_share=0.5),
        export=ExportConfig(formats=("list",)),
        retrieve=RetrieveConfig(min_event_score=0.0, min_passage_words=0),
        choices=ChoicesConfig(min_evidence=0.0),
    )
    return msgspec.structs.replace(base, **changes)


def pipeline(root, backends=None, **changes):
    return Pipeline(config(root, **changes), Progress("quiet"), backends or ports())


def run_of(root, backends=None, **changes):
    """The run of a pipeline whose stages were run."""
    toy = pipeline(root, backends, **changes)
    toy.run()
    return open_run(toy.run_folder)


@cache
def _finished():
    """The folder of a run without changes, made once in a process and removed with it."""
    folder = tempfile.TemporaryDirectory(prefix="toy-")
    pipeline(Path(folder.name)).run()
    return folder


def begun(root, backends=None, **changes):
    """A pipeline whose store has all stages of a run without changes; only those that the changes concern are made."""
    shutil.copytree(Path(_finished().name) / "store", Path(root) / "store")
    return pipeline(root, backends, **changes)
