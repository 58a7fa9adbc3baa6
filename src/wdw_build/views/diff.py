"""``diff``: what differs between two runs, stage by stage and id by id, and why.

Two runs are compared by their stored outputs alone. Neither corpus nor models are needed, so runs from other machines and
from earlier versions can be compared, too. Records are compared as bytes, in one merge over the sorted key files, so memory
holds the records of one id at a time. Causes come from the manifests;
a difference that begins in an earlier stage has the causes found in that stage.

Not compared: how similar two records are, and files other than records (index, model, exports).
"""

from __future__ import annotations

import functools
import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.stage import Stage
from wdw_build.core.store.causes import AnyCause, ArticleChanged, InputChanged, SettingChanged, Unrecorded
from wdw_build.core.store.key_index import PartFile, key_of
from wdw_build.core.store.output import Output
from wdw_build.dataset import Run, Table
from wdw_build.dataset.tables import Entry, entries
from wdw_build.records import Candidate, CandidatePassage, Passage, Record, Rejection

ADDED, REMOVED, CHANGED, REJECTED_OTHERWISE = CHANGES = ("added", "removed", "changed", "rejected-otherwise")
# What happened to a problem of the dataset.
KINDS = ("appeared", "left", "changed")
_ABSENT = "not there"
_REJECTED = "rejected: "
_DETAIL_LENGTH = 120

PlainRecord = dict[str, Any]
# The entries of one id in one stage: in the old run, and in the new one.
Sides = list[Entry | None]
OpenFile = Callable[[Path], PartFile]


class Difference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """One id whose outcome in one stage differs between the runs."""

    stage: str
    """Name of the stage."""
    id: str
    """Id that the stage read."""
    change: str
    """`added`, `removed`, `changed`, or `rejected-otherwise`: rejected in both runs, with another reason or other
    evidence."""
    before: str
    """Outcome in the earlier run: `written`, `rejected: reason (detail)`, or `not there`."""
    after: str
    """Outcome in the later run."""
    fields: tuple[str, ...] = ()
    """Names of the fields that differ, if both runs have the id."""
    begins: str
    """The stage in which this id's difference begins."""
    why: tuple[str, ...]
    """The causes in that stage: keys, versions, backends, or other articles."""
    typed_causes: tuple[AnyCause, ...]
    """The causes of `why` as data."""


class StageDifference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="stage"):
    """The differences of one stage, counted."""

    stage: str
    """Name of the stage."""
    same: bool
    """Whether records and rejections are the same, byte by byte."""
    before: int
    """Records in the earlier run."""
    after: int
    """Records in the later run."""
    changes: dict[str, int]
    """Change -> number of ids."""
    causes: tuple[str, ...]
    """The ingredients of the stage (settings, versions, inputs) that differ."""
    why: dict[str, int]
    """Cause -> number of ids."""
    typed_causes: tuple[AnyCause, ...]
    """The causes of `causes` as data."""


class Comparison:
    """The differences between two runs. Read ``groups`` to its end before ``stages``, which counts the differences.

    Raises ``UsageError`` if a run is incomplete.
    """

    def __init__(self, old: Run, new: Run) -> None:
        self.old, self.new = old.require_complete(), new.require_complete()
        # A stage on demand may have run in one of the runs only; what it made is in no dataset with original names.
        self._stages = {
            stage.name: stage for stage in new.stages if stage.name in old.outputs and stage.name in new.outputs
        }
        manifests = {name: (old.outputs[name].manifest, new.outputs[name].manifest) for name in self._stages}
        contents = {
            name: [(made.rejections_sha256, *(part.sha256 for part in made.parts)) for made in both]
            for name, both in manifests.items()
        }
        self._same = {name for name, (before, after) in contents.items() if before == after}
        self._causes = {
            name: tuple(after.ingredients.differences(before.ingredients))
            for name, (before, after) in manifests.items()
        }
        self._changes: dict[str, Counter[str]] = {name: Counter() for name in self._stages}
        self._ids_by_cause: dict[str, Counter[AnyCause]] = {name: Counter() for name in self._stages}

    def groups(self, progress: Progress) -> Iterator[list[Difference]]:
        """The differences of each id: ids in the order of their keys, differences in the order of the stages."""
        old, new = (
            {name: run.outputs[name] for name in self._stages if name not in self._same} for run in (self.old, self.new)
        )
        total = sum(output.manifest.read for output in (*old.values(), *new.values())) // 2
        open_file = functools.cache(PartFile)
        with progress.bar("compare", total, "records") as bar:
            for key, by_stage in join(old, new):
                bar.advance(len(by_stage))
                if group := self._group(msgspec.json.decode(key), by_stage, open_file):
                    yield group

    def _group(self, record_id: str, by_stage: Mapping[str, Sides], open_file: OpenFile) -> list[Difference]:
        group: dict[str, Difference] = {}
        for name in self._stages:
            if name not in by_stage:
                continue
            difference = self._difference(name, record_id, by_stage[name], open_file, group)
            if difference is not None:
                group[name] = difference
                self._changes[name][difference.change] += 1
                self._ids_by_cause[name].update(difference.typed_causes)
        return list(group.values())

    def _difference(
        self, name: str, record_id: str, sides: Sides, open_file: OpenFile, earlier: Mapping[str, Difference]
    ) -> Difference | None:
        """The difference in one stage, or None; ``earlier`` holds the differences of the id in earlier stages."""
        key = key_of(record_id)
        stored = [open_file(entry.path).line(key, entry.offset, entry.length) if entry else b"" for entry in sides]
        change = _change(*sides)
        if not change or stored[0] == stored[1]:
            return None
        old, new = (msgspec.json.decode(line) if line else {} for line in stored)
        begins, causes = self._origin(name, change, sides, (old, new), earlier)
        return Difference(
            stage=name,
            id=record_id,
            change=change,
            before=_outcome(sides[0], old),
            after=_outcome(sides[1], new),
            fields=changed_fields(old, new) if change in (CHANGED, REJECTED_OTHERWISE) else (),
            begins=begins,
            why=tuple(cause.with_stage for cause in causes),
            typed_causes=causes,
        )

    def _origin(
        self,
        name: str,
        change: str,
        sides: Sides,
        records: tuple[PlainRecord, PlainRecord],
        earlier: Mapping[str, Difference],
    ) -> tuple[str, tuple[AnyCause, ...]]:
        """The stage that a difference begins in, and the causes. A record that one run does not have is empty."""
        stage, (old, new) = self._stages[name], records
        read = next((earlier[read] for read in stage.reads if read in earlier), None)
        if read is not None and (not (old and new) or (change == CHANGED and self._passes_on(stage, read))):
            # The input was missing on one side, or the stage passed it on unchanged: no setting of this stage matters.
            return read.begins, read.typed_causes
        old_rules, new_rules = (
            rules_by_article(record, stage.writes if entry is not None and entry.written else Rejection)
            for entry, record in zip(sides, records, strict=True)
        )
        changed_rules = old_rules ^ new_rules
        rules = {old.get("reason", ""), new.get("reason", ""), *(rule for _, rule in changed_rules)}
        own = tuple(cause for cause in self._causes[name] if not isinstance(cause, InputChanged))
        causes = deciding(own, stage, rules)
        if read is not None:
            return read.begins, tuple(dict.fromkeys((*causes, *read.typed_causes)))
        if not causes and self.new.articles.name not in self._same:
            # Candidates that only one run has or that the runs judge differently; without any, all candidates.
            articles = {article for article, _ in changed_rules or old_rules | new_rules}
            causes = changed_articles(articles, self.old.articles, self.new.articles)
        return name, causes or self._causes[name] or (Unrecorded(stage=name),)

    def _passes_on(self, stage: Stage, read: Difference) -> bool:
        """Whether the stage copies the records of its first input, and this record changed in that input."""
        same_kind = stage.writes is self._stages[read.stage].writes
        return same_kind and read.change == CHANGED and read.stage == stage.reads[0]

    def stages(self) -> list[StageDifference]:
        """The counts of every stage."""
        return [self._stage_difference(name) for name in self._stages]

    def _stage_difference(self, name: str) -> StageDifference:
        ids_by_cause = {cause.with_stage: count for cause, count in self._ids_by_cause[name].items()}
        return StageDifference(
            stage=name,
            same=name in self._same,
            before=self.old.outputs[name].manifest.written,
            after=self.new.outputs[name].manifest.written,
            changes={change: self._changes[name][change] for change in CHANGES},
            causes=tuple(cause.with_stage for cause in self._causes[name]),
            why=dict(sorted(ids_by_cause.items(), key=lambda pair: (-pair[1], pair[0]))),
            typed_causes=self._causes[name],
        )


def join(old: Mapping[str, Output], new: Mapping[str, Output]) -> Iterator[tuple[bytes, dict[str, Sides]]]:
    """Every id (as its key) with its entries in ``old`` and in ``new`` by stage, in the order of the keys.

    Raises ``UsageError`` if a stage has no key file of its rejections, ``DamagedOutputError`` if a key file was changed.
    """

    def labelled(output: Output, stage: str, side: int) -> Iterator[tuple[bytes, str, int, Entry]]:
        return ((key, stage, side, entry) for key, entry in entries(output))

    streams = [
        labelled(output, stage, side) for side, outputs in enumerate((old, new)) for stage, output in outputs.items()
    ]
    for key, group in itertools.groupby(heapq.merge(*streams, key=itemgetter(0)), key=itemgetter(0)):
        by_stage: dict[str, Sides] = {}
        for _, stage, side, entry in group:
            sides = by_stage.setdefault(stage, [None, None])
            previous = sides[side]
            # Only ``ingest`` has ids with several entries: a record and its later duplicates.
            if previous is None or entry.counts_before(previous):
                sides[side] = entry
        yield key, by_stage


def _change(before: Entry | None, after: Entry | None) -> str:
    """The kind of change between two outcomes that differ; empty for a rejection that only one run has."""
    was_written, is_written = (entry is not None and entry.written for entry in (before, after))
    if was_written and is_written:
        return CHANGED
    if was_written or is_written:
        return REMOVED if was_written else ADDED
    return REJECTED_OTHERWISE if before and after else ""


def _outcome(entry: Entry | None, record: Mapping[str, Any]) -> str:
    """The outcome of an id in one stage, in words."""
    if entry is None:
        return _ABSENT
    if entry.written:
        return "written"
    detail = str(record["detail"])
    shortened = detail if len(detail) <= _DETAIL_LENGTH else f"{detail[:_DETAIL_LENGTH]}…"
    return f"{_REJECTED}{record['reason']}" + (f" ({shortened})" if shortened else "")


# ---- the dataset -----------------------------------------------------------------------------------------------------


def change_of_dataset(group: list[Difference], new: Run) -> tuple[str, Difference | None]:
    """How an id changed in the dataset (one of ``KINDS``), and the difference that shows it; None if it did not change."""
    by_stage = {difference.stage: difference for difference in group}
    assignment, problem = by_stage.get(new.assignments.name), by_stage.get(new.distinct_problems.name)
    if assignment is not None and assignment.change in (ADDED, REMOVED):
        return ("appeared" if assignment.change == ADDED else "left"), assignment
    changes = (difference for difference in (problem, assignment) if difference and difference.change == CHANGED)
    changed = next(changes, None)
    return "changed", changed if changed is not None and changed.id in new.assignments else None


def reason_of_dataset(kind: str, shown: Difference, group: list[Difference]) -> str:
    """Why a problem changed in the dataset: the rejection in the run that lacks it, the article, or the fields that differ."""
    if kind == "changed":
        return f"{shown.stage}: {', '.join(shown.fields)}"
    for difference in group:
        outcome = difference.after if kind == "left" else difference.before
        if difference.change in (ADDED, REMOVED) and outcome.startswith(_REJECTED):
            reason = outcome.removeprefix(_REJECTED).partition(" ")[0]
            return f"{difference.stage}: {reason}" if kind == "left" else f"no longer {difference.stage}: {reason}"
    return "its article is gone" if kind == "left" else "new article"


# ---- causes of one id ------------------------------------------------------------------------------------------------


def deciding(causes: tuple[AnyCause, ...], stage: Stage, rules: Iterable[str]) -> tuple[AnyCause, ...]:
    """The changed settings that these reasons and rules depend on (``Rule.keys``); all causes if there are none."""
    keys = {key for rule in map(stage.rule, rules) if rule for key in rule.keys}
    settings = tuple(cause for cause in causes if isinstance(cause, SettingChanged) and cause.key in keys)
    return settings or causes


def rules_by_article(record: PlainRecord, kind: type[Record]) -> set[tuple[str, str]]:
    """(article, rule) of every candidate of a record of type ``kind``; the rule is empty for valid candidates and passages.

    The declared types of the fields decide, because fields of one name have several types: ``passage`` is a ``Passage`` in
    ``Problem``, and a list of replacements in ``Pseudonyms``. A record without such fields, or an empty one, has no pairs.
    """
    pairs = {
        (candidate["article"], candidate.get("rule", ""))
        for field in _fields_of_type(kind, tuple[Candidate, ...])
        for candidate in record.get(field, ())
    }
    passages = [record[field] for field in _fields_of_type(kind, Passage) if field in record]
    for field in _fields_of_type(kind, tuple[CandidatePassage, ...]):
        passages += record.get(field, ())
    return pairs | {(passage["article"], "") for passage in passages}


@functools.cache
def _fields_of_type(kind: type[Record], wanted: Any) -> tuple[str, ...]:
    """The names of the fields of a record type that are declared with the type ``wanted``."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.type == wanted)


def changed_articles(names: Iterable[str], old: Table[Any, Any], new: Table[Any, Any]) -> tuple[AnyCause, ...]:
    """A cause for each of these articles that differs between two tables of articles."""
    causes = []
    for name in sorted(names):
        before, after = old.output.find_line(name), new.output.find_line(name)
        if before != after:
            change = "added" if before is None else "removed" if after is None else "changed"
            causes.append(ArticleChanged(stage=new.name, article=name, change=change))
    return tuple(causes)


def changed_fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the fields that differ between two records."""
    return tuple(key for key in {**old, **new} if old.get(key, msgspec.UNSET) != new.get(key, msgspec.UNSET))
