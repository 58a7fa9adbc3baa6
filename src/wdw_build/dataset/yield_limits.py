"""What limited the yield: how many articles each rule stopped, and how many another value of its key would let pass.

Counted from the stored rejections. An article counts once, for the rule that stopped it; where every candidate passage of a
question was refused, for the rule that refused the candidate that passed the most tests. An article that another value lets
pass reaches the next test, which may still reject it. ``suppress`` computes what its own keys cost (``selection.costs``),
because any selection of some problems excludes others.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import Stage
from wdw_build.dataset.run import Run
from wdw_build.dataset.tables import Table
from wdw_build.records import Rejection


class OtherValue(msgspec.Struct, frozen=True, kw_only=True):
    """Another value of a key, and what it would keep."""

    value: str
    """The value."""
    articles: int
    """The articles that the rule would let pass. Later tests may still reject them."""


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
    key: str = ""
    """The key that decides it, such as `retrieve.min_event_score`; empty if no key does."""
    value: str = ""
    """Value of the key."""
    other: OtherValue | None = None
    """What another value would keep; null if that cannot be counted from the run, or is nothing."""


def yield_limits(run: Run) -> tuple[YieldLimit, ...]:
    """Every rule that stopped an article, the most costly first; those of ``suppress`` are absent."""
    found = []
    for table in run.main_line:
        if not table.exists or table.name == run.decisions.name:
            continue
        by_rule: defaultdict[str, list[Rejection]] = defaultdict(list)
        for rejection in table.rejections():
            by_rule[_stopped_by(table.stage, rejection)].append(rejection)
        found += [_limit(run, table, name, rejections) for name, rejections in by_rule.items()]
    return tuple(sorted(found, key=lambda limit: (-limit.articles, limit.stage, limit.rule)))


def _stopped_by(stage: Stage, rejection: Rejection) -> str:
    """The reason of a rejection; if every candidate was refused, the rule of the candidate that passed the most tests."""
    order = {rule: number for number, rule in enumerate(stage.rules)}
    refused = (candidate.rule for candidate in rejection.candidates)
    return max(refused, key=lambda rule: order.get(rule, -1), default=rejection.reason)


def _limit(run: Run, table: Table[Any, Any], name: str, rejections: list[Rejection]) -> YieldLimit:
    rule = table.stage.rule(name) or Rule("")
    limit = YieldLimit(stage=table.name, rule=name, meaning=rule.meaning, articles=len(rejections))
    if not rule.keys:
        return limit
    value = getattr(table.settings, rule.keys[0])
    other = _other_value(run, table, rule, value, rejections)
    return msgspec.structs.replace(limit, key=f"{table.name}.{rule.keys[0]}", value=_shown(value), other=other)


def _other_value(
    run: Run, table: Table[Any, Any], rule: Rule, value: Any, rejections: list[Rejection]
) -> OtherValue | None:
    """The value that switches the rule off, or the first of its other values that lets any article pass."""
    if rule.can_be_off:
        return OtherValue(value=_shown(type(value)()), articles=len(rejections))
    if rule.number is None:
        return None
    numbers = [rule.number(rejection, run.tables[table.stage.primary].find) for rejection in rejections]
    for step in rule.steps:
        other = max(1, value + step) if isinstance(value, int) else round(min(1.0, max(0.0, value + step)), 4)
        passing = sum(number >= other if step < 0 else number < other for number in numbers)
        if passing:
            return OtherValue(value=_shown(other), articles=passing)
    return None


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
