"""What limited the yield: how many articles each rule stopped, and a looser value of a key with which some of them pass.

The numbers of articles are counted from the stored rejections. An article counts once, for the rule that stopped it; where every
candidate passage of a question was refused, for the rule that refused the candidate that passed the most tests. ``suppress``
computes what its own keys cost (``selection.levels``), because any selection of some problems excludes others.

To try a looser value, a stage runs again on a sample of the inputs that its rules stopped, with one key changed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import run_alone
from wdw_build.core.section import Section
from wdw_build.core.stage import Stage
from wdw_build.errors import ConfigError, WdwError
from wdw_build.pipeline.pipeline import Pipeline
from wdw_build.records import Question, Rejection
from wdw_build.views.dataset.run import Run
from wdw_build.views.dataset.tables import HashSample, Table

# Texts that are tried for each rule, and the inputs among which they are looked for.
_TEXTS, _SEARCHED = 40, 400
_LONGEST_EXAMPLE = 140
# The most costly rules, which are shown, and for which other values are tried.
MOST = 10


class Looser(msgspec.Struct, frozen=True, kw_only=True):
    """A looser value of a key, and how many of the inputs that a rule stopped pass the stage with it.

    Later stages may stop them.
    """

    key: str
    """The key, such as `questions.lead_sentences`."""
    value: str
    """Its value in the run."""
    looser: str
    """The value that was tried."""
    tried: int
    """Inputs that were tried, sampled by hash; of inputs with the same text, one."""
    passed: int
    """Inputs of these that pass."""
    example: str
    """The sentence of the question of one that passes."""


class YieldLimit(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule cost."""

    stage: str
    """The stage."""
    rule: str
    """The rejection reason or rule."""
    meaning: str
    """The rule in words."""
    articles: int
    """Articles that it stopped."""
    looser: Looser | None = None
    """The looser value with which most of the articles pass; null if no value that was tried helps, or if none was tried."""


class YieldLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What limited the yield before suppression."""

    rules: tuple[YieldLimit, ...]
    """Every rule that stopped an article, the most costly first; those of `suppress` are absent."""
    were_tried: bool
    """Whether looser values were tried, as `all` and `summary` do."""


def yield_limits(run: Run, pipeline: Pipeline | None = None) -> YieldLimits:
    """What limited the yield. With a pipeline, looser values of keys are tried for the most costly rules."""
    stopped = sorted(_stopped(run), key=lambda inputs: (-inputs.sample.offered, inputs.table.name, inputs.rule))
    looser: dict[tuple[str, str], Looser] = {}
    if pipeline is not None:
        try:
            looser = tried(run, stopped[:MOST], pipeline)
        except (WdwError, OSError) as error:
            # The summary of a run whose models are gone, or that may not be written, is shown without these values.
            pipeline.progress.say(f"other values of keys were not tried: {error}")
            pipeline = None
    rules = [
        YieldLimit(
            stage=inputs.table.name,
            rule=inputs.rule,
            meaning=run.meaning(inputs.rule),
            articles=inputs.sample.offered,
            looser=looser.get((inputs.table.name, inputs.rule)),
        )
        for inputs in stopped
    ]
    return YieldLimits(rules=tuple(rules), were_tried=pipeline is not None)


def _stopped(run: Run) -> list[Stopped]:
    by_rule: dict[tuple[str, str], Stopped] = {}
    for table in run.main_line:
        if table.exists and table.name != run.decisions.name:
            for rejection in table.rejections():
                rule = _stopped_by(table.stage, rejection)
                by_rule.setdefault((table.name, rule), Stopped(table, rule)).sample.offer(rejection.id, rejection)
    return list(by_rule.values())


def _stopped_by(stage: Stage, rejection: Rejection) -> str:
    """The reason of a rejection; if every candidate was refused, the rule of the candidate that passed the most tests."""
    order = {rule: number for number, rule in enumerate(stage.rules)}
    refused = (candidate.rule for candidate in rejection.candidates)
    return max(refused, key=lambda rule: order.get(rule, -1), default=rejection.reason)


@dataclass
class Stopped:
    """The inputs of a stage that one rule stopped: their number, and a sample of their rejections."""

    table: Table[Any, Any]
    rule: str
    sample: HashSample[Rejection] = field(init=False)

    def __post_init__(self) -> None:
        self.sample = HashSample(_SEARCHED, 0, f"looser {self.table.name} {self.rule}")

    def texts(self, run: Run) -> list[str]:
        """The ids of inputs with different first sentences, in random order: an error page that recurs is one text."""
        ids: dict[str, str] = {}
        for rejection in self.sample.by_hash():
            sentence = run.first_sentences.find(rejection.id)
            ids.setdefault(sentence.text if sentence is not None else rejection.id, rejection.id)
        return list(ids.values())[:_TEXTS]


@dataclass(frozen=True)
class _Trial:
    """A key of a stage with a looser value, and the ids of the inputs to try for each rule."""

    stage: str
    key: str
    ids: dict[str, list[str]]


def tried(run: Run, stopped: Sequence[Stopped], pipeline: Pipeline) -> dict[tuple[str, str], Looser]:
    """(stage, rule) -> the looser value with which most of its inputs pass, for rules that have one with which any passes.

    It needs the store of the run, and the models for text that the run did not read. Raises their errors.
    """
    trials: dict[tuple[str, str], _Trial] = {}
    for inputs in stopped:
        stage = inputs.table.name
        for key in _looser_keys(inputs.table.stage, inputs.rule):
            trial = trials.setdefault((stage, key), _Trial(stage, key, {}))
            trial.ids[inputs.rule] = inputs.texts(run)
    best: dict[tuple[str, str], Looser] = {}
    if trials:
        pipeline.progress.say("trying other values of the keys that limited the yield …")
    with pipeline.progress.bar("try other values of keys", len(trials), "keys") as bar:
        for trial in trials.values():
            for rule_name, outcome in _outcomes(run, trial, pipeline):
                before = best.get((trial.stage, rule_name))
                if outcome.passed > (before.passed if before else 0):
                    best[trial.stage, rule_name] = outcome
            bar.advance()
    return best


def _outcomes(run: Run, trial: _Trial, pipeline: Pipeline) -> Iterator[tuple[str, Looser]]:
    """The outcome of a trial for each of its rules; none if the key has no looser value."""
    section, table = pipeline.config.section(trial.stage), run.tables[trial.stage]
    changes = {
        name: looser_section(section, trial.key, _looser_keys(table.stage, name)[trial.key]) for name in trial.ids
    }
    for changed in dict.fromkeys(change for change in changes.values() if change is not None):
        ids = {name: trial.ids[name] for name, change in changes.items() if change == changed}
        source = run.tables[table.stage.primary]
        records = map(source.find, dict.fromkeys(chain.from_iterable(ids.values())))
        inputs = [record for record in records if record is not None]
        passed = _passed(run, pipeline, trial.stage, changed, inputs)
        for name, of_rule in ids.items():
            passing = [record_id for record_id in of_rule if record_id in passed]
            yield (
                name,
                Looser(
                    key=f"{trial.stage}.{trial.key}",
                    value=_shown(getattr(section, trial.key)),
                    looser=_shown(getattr(changed, trial.key)),
                    tried=len(of_rule),
                    passed=len(passing),
                    example=_example(run, passed[passing[0]]) if passing else "",
                ),
            )


def _looser_keys(stage: Stage, name: str) -> Mapping[str, Any]:
    """``Rule.looser`` of a rejection reason, or of a rule that refuses parts of inputs; none for a stage that needs all inputs."""
    rule = stage.rule(name)
    return rule.looser if rule is not None and stage.scope == "map" else {}


def looser_section(section: Section, key: str, by: Any) -> Section | None:
    """The section with a key moved as ``Rule.looser`` says, at most to its bound; None if that changes nothing or is refused."""
    value = getattr(section, key)
    moved = by if isinstance(by, str | bool) else value + by
    if isinstance(moved, int | float) and not isinstance(moved, bool):
        low, high = _bounds(type(section), key)
        moved = type(value)(round(min(high, max(low, moved)), 4))
    try:
        return msgspec.structs.replace(section, **{key: moved}) if moved != value else None
    except ConfigError:
        return None


def _bounds(kind: type[Section], key: str) -> tuple[float, float]:
    hint = get_type_hints(kind, include_extras=True)[key]
    metas = [meta for meta in get_args(hint) if isinstance(meta, Meta)] if get_origin(hint) is Annotated else []
    low = max((float(meta.ge) for meta in metas if meta.ge is not None), default=float("-inf"))
    high = min((float(meta.le) for meta in metas if meta.le is not None), default=float("inf"))
    return low, high


def _passed(run: Run, pipeline: Pipeline, name: str, section: Section, inputs: Sequence[Any]) -> Mapping[str, Any]:
    """Id -> record of each of these inputs that passes the stage with these settings. Nothing is written to the run."""
    config = msgspec.structs.replace(pipeline.config, **{name: section})
    changed = Pipeline(config, Progress("quiet"), pipeline.ports)
    stage = changed.stage(name)
    job = changed.job(stage, {source: run.tables[source].output for source in stage.reads})
    with tempfile.TemporaryDirectory(prefix="wdw-looser-") as folder:
        output = run_alone(replace(job, given=tuple(inputs)), Path(folder), changed.progress)
        return {record.id: record for record in output.records()}


def _example(run: Run, record: Any) -> str:
    """The sentence of the question that a record is about, cut to a line."""
    question = record if isinstance(record, Question) else run.questions.find(record.id)
    text = " ".join((question.sentence if question is not None else record.id).split())
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]} …"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
