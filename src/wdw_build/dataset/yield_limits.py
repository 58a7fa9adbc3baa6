"""What limited the yield: how many articles each rule stopped, and a looser value of a key with which some of them pass.

The numbers of articles are counted from the stored rejections. An article counts once, for the rule that stopped it; where every
candidate passage of a question was refused, for the rule that refused the candidate that passed the most tests. ``suppress``
computes what its own keys cost (``selection.costs``), because any selection of some problems excludes others.
"""

from __future__ import annotations

import msgspec

from wdw_build.core.stage import Stage
from wdw_build.dataset.looser import Looser, Stopped, tried
from wdw_build.dataset.run import Run
from wdw_build.errors import WdwError
from wdw_build.pipeline import Pipeline
from wdw_build.records import Rejection

# The most costly rules, which are shown, and for which other values are tried.
MOST = 10


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
    stopped = sorted(_stopped(run), key=lambda one: (-one.sample.offered, one.table.name, one.rule))
    found: dict[tuple[str, str], Looser] = {}
    if pipeline is not None:
        try:
            found = tried(run, stopped[:MOST], pipeline)
        except (WdwError, OSError) as error:
            # The summary of a run whose models are gone, or that may not be written, is shown without these values.
            pipeline.progress.say(f"other values of keys were not tried: {error}")
            pipeline = None
    rules = [
        YieldLimit(
            stage=one.table.name,
            rule=one.rule,
            meaning=run.meaning(one.rule),
            articles=one.sample.offered,
            looser=found.get((one.table.name, one.rule)),
        )
        for one in stopped
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
