"""Why an id came out otherwise: the key, version, backend or seed that differs, the record upstream, or another article."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from wdw_build.core.stage import Stage
from wdw_build.core.store.output import Output
from wdw_build.views.diff.differences import Difference

Plain = dict[str, Any]
_CONFIG = re.compile(r"config ([a-z_]+\.[a-z_]+) ")
_INPUT = "input "
# Fields that are kept to be looked at: no stage reads them.
_NOT_READ = {"baselines": {"scores"}}


def causes(stage: str, old: Output, new: Output) -> tuple[str, ...]:
    """What a stage's manifests have different; all but the keys of its section say which stage is meant."""
    said = new.manifest.ingredients.differences(old.manifest.ingredients)
    return tuple(one if _CONFIG.match(one) or one.startswith("seed ") else f"{stage}: {one}" for one in said)


def is_input(stage: str, cause: str) -> bool:
    """Whether a cause is that the stage's input differs: then the reason lies further up."""
    return cause.startswith(f"{stage}: {_INPUT}")


def is_read_on(above: Difference) -> bool:
    """Whether a stage that reads this record can come out otherwise because of it."""
    return above.change != "changed" or not set(above.fields) <= _NOT_READ.get(above.stage, set())


def narrowed(found: tuple[str, ...], stage: Stage, words: set[str]) -> tuple[str, ...]:
    """Those causes that the meanings of these reasons and rules name; all, if none is named."""
    meanings = " ".join({**stage.reasons, **stage.rules}.get(word, "") for word in sorted(words))
    named = tuple(one for one in found if (key := _CONFIG.match(one)) and key.group(1) in meanings)
    return named or found


def moved(old: Plain, new: Plain) -> set[tuple[str, str]]:
    """(article, rule) of every candidate and passage that only one of two records has, or has with another rule."""
    return articles(old) ^ articles(new)


def articles(record: Plain) -> set[tuple[str, str]]:
    """(article, rule) of every candidate of a record, and of its passage."""
    candidates = [*record.get("candidates", ()), *record.get("refused", ())]
    found = {(one["article"], one.get("rule", "")) for one in candidates if "article" in one}
    passage = record.get("passage")
    return found | ({(passage["article"], "")} if passage else set())


def other_articles(names: set[str], old: Output, new: Output) -> tuple[str, ...]:
    """Those of these articles that are not the same in both runs, with what happened to them."""
    said = []
    for article in sorted(names):
        before, after = old.find_line(article), new.find_line(article)
        if before != after:
            change = "added" if before is None else "removed" if after is None else "changed"
            said.append(f"article {article} {change} in ingest")
    return tuple(said)


def fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields of two records that differ."""
    return tuple(key for key in {**old, **new} if old.get(key, msgspec.UNSET) != new.get(key, msgspec.UNSET))
