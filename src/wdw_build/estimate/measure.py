"""Stage by stage: seconds a record and records out, from the trial where a stage would run, else from its manifest."""

from __future__ import annotations

import functools
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from wdw_build.core.config.settings import Config
from wdw_build.core.stage import PortSource
from wdw_build.core.store.output import Output
from wdw_build.estimate.around import times_around
from wdw_build.estimate.draw import Draw
from wdw_build.estimate.model import EVENTS, JVM, LOADS, MODELS, NGRAMS, Load, Work, candidates_looked_at, share_found
from wdw_build.estimate.projection import Basis, EstimatedCorpus
from wdw_build.estimate.trial import RUN, Ran, Trial
from wdw_build.pipeline import stage_named
from wdw_build.ports import ArticleText
from wdw_build.records import Article, Record, Rejection, Retrieval
from wdw_build.text.passages.same_event import Frequencies
from wdw_build.text.tokens import lm_tokens, sentences

# So long the models' stages are tried, about, once the models are loaded.
_TRY_SECONDS = 6.0
_PROBLEMS = 300
# However slow the machine: fewer would tell nothing.
_LEAST_ARTICLES, _LEAST_QUESTIONS = 96, 8
# Articles of a finished ``ingest`` that are tried.
_KEPT = 1500
_PROBED = 48
_ANNOTATED = 8
_SEARCHED = 150
_FIRST_SEARCHES = 20
# Passages annotated for a question, where the trial found too few to annotate.
_TRIES = 2.0
# Questions with candidates that get a passage, where too few were tried to tell.
_USABLE = 0.9
# Stages that the trial cannot run on a few problems: seconds a problem, and the share that comes through.
_SMALL = {"dedup": (1e-3, 0.95), "suppress": (5e-4, 0.85), "split": (2e-4, 1.0), "export": (1e-3, 1.0)}
_LEAD = "Mayor Ann Field met Bob Stone in the town hall on Monday, a spokesman said after the talks."


@dataclass(frozen=True)
class Measured:
    """Records in and out of a stage; ``work`` if it would run."""

    read: int
    written: int
    basis: Basis
    work: Work | None = None


class Measuring:
    """The stages in their order; each is measured once, with what it needs."""

    def __init__(
        self,
        config: Config,
        folder: Path,
        drawn: Draw,
        real: dict[str, Output],
        running: Collection[str],
        ports: PortSource | None,
    ) -> None:
        self._config, self._drawn, self._real, self._running = config, drawn, real, running
        self._trial = Trial(config, folder, [place for run in drawn.runs for place in run], ports)
        self._done: dict[str, Measured] = {}
        self.loads: dict[str, Load] = {}

    def stage(self, name: str) -> Measured:
        """A stage; those that it reads were asked for before."""
        if name in self._real:
            manifest = self._real[name].manifest
            found = Measured(manifest.read, manifest.written, "counted")
        else:
            found = self._tried(name)
        self._done[name] = found
        return found

    def devices(self) -> tuple[str, ...]:
        """Where the models of the trial computed."""
        return self._trial.ports.take_devices(["annotator", "annotations"]) if MODELS in self.loads else ()

    def corpus(self) -> EstimatedCorpus:
        """The corpus as far as it was looked at."""
        articles, drawn = self._done["ingest"], self._drawn
        looked_at = cast("list[Article]", self._articles) if "_source" in self.__dict__ else []
        tried = [len(article.text.split()) for article in looked_at]
        mean = sum(tried) / len(tried) if tried else 0.0
        return EstimatedCorpus(
            articles=articles.written,
            tokens=round(mean * articles.written),
            basis=articles.basis,
            files=drawn.files,
            files_read=drawn.files_read,
            share_read=round(drawn.share, 4),
            articles_tried=len(tried),
        )

    # ---- what is tried, made when first asked for ----

    @functools.cached_property
    def _ingested(self) -> Ran:
        return self._trial.run("ingest", {})

    @functools.cached_property
    def _source(self) -> Output:
        """The articles of the trial."""
        if "ingest" not in self._real:
            return self._ingested.output
        return self._trial.part("ingest", self._real["ingest"], _KEPT)

    @functools.cached_property
    def _articles(self) -> list[Record]:
        return list(self._source.records())

    @functools.cached_property
    def _indexed(self) -> Ran:
        return self._trial.run("index", {"ingest": self._source})

    @functools.cached_property
    def _tagged(self) -> Ran:
        """First sentences of as many articles as the time allows."""
        self._load(MODELS)
        return self._trial.run(
            "sentences", {"ingest": self._source}, _in_time(self._seconds_an_article, _LEAST_ARTICLES)
        )

    @functools.cached_property
    def _counted(self) -> Ran:
        return self._trial.run("names", {"sentences": self._tagged.output})

    @functools.cached_property
    def _asked(self) -> Ran:
        return self._trial.run(
            "questions", {"sentences": self._tagged.output, "names": self._counted.output, "ingest": self._source}
        )

    @functools.cached_property
    def _retrieved(self) -> Ran:
        for port in self._ports("retrieve"):
            self._load(LOADS[port])
        return self._trial.run("retrieve", self._searched_in(), _SEARCHED)

    def _searched_in(self) -> dict[str, Output]:
        """Questions, index and articles that belong together: the run's own if its index is there."""
        if "index" not in self._real:
            return {"questions": self._asked.output, "index": self._indexed.output, "ingest": self._source}
        questions = self._real.get("questions") or self._asked.output
        return {"questions": questions, "index": self._real["index"], "ingest": self._real["ingest"]}

    @functools.cached_property
    def _seconds_an_article(self) -> float:
        """Seconds of the models for the first sentence of an article."""
        leads = [
            cast(Article, article).paragraphs[0]
            for article in self._articles[:: max(1, len(self._articles) // _PROBED)]
        ]
        annotator, begun = self._trial.ports.get("annotator"), time.monotonic()
        annotator.names([found for found in annotator.first_sentences(leads) if found is not None])
        return (time.monotonic() - begun) / max(1, len(leads))

    @functools.cached_property
    def _seconds_a_passage(self) -> float:
        """Seconds of the models for a whole article."""
        some = cast("list[Article]", self._articles[:: max(1, len(self._articles) // _ANNOTATED)])
        annotator, begun = self._trial.ports.get("annotator"), time.monotonic()
        annotator.annotate([(article.id, article.text) for article in some])
        return (time.monotonic() - begun) / max(1, len(some))

    def _load(self, name: str) -> None:
        if name in self.loads:
            return
        use = {
            MODELS: self._use_models,
            JVM: self._use_index,
            EVENTS: self._use_event_scorer,
            NGRAMS: self._use_language_model,
        }[name]
        self.loads[name] = self._trial.load(use)

    def _use_models(self, _: Path) -> None:
        annotator = self._trial.ports.get("annotator")
        tokens = [found for found in annotator.first_sentences([_LEAD]) if found is not None]
        annotator.names(tokens)
        annotator.trees(tokens)

    def _use_index(self, folder: Path) -> None:
        index = self._trial.ports.get("index")
        with index.writer(folder) as add:
            add("a", 0, _LEAD)
        # The first searches load most of what a search needs.
        for _ in range(_FIRST_SEARCHES):
            index.search(folder, sentence=_LEAD, names=["Bob Stone"], day=0, window=1, exclude="b", limit=10)

    def _use_event_scorer(self, _: Path) -> None:
        lead = ArticleText(id="a", day=0, title=_LEAD, sentences=(_LEAD,))
        self._trial.ports.get("event_scorer").score(_LEAD, lead, [lead._replace(id="b")], Frequencies(1, {}))

    def _use_language_model(self, folder: Path) -> None:
        some = cast("list[Article]", self._articles[:20])
        lines = [lm_tokens(sentence) for article in some for sentence in sentences(article.text)]
        self._trial.ports.get("language_model").estimate(lines, folder / "model")

    # ---- stage by stage ----

    def _tried(self, name: str) -> Measured:
        for port in self._ports(name):
            self._load(LOADS[port])
        method: Any = getattr(self, f"_{name}", None)
        return method() if method else self._small(name)

    def _ports(self, name: str) -> list[str]:
        """The ports of a stage whose first use costs time."""
        ports = stage_named(name).ports_for(getattr(self._config, name))
        return [port for port in ports if port in LOADS]

    def _work(self, name: str, records: int, seconds_each: float) -> Work:
        stage = stage_named(name)
        block = stage.block if stage.scope == "map" else 0
        loads = tuple(dict.fromkeys(LOADS[port] for port in self._ports(name)))
        return Work(name, records, seconds_each, block, loads)

    def _ingest(self) -> Measured:
        drawn, ran = self._drawn, self._ingested
        counted: Basis = "counted" if drawn.whole and ran.read == drawn.places else "extrapolated"
        each = drawn.seconds / max(1, drawn.places) + ran.seconds_each
        return Measured(drawn.total, round(drawn.total * ran.share), counted, self._work("ingest", drawn.total, each))

    def _index(self) -> Measured:
        read = self._done["ingest"].written
        return Measured(read, read, self._done["ingest"].basis, self._work("index", read, self._indexed.seconds_each))

    def _sentences(self) -> Measured:
        return self._extrapolated("sentences", self._tagged)

    def _names(self) -> Measured:
        return self._extrapolated("names", self._counted)

    def _questions(self) -> Measured:
        return self._extrapolated("questions", self._asked)

    def _extrapolated(self, name: str, ran: Ran) -> Measured:
        """The trial's share and seconds a record, for all records of the stage's first input."""
        read = self._done[stage_named(name).reads[0]].written
        return Measured(read, round(read * ran.share), "extrapolated", self._work(name, read, ran.seconds_each))

    def _retrieve(self) -> Measured:
        read, ran = self._done["questions"].written, self._retrieved
        times = self._times
        looked = [len(one.candidates) for one in _looked_at(ran.output)]
        mean = sum(looked) / len(looked) if looked else 0.0
        most = candidates_looked_at(mean, times, self._config.retrieve.max_candidates)
        # A search costs about what two candidates do.
        each = ran.seconds_each * (2 + most) / (2 + mean)
        written = round(read * share_found(ran.share, times))
        return Measured(read, written, "extrapolated", self._work("retrieve", read, each))

    @functools.cached_property
    def _times(self) -> float:
        """How many times the articles around a question the whole corpus has, of those searched in the trial."""
        if "index" in self._real:
            return 1.0
        articles = cast("list[Article]", self._articles)
        return times_around(
            [article.date for article in articles],
            len(self._drawn.runs) or -(-_KEPT // RUN),
            self._done["ingest"].written,
            max(self._config.retrieve.windows),
        )

    def _choices(self) -> Measured:
        read = self._done["retrieve"].written
        inputs = {**self._searched_in(), "retrieve": self._real.get("retrieve") or self._retrieved.output}
        inputs["names"] = self._real.get("names") or self._counted.output
        inputs.pop("index")
        if inputs["retrieve"].manifest.written < min(_LEAST_QUESTIONS, read):
            work = self._work("choices", read, _TRIES * self._seconds_a_passage)
            return Measured(read, round(_USABLE * read), "assumed", work)
        inputs = {name: inputs[name] for name in stage_named("choices").reads}
        ran = self._trial.run("choices", inputs, _in_time(_TRIES * self._seconds_a_passage, _LEAST_QUESTIONS))
        return Measured(read, round(read * ran.share), "extrapolated", self._work("choices", read, ran.seconds_each))

    def _baselines(self) -> Measured:
        read = self._done["dedup"].written
        articles = self._done["ingest"].written
        problems = self._problems()
        if not problems.manifest.written:
            return Measured(read, read, "assumed", self._work("baselines", articles, 1e-3))
        ran = self._trial.run("baselines", {"dedup": problems, "ingest": self._source})
        each = max(0.0, ran.seconds - self.loads[NGRAMS].seconds) / max(1, len(self._articles))
        return Measured(read, read, self._done["dedup"].basis, self._work("baselines", articles, each))

    def _problems(self) -> Output:
        """Problems for ``baselines``: those of the run, or questions that stand in for them."""
        if "dedup" in self._real:
            return self._trial.part("dedup", self._real["dedup"], _PROBLEMS)
        if "questions" in self._real:
            return self._trial.problems(self._real["questions"], self._real["ingest"], _PROBLEMS)
        return self._trial.problems(self._asked.output, self._source, _PROBLEMS)

    def _small(self, name: str) -> Measured:
        read = self._done[stage_named(name).reads[0]].written
        each, share = _SMALL[name]
        return Measured(read, round(read * share), "assumed", self._work(name, read, each))


def _looked_at(output: Output) -> list[Retrieval | Rejection]:
    """Every question of ``retrieve``, with or without a valid candidate."""
    return [*cast("list[Retrieval]", list(output.records())), *output.rejections()]


def _in_time(seconds_each: float, least: int) -> int:
    """How many records are tried."""
    return max(least, int(_TRY_SECONDS / max(seconds_each, 1e-6)))
