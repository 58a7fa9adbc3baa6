"""export: writes the dataset in each configured format. ``wdw-build export`` runs this stage for one format.

With ``export.alternatives``, the training alternatives follow the problems. They are not accounted for as problems are: a log
line says how many there are, and how many each test left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from wdw_build.core.hashing import hash_order
from wdw_build.core.rule import Rule
from wdw_build.core.section import Section, Share, refuse_repeats
from wdw_build.core.stage import SEED, Context, Stage, by_seed
from wdw_build.errors import ConfigError
from wdw_build.ports import (
    ALTERNATIVE,
    EXPORTERS,
    READER,
    SENTENCE_SPLITTER,
    CorpusExporter,
    Exporter,
    OriginalProblem,
    WithAlternatives,
    WithCode,
)
from wdw_build.records import (
    Exported,
    Names,
    Problem,
    Pseudonyms,
    RawArticle,
    Record,
    Rejection,
    SplitAssignment,
    Unreadable,
)
from wdw_build.selection.settings import SplitConfig
from wdw_build.selection.training_alternatives import Sources, TrainingAlternatives, account


class ExportConfig(Section, frozen=True):
    """Formats to write."""

    formats: Annotated[tuple[str, ...], Meta(min_length=1)] = ("jsonl", "wdw-xml")
    """Formats from docs/reference/export-formats.md, or from other packages."""
    choices: Literal["passage", "shuffled"] = "passage"
    """Order of the choices: by first mention, or shuffled by a hash of seed, id and names."""
    names: Names = "original"
    """Names of persons: original, or codes such as `@entity3`. Renamed exports omit problems that the
    `pseudonyms` stage rejected."""
    min_event_score: Share = 0.0
    """Omit problems with a lower event score, or without a score; 0: no limit."""
    alternatives: bool = False
    """Also write the training alternatives: all alternatives of articles in training time, not suppressed, without those
    that have something in common with a validation or test problem. For training only."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` if ``formats`` names a format twice, and for alternatives with codes, which they do not have."""
        refuse_repeats("export.formats", self.formats, "format")
        if self.alternatives and self.names != "original":
            raise ConfigError(
                f"export.alternatives: training alternatives have their original names, and export.names is {self.names}",
                hint="set export.alternatives: false, or export.names: original",
            )


def shuffled(problem: Problem, seed: int) -> Problem:
    """The problem with its choices in an order that depends on seed, id and original names."""
    order = hash_order(seed, "export", (f"{problem.id}\x1f{choice.name}" for choice in problem.choices))
    return msgspec.structs.replace(
        problem, choices=tuple(problem.choices[number] for number in order), answer=order.index(problem.answer)
    )


def _ordered(problem: Problem, config: ExportConfig, context: Context) -> Problem:
    """The problem with its choices in the order of the export."""
    return shuffled(problem, context.seed) if config.choices == "shuffled" else problem


def _is_scored(problem: Problem, config: ExportConfig) -> bool:
    """Whether the event score is high enough for the export."""
    return (problem.event_score or 0.0) >= config.min_event_score


def _following(pseudonyms: Pseudonyms, before: Problem, after: Problem) -> Pseudonyms:
    """The pseudonyms of a problem after its choices changed their order."""
    persons = tuple(
        person
        if person.choice is None
        else msgspec.structs.replace(person, choice=after.choices.index(before.choices[person.choice]))
        for person in pseudonyms.persons
    )
    return msgspec.structs.replace(pseudonyms, persons=persons)


def _exported(assignment: SplitAssignment, config: ExportConfig, context: Context) -> OriginalProblem | Rejection:
    """The problem as it is exported, but with its original names; or the reason why it is left out."""
    problem: Problem = context.find("problems", assignment.id)
    if not _is_scored(problem, config):
        return Rejection(id=assignment.id, reason="low-event-score", detail=f"{problem.event_score}")
    ordered = _ordered(problem, config, context)
    if config.names == "original":
        return OriginalProblem(ordered, assignment, None)
    pseudonyms = context.inputs["pseudonyms"].find(assignment.id)
    if not isinstance(pseudonyms, Pseudonyms):
        causes = context.inputs["pseudonyms"].rejections_of(assignment.id)
        return Rejection(
            id=assignment.id,
            reason="no-pseudonyms",
            detail="; ".join(f"{cause.reason} {cause.detail}" for cause in causes),
        )
    return OriginalProblem(ordered, assignment, _following(pseudonyms, problem, ordered))


class _Problems:
    """The exported problems in the order of ``split``. They can be read more than once; each pass shows a bar.

    ``alternatives``: training alternatives, which follow the problems.
    """

    def __init__(self, label: str, config: ExportConfig, context: Context, alternatives: Iterable[Problem]) -> None:
        self._label, self._config, self._context, self._alternatives = label, config, context, alternatives
        self.names = config.names

    def __iter__(self) -> Iterator[tuple[Problem, SplitAssignment]]:
        for original in self.originals():
            yield original.renamed(self.names), original.placed
        for problem in self._alternatives:
            if _is_scored(problem, self._config):
                placed = SplitAssignment(id=problem.id, date=problem.date, level=ALTERNATIVE, split="train")
                yield _ordered(problem, self._config, self._context), placed

    def originals(self) -> Iterator[OriginalProblem]:
        context = self._context
        with context.progress.bar(self._label, context.inputs["split"].manifest.written, "problems") as bar:
            for assignment in context.read("split"):
                exported = _exported(assignment, self._config, context)
                bar.advance()
                if isinstance(exported, OriginalProblem):
                    yield exported


class _Corpus:
    """The corpus as the reader gives it. It can be read more than once; each pass shows a bar."""

    def __init__(self, label: str, context: Context) -> None:
        self._label, self._context = label, context

    @property
    def code(self) -> Mapping[str, str]:
        """The user's Python files that change the corpus, each with its SHA-256 (hex); empty if there are none."""
        reader = self._context.port(READER)
        return reader.code if isinstance(reader, WithCode) else {}

    def __iter__(self) -> Iterator[RawArticle | Unreadable]:
        reader = self._context.port(READER)
        with self._context.progress.bar(self._label, None, "articles") as bar:
            for article in reader.read():
                yield article
                bar.advance()


def _write(
    exporter: Exporter | CorpusExporter, folder: Path, problems: _Problems, corpus: _Corpus
) -> dict[str, list[str]]:
    if isinstance(exporter, CorpusExporter):
        return exporter.write_from(folder, problems, corpus)
    return exporter.write(folder, problems)


def _alternatives(config: ExportConfig, context: Context) -> TrainingAlternatives:
    """The training alternatives of the run. Raises ``ConfigError`` if a format does not write them."""
    for name in config.formats:
        if not isinstance(context.port(EXPORTERS)[name], WithAlternatives):
            raise ConfigError(
                f"export.alternatives: the format {name} has no file for training alternatives",
                hint=f"set export.alternatives: false to write {name}; docs/howto/export.md lists the formats that have one",
            )
    split: SplitConfig = context.shared["split"]
    sources = Sources(
        alternatives=context.inputs["dedup"],
        decisions=context.inputs["suppress"],
        assignments=context.inputs["split"],
        problems=context.inputs["problems"],
        articles=context.inputs["ingest"],
    )
    sentences = context.port(SENTENCE_SPLITTER).sentences
    alternatives = TrainingAlternatives(sources, split, sources.held_out, sentences, context.progress)
    context.progress.say(f"export: {account(len(alternatives), alternatives.left_out)}")
    if not any(sources.held_out()):
        context.progress.say("export: no problem is held out, so no alternative was compared with one")
    return alternatives


def run(inputs: Iterator[SplitAssignment], config: ExportConfig, context: Context) -> Iterator[Record | Rejection]:
    """Write the dataset in each format."""
    exporters = context.port(EXPORTERS)
    alternatives = _alternatives(config, context) if config.alternatives else ()
    files: defaultdict[str, list[str]] = defaultdict(list)
    for name in config.formats:
        corpus = _Corpus(name, context)
        written = _write(exporters[name], context.folder, _Problems(name, config, context, alternatives), corpus)
        if isinstance(exporters[name], CorpusExporter) and corpus.code:
            context.progress.say(
                f"{name}: to use these files, people also need {', '.join(corpus.code)}: publish it, too"
            )
        for file, ids in written.items():
            for problem_id in ids:
                files[problem_id].append(file)
    for assignment in inputs:
        exported = _exported(assignment, config, context)
        if isinstance(exported, Rejection):
            yield exported
        else:
            yield Exported(id=assignment.id, files=tuple(files[assignment.id]))


def _replaces_names(config: ExportConfig) -> bool:
    return config.names != "original"


def _has_alternatives(config: ExportConfig) -> bool:
    return config.alternatives


def _of_split(config: ExportConfig) -> tuple[str, ...]:
    """The keys of ``split`` that decide which alternatives are exported."""
    return (*SplitConfig.held_out_keys, "gap_days", "event_days") if config.alternatives else ()


# The stages that it reads only for training alternatives.
_FOR_ALTERNATIVES = ("dedup", "suppress", "ingest")


STAGE = Stage(
    name="export",
    version=5,
    reads=("split", "problems", "pseudonyms", *_FOR_ALTERNATIVES),
    conditions={
        "pseudonyms": _replaces_names,
        **dict.fromkeys((*_FOR_ALTERNATIVES, SENTENCE_SPLITTER), _has_alternatives),
    },
    writes=Exported,
    config=ExportConfig,
    run=run,
    shares={SEED: by_seed, "split": _of_split},
    ports=(EXPORTERS, READER, SENTENCE_SPLITTER),
    block=0,
    reasons={
        "low-event-score": Rule(
            "the problem has no event score, or a score below export.min_event_score",
            ("min_event_score",),
        ),
        "no-pseudonyms": Rule("export.names replaces names, and the pseudonyms stage rejected the problem", ("names",)),
    },
)
