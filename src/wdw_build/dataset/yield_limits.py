"""What limited the yield: how many articles each rule, limit and cap cost, and how many another value would let pass.

Counted from the stored rejections and candidates. An article counts once, for the rule that stopped it; where every candidate
of a question was refused, for the rule that refused the candidate that passed the most tests. An article that another value
lets pass reaches the next stage, which may still reject it. What suppression costs cannot be counted from its rejections,
because any selection of some problems excludes others: see ``selection.costs``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import Stage
from wdw_build.dataset.run import Run
from wdw_build.dataset.tables import Table
from wdw_build.records import Rejection

# Rows that are shown: those with a key, and those of rules without a key.
_MOST_WITH_KEY, _MOST_WITHOUT = 7, 3


class OtherValue(msgspec.Struct, frozen=True, kw_only=True):
    """Another value of a key, and what it would keep."""

    value: str
    """The value."""
    articles: int
    """About how many more articles would pass."""
    exact: bool
    """Whether these articles would reach the next stage; otherwise a later test of the stage may still reject them."""


class YieldLimit(msgspec.Struct, frozen=True, kw_only=True):
    """What a rule, a limit or a cap cost."""

    stage: str
    """The stage."""
    rule: str
    """The rejection reason or rule; for a limit that was reached, the name of its key."""
    meaning: str
    """The rule in words."""
    articles: int
    """About how many articles it stopped."""
    key: str = ""
    """The key that decides it, such as `retrieve.min_event_score`; empty if no key does."""
    value: str = ""
    """Value of the key."""
    other: OtherValue | None = None
    """What another value would keep; null if that cannot be counted from the run, or is nothing."""
    next_stage: str = ""
    """The stage that the articles did not reach; empty after the last."""


def yield_limits(run: Run) -> tuple[YieldLimit, ...]:
    """Every rule, limit and cap with a cost, the most costly first; those of ``suppress`` are absent."""
    line = [table for table in run.main_line if table.exists]
    found: list[YieldLimit] = []
    for table, after in zip(line, [*(later.name for later in line[1:]), ""], strict=True):
        if table.manifest.rejected and table.name != run.decisions.name:
            found += [*_of_rules(run, table, after), *_of_limits(run, table, after)]
    return tuple(sorted(found, key=lambda limit: (-limit.articles, limit.stage, limit.rule)))


def shown_limits(limits: tuple[YieldLimit, ...]) -> list[YieldLimit]:
    """The most costly limits, about ten: most of them have a key, because only these can be changed."""
    left = {True: _MOST_WITH_KEY, False: _MOST_WITHOUT}
    shown = []
    for limit in limits:
        if left[bool(limit.key)]:
            left[bool(limit.key)] -= 1
            shown.append(limit)
    return shown


def remedy(limit: YieldLimit) -> str:
    """The key of a limit and what another value would keep, in words; empty without a key."""
    if limit.other is None:
        return f"{limit.key} is {limit.value}" if limit.key else ""
    number = f"{'about' if limit.other.exact else 'at most'} {limit.other.articles} more"
    reach = f"reach {limit.next_stage}" if limit.next_stage else "are in the dataset"
    return f"{limit.key} {limit.other.value} instead of {limit.value}: {number} {reach}"


def _of_rules(run: Run, table: Table[Any, Any], after: str) -> Iterator[YieldLimit]:
    by_rule: dict[str, list[Rejection]] = {}
    for rejection in table.rejections():
        by_rule.setdefault(_stopped_by(table.stage, rejection), []).append(rejection)
    for name, rejections in by_rule.items():
        rule = table.stage.rule(name) or Rule("")
        key = rule.keys[0] if rule.keys else ""
        other = _other_value(run, table, name, rule, rejections) if key else None
        yield _row(table, name, rule.meaning, key, len(rejections), after, other)


def _of_limits(run: Run, table: Table[Any, Any], after: str) -> Iterator[YieldLimit]:
    """The limits that articles reached which this stage rejected."""
    for source in run.tables.values():
        for limit in source.stage.limits if source.exists else ():
            if (limit.rejected_by or source.name) != table.name:
                continue
            settings = source.settings
            articles = sum(limit.reached(settings, rejection, source.find) for rejection in table.rejections())
            if articles:
                yield _row(source, limit.key, limit.meaning, limit.key, articles, after)


def _row(
    table: Table[Any, Any],
    rule: str,
    meaning: str,
    key: str,
    articles: int,
    after: str,
    other: OtherValue | None = None,
) -> YieldLimit:
    return YieldLimit(
        stage=table.name,
        rule=rule,
        meaning=meaning,
        articles=articles,
        key=f"{table.name}.{key}" if key else "",
        value=_shown(getattr(table.settings, key)) if key else "",
        other=other,
        next_stage=after,
    )


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _stopped_by(stage: Stage, rejection: Rejection) -> str:
    """The reason of a rejection; if every candidate was refused, the rule of the candidate that passed the most tests."""
    order = {rule: number for number, rule in enumerate(stage.rules)}
    refused = (candidate.rule for candidate in rejection.candidates)
    return max(refused, key=lambda rule: order.get(rule, -1), default=rejection.reason)


def _other_value(
    run: Run, table: Table[Any, Any], name: str, rule: Rule, rejections: list[Rejection]
) -> OtherValue | None:
    """What the first step of the rule's key keeps that keeps any article.

    These articles reach the next stage if the rule is the last test of its stage.
    """
    value = getattr(table.settings, rule.keys[0])
    if rule.can_be_off:
        return OtherValue(value=_shown(type(value)()), articles=len(rejections), exact=True)
    is_last = name == [*table.stage.reasons, *table.stage.rules][-1]
    for step in rule.steps:
        other = _moved(value, step)
        if articles := sum(_passes(run, table, name, rule, one, other, step) for one in rejections):
            return OtherValue(value=_shown(other), articles=articles, exact=is_last)
    return None


def _moved(value: float, step: float) -> float:
    """The value of a key after a step: a count from 1, or a share of at most 1."""
    return max(1, value + step) if isinstance(value, int) else round(min(1.0, max(0.0, value + step)), 4)


def _passes(
    run: Run, table: Table[Any, Any], name: str, rule: Rule, rejection: Rejection, other: float, step: float
) -> bool:
    """Whether a rule with another value of its key lets an article pass, or one of the candidates that it refused."""
    if rule.number is not None:
        numbers = [rule.number(rejection, run.tables[table.stage.primary].find)]
    else:
        refused = [candidate.detail for candidate in rejection.candidates if candidate.rule == name]
        numbers = list(map(_number, refused or [rejection.detail]))
    if step < 0:
        return any(number >= other for number in numbers)
    # A share in a detail is rounded, and a rule may refuse the exact value.
    return any(number < other or (number == other and isinstance(other, int)) for number in numbers)


def _number(detail: str) -> float:
    """The number at the start of a detail, 0.80 of "0.80: and it's my fault"; not a number if there is none."""
    try:
        return float(detail.split()[0].rstrip(":"))
    except (IndexError, ValueError):
        return math.nan
