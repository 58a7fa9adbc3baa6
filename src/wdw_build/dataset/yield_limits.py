"""What limited the yield: how many articles each rule, limit and cap cost, and how many another value would let pass.

Counted from the stored rejections and candidates. An article counts once, for the rule that stopped it; where every candidate
of a question was refused, for the rule that refused the candidate that passed the most tests. An article that another value
lets pass reaches the next stage, which may still reject it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from wdw_build.core.stage import Stage
from wdw_build.dataset.run import Run
from wdw_build.dataset.tables import Table
from wdw_build.records import Candidate, Rejection
from wdw_build.stages import choices, dedup, export, questions, retrieve, split, suppress
from wdw_build.text.passages.passage_text import similarity
from wdw_build.text.tokens import words

# Rows that are shown: those with a key, and those of rules without a key.
_MOST_WITH_KEY, _MOST_WITHOUT = 7, 3
_ALL_REFUSED = {retrieve.STAGE.name: "no-valid-candidate", choices.STAGE.name: "no-usable-passage"}
# The order of the tests, the last one first. Rules that are not named here come before these tests.
_TESTS = (
    *("other-event", "reprint", "right-context", "left-context", "sentence-overlap"),
    *("too-many-choices", "too-few-choices", "ambiguous-answer"),
)


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


Count = Callable[["_Counted"], "OtherValue | None"]


class _Counted(NamedTuple):
    """A stage's rejections of one rule, with the settings that the stage ran with."""

    run: Run
    settings: Any
    rejections: list[Rejection]

    def candidates(self, rule: str) -> Iterator[list[Candidate]]:
        """For each article, the candidates that this rule refused."""
        for rejection in self.rejections:
            yield [candidate for candidate in rejection.candidates if candidate.rule == rule]


def yield_limits(run: Run) -> tuple[YieldLimit, ...]:
    """Every rule, limit and cap with a cost, the most costly first."""
    line = [table for table in run.main_line if table.exists]
    found: list[YieldLimit] = []
    for table, after in zip(line, [*(later.name for later in line[1:]), ""], strict=True):
        found += _of_stage(run, table, after)
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
        return f"{limit.key} = {limit.value}" if limit.key else ""
    number = f"{'about' if limit.other.exact else 'at most'} {limit.other.articles} more"
    reach = f"reach {limit.next_stage}" if limit.next_stage else "are in the dataset"
    return f"{limit.key} {limit.other.value} instead of {limit.value}: {number} {reach}"


def _of_stage(run: Run, table: Table[Any, Any], after: str) -> Iterator[YieldLimit]:
    by_rule: dict[str, list[Rejection]] = {}
    for rejection in table.rejections() if table.manifest.rejected else ():
        by_rule.setdefault(_stopped_by(table.stage, rejection), []).append(rejection)
    for rule, rejections in by_rule.items():
        counted = _Counted(run, table.settings, rejections)
        count = _COUNTS.get((table.name, rule))
        yield _limit(table, rule, len(rejections), after, count(counted) if count else None)
    yield from _limits_reached(run, table, after)


def _limit(
    table: Table[Any, Any],
    rule: str,
    articles: int,
    after: str,
    other: OtherValue | None = None,
    key: str = "",
    meaning: str = "",
) -> YieldLimit:
    stage, settings = table.stage, table.settings
    keys = [key] if key else [name for name in stage.settings_of_reason.get(rule, ()) if hasattr(settings, name)]
    return YieldLimit(
        stage=table.name,
        rule=rule,
        meaning=meaning or {**stage.rules, **stage.all_reasons}.get(rule, ""),
        articles=articles,
        key=f"{table.name}.{keys[0]}" if keys else "",
        value=_shown(getattr(settings, keys[0])) if keys else "",
        other=other if other is not None and other.articles else None,
        next_stage=after,
    )


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _stopped_by(stage: Stage, rejection: Rejection) -> str:
    """The reason of a rejection; if every candidate was refused, the rule of the candidate that passed the most tests."""
    if rejection.reason != _ALL_REFUSED.get(stage.name) or not rejection.candidates:
        return rejection.reason
    refused = {candidate.rule for candidate in rejection.candidates}
    latest = next((rule for rule in _TESTS if rule in refused), "")
    return latest or Counter(candidate.rule for candidate in rejection.candidates).most_common(1)[0][0]


# ---- limits that were reached: no rejection names them ---------------------------------------------------------------


def _limits_reached(run: Run, table: Table[Any, Any], after: str) -> Iterator[YieldLimit]:
    if table.name == retrieve.STAGE.name:
        most = table.settings.max_candidates
        by_blank = (Counter(candidate.blank for candidate in one.candidates) for one in table.rejections())
        articles = sum(max(counts.values(), default=0) >= most for counts in by_blank)
        if articles:
            yield _limit(table, "max_candidates", articles, after, key="max_candidates")
        if run.questions.exists and run.questions.settings.persons == "last":
            # Each question without a passage has another person, of whom another question might have one.
            meaning = "the question deletes the last person only, and found no passage for this person"
            yield _limit(run.questions, "persons", table.manifest.rejected, after, key="persons", meaning=meaning)
    if table.name == suppress.STAGE.name and run.alternatives.exists:
        most = run.all_alternatives.settings.max_alternatives
        records = map(run.alternatives.find, (rejection.id for rejection in table.rejections()))
        articles = sum(record is not None and len(record.alternatives) >= most for record in records)
        if articles:
            meaning = "the article offers no more alternatives than this, and suppress selected none of them"
            key = "max_alternatives"
            yield _limit(run.all_alternatives, key, articles, table.name, key=key, meaning=meaning)


# ---- what another value would keep -----------------------------------------------------------------------------------


def _less_event_score(counted: _Counted) -> OtherValue | None:
    """Event scores are the last test, so these articles reach the next stage."""
    least = counted.settings.min_event_score
    best = [max(candidate.event or 0.0 for candidate in group) for group in counted.candidates("other-event") if group]
    for step in (0.05, 0.1, 0.2):
        other = round(max(0.0, least - step), 4)
        if articles := sum(score >= other for score in best):
            return OtherValue(value=f"{other:g}", articles=articles, exact=True)
    return None


def _more_of(rule: str, key: str, step: float, *, exact: bool = False) -> Count:
    """A count of articles with a candidate that passes the test of ``rule`` if ``key`` is larger by ``step``.

    The details of these rules begin with the number that is compared with the key.
    """

    def count(counted: _Counted) -> OtherValue:
        other = round(min(1.0, getattr(counted.settings, key) + step), 4)
        articles = sum(
            any(_number(candidate.detail) < other for candidate in group) for group in counted.candidates(rule)
        )
        return OtherValue(value=f"{other:g}", articles=articles, exact=exact)

    return count


def _number(detail: str) -> float:
    """The number at the start of a detail: 0.80 of "0.80: and it's my fault"."""
    try:
        return float(detail.split()[0].rstrip(":"))
    except (IndexError, ValueError):
        return float("inf")


def _tokens(key: str, change: Callable[[int], int]) -> Count:
    """A count of first sentences that are long or short enough with another value; the detail has the number of tokens."""

    def count(counted: _Counted) -> OtherValue:
        other = change(getattr(counted.settings, key))
        lengths = [_number(rejection.detail) for rejection in counted.rejections]
        passing = [length >= other if key.startswith("min") else length <= other for length in lengths]
        return OtherValue(value=str(other), articles=sum(passing), exact=False)

    return count


def _more_choices(counted: _Counted) -> OtherValue:
    other = counted.settings.max_choices + 5
    groups = counted.candidates("too-many-choices")
    articles = sum(any(_number(candidate.detail) <= other for candidate in group) for group in groups)
    return OtherValue(value=str(other), articles=articles, exact=True)


def _higher_threshold(counted: _Counted) -> OtherValue:
    """The rejected questions that share less than a higher threshold with the question that they repeat."""
    other = round(min(1.0, counted.settings.threshold + 0.1), 4)
    records = counted.run.all_alternatives
    articles = 0
    for rejection in counted.rejections:
        later, earlier = records.find(rejection.id), records.find(rejection.detail)
        if later is not None and earlier is not None:
            articles += similarity(words(later.question.sentence), words(earlier.question.sentence)) < other
    return OtherValue(value=f"{other:g}", articles=articles, exact=True)


def _switched_off(value: str) -> Count:
    """Without the rule, every article that it rejected stays."""
    return lambda counted: OtherValue(value=value, articles=len(counted.rejections), exact=True)


_COUNTS: Mapping[tuple[str, str], Count] = {
    (questions.STAGE.name, "sentence-too-short"): _tokens("min_tokens", lambda least: max(1, least - 2)),
    (questions.STAGE.name, "sentence-too-long"): _tokens("max_tokens", lambda most: 2 * most),
    (retrieve.STAGE.name, "other-event"): _less_event_score,
    (retrieve.STAGE.name, "sentence-overlap"): _more_of("sentence-overlap", "max_sentence_overlap", 0.1),
    (retrieve.STAGE.name, "reprint"): _more_of("reprint", "max_reprint", 0.2),
    (retrieve.STAGE.name, "table"): _more_of("table", "max_numeric_ratio", 0.2),
    (choices.STAGE.name, "too-many-choices"): _more_choices,
    (dedup.STAGE.name, "duplicate-question"): _higher_threshold,
    (split.STAGE.name, "within-gap"): _switched_off("0"),
    (split.STAGE.name, "connected-with-held-out"): _switched_off("false"),
    (split.STAGE.name, "in-leaking-group"): _switched_off("false"),
    (export.STAGE.name, "low-event-score"): _switched_off("0"),
}
