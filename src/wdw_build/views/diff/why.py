"""Why the outcome of an id differs: a setting, version, backend or seed of the stage, or an article that changed."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from wdw_build.core.stage import Stage
from wdw_build.core.store.causes import AnyCause, ArticleChanged, InputChanged, SettingChanged
from wdw_build.dataset import Table
from wdw_build.records import Candidate, CandidatePassage, Passage, Record

PlainRecord = dict[str, Any]


def own_causes(causes: Iterable[AnyCause]) -> tuple[AnyCause, ...]:
    """The causes in the stage itself: all causes except changed inputs."""
    return tuple(cause for cause in causes if not isinstance(cause, InputChanged))


def deciding(causes: tuple[AnyCause, ...], stage: Stage, rules: Iterable[str]) -> tuple[AnyCause, ...]:
    """The changed settings that these reasons and rules depend on (``Stage.decided_by``); all causes if there are none."""
    keys = {key for rule in rules for key in stage.decided_by.get(rule, ())}
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
