"""The facts of a run as tables, which the terminal summary, the report and the datasheet show."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from wdw_build.records import TraitShare
from wdw_build.selection.training_alternatives import OMITTED
from wdw_build.views.dataset import (
    SCORES,
    TEST,
    TRAIN,
    TRAIN_RELAXED,
    VALIDATION,
    WHOLE_NUMBERS,
    Facts,
    most_frequent_first,
)
from wdw_build.views.dataset.run_facts import BeforeAfter
from wdw_build.views.dataset.yield_limits import MOST, Looser
from wdw_build.views.table import Cell, Row, Table, in_bands

# The dataset in parts that do not overlap.
PARTS = (TRAIN_RELAXED, VALIDATION, TEST)
STRICT = (TRAIN, VALIDATION, TEST)
_MOST_ROWS = 20
# From this ratio of shares on, the summary warns: what the dataset measures then depends on a few kinds of problems.
_ENRICHED = 1.5
# Above this share of all answers, the summary warns: a system that always gives this answer would score as high.
_COMMON_ANSWER = 0.2


def funnel_steps(facts: Facts) -> list[tuple[str, int]]:
    """(step in words with its level or split, records left) of each step."""
    steps = []
    for step, counts in facts.funnel.items():
        name = step.replace("_", " ")
        by_part = {"": counts} if isinstance(counts, int) else counts
        steps += [(f"{name}, {part}" if part else name, count) for part, count in by_part.items()]
    return steps


def funnel(facts: Facts) -> Table:
    """Records left after each step, and how many fewer these are than before it."""
    steps = funnel_steps(facts)
    rows: list[Row] = [(*steps[0], "")]
    for (_, before), (step, count) in itertools.pairwise(steps):
        of = facts.suppression.problems if step.startswith("after suppression") else before
        rows.append((step, count, "" if step.startswith("splits") else f"{of - count:,}"))
    return Table(("funnel", "records", "fewer"), rows)


def rejections(facts: Facts) -> Table:
    """What each stage rejected, by reason."""
    return _losses(("rejected by", "reason", "inputs"), facts.rejections)


def kinds(facts: Facts) -> Table:
    """The kinds of articles, if there are several: the number and share of each, and an example."""
    rows: list[Row] = [
        (kind, figures.articles, f"{figures.share:.1%}", figures.example)
        for kind, figures in facts.kinds.items()
        if len(facts.kinds) > 1
    ]
    return Table(("kind of article", "articles", "share", "such as"), rows)


def removed(facts: Facts) -> Table:
    """What was removed from texts: the articles with such parts, the first part, and the most frequent one."""
    rows: list[Row] = [
        (kind, figures.articles, figures.example, figures.most_frequent) for kind, figures in facts.removed.items()
    ]
    return Table(("removed from texts", "articles", "such as", "most often"), rows)


def wires(facts: Facts) -> Table:
    """The sources that lose only datelines and credits, the largest first."""
    return Table(("read as a wire", "articles"), list(most_frequent_first(facts.wires)[:_MOST_ROWS]))


def faulty(facts: Facts) -> Table:
    """What was wrong with the problems that people or models found faulty, the most frequent first."""
    rows = most_frequent_first(facts.faulty)[:_MOST_ROWS]
    return Table(("left out as faulty because of", "articles"), rows)


def bounds_off(facts: Facts) -> Table:
    """The bounds that do not hold without the omitted problems, and how far they are off."""
    rows: list[Row] = [
        (bound.name, bound.level, bound.problems, bound.count, bound.allowed, f"{bound.excess:+.2f}")
        for bound in facts.bounds_without_omitted
        if bound.excess
    ]
    head = ("bound off without omitted problems", "level", "problems", "count", "allowed", "off by")
    return Table(head, rows, words=2)


def omitted(facts: Facts) -> str:
    """How many problems were left out after the selection, and how many bounds are off because of it; empty if none was."""
    count = facts.rejections.get("split", {}).get(OMITTED, 0)
    if not count:
        return ""
    every = len(facts.bounds_without_omitted)
    off = sum(bool(bound.excess) for bound in facts.bounds_without_omitted)
    largest = max((abs(bound.excess) for bound in facts.bounds_without_omitted), default=0.0)
    by = f", by at most {largest:.2f} problems" if off else ""
    return (
        f"{count:,} selected problem{'s were' if count > 1 else ' was'} left out afterwards (corpus.omitted_problems): "
        f"{off} of {every} bounds and caps are off{by}."
    )


def refused(facts: Facts) -> Table:
    """The candidate passages that each stage refused, by rule."""
    return _losses(("refused by", "rule", "candidate passages"), facts.refused)


def _losses(head: Sequence[str], counts: Mapping[str, Mapping[str, int]]) -> Table:
    rows = [(stage, why, count) for stage, by in counts.items() for why, count in most_frequent_first(by)]
    return Table(head, rows, words=2)


def accuracies(facts: Facts) -> Table:
    """Table 2: accuracies before suppression and on strict and relaxed problems.

    Each adversary has two rows: its own, and chance on the same problems.
    """
    head = ("Table 2: accuracy", "before", "strict", "relaxed")
    return Table(head, [(name, *(f"{value:.3f}" for value in levels(row))) for name, row in predictors(facts)])


def predictors(facts: Facts) -> list[tuple[str, BeforeAfter]]:
    """(name, accuracies) of chance, the baselines and the adversaries."""
    rows = [("chance", facts.table2.chance), *facts.table2.baselines.items()]
    for name, row in facts.table2.adversaries.items():
        rows += [(f"{name}, bounded", row.accuracy), (f"{name}, bounded: chance", row.chance)]
    return rows


def levels(row: BeforeAfter) -> tuple[float, float, float]:
    """Accuracies before suppression, on strict and on relaxed problems."""
    return row.before, row.after.strict, row.after.relaxed


def splits(facts: Facts) -> Table:
    """Table 3: the sizes of the splits."""
    tokens = ("passage tokens", "min", "5 %", "median", "95 %", "max")
    head = ("Table 3: split", "problems", "choices", *tokens, "vocabulary", "first day", "last day")
    rows: list[Row] = [
        (
            name,
            row.problems,
            f"{row.average_choices:.2f}",
            f"{row.average_passage_tokens:.1f}",
            row.min_passage_tokens,
            row.low_passage_tokens,
            row.median_passage_tokens,
            row.high_passage_tokens,
            row.max_passage_tokens,
            row.vocabulary,
            *(str(day or "-") for day in (row.first_day, row.last_day)),
        )
        for name, row in facts.table3.items()
    ]
    return Table(head, rows)


Values = Mapping[str, Mapping[str, int]]


def values(facts: Facts, name: str) -> Values:
    """Value of a property -> split -> problems: whole numbers in bands; of bands and scores also those without problems."""
    by_value = facts.distributions.get(name, {})
    if name in WHOLE_NUMBERS:
        return in_bands({int(value): by_split for value, by_split in by_value.items()})
    if name in SCORES and by_value:
        low, high = (round(10 * float(value)) for value in (min(by_value), max(by_value)))
        return {value: by_value.get(value, {}) for value in (str(tenth / 10) for tenth in range(low, high + 1))}
    return by_value


def totals(by_value: Values, parts: Sequence[str] = PARTS) -> dict[str, int]:
    """Value of a property -> problems of these parts of the dataset."""
    return {value: sum(by_split.get(part, 0) for part in parts) for value, by_split in by_value.items()}


def distribution(facts: Facts, name: str) -> Table:
    """The values of a property by split. Of many months, the years; of many sources, the most frequent ones."""
    by_value, rest = values(facts, name), []
    if name == "month" and len(by_value) > _MOST_ROWS:
        by_value = _by_year(by_value)
    elif name not in (*WHOLE_NUMBERS, *SCORES) and len(by_value) > _MOST_ROWS:
        frequent = [value for value, _ in most_frequent_first(totals(by_value))]
        rest = [by_value[value] for value in frequent[_MOST_ROWS:]]
        by_value = {value: by_value[value] for value in frequent[:_MOST_ROWS]}
    rows: list[Row] = [(value or "(none)", *_by_split(facts, [by_split])) for value, by_split in by_value.items()]
    if rest:
        rows.append((f"{len(rest):,} others", *_by_split(facts, rest)))
    return Table((name, *facts.table3), rows)


def _by_year(months: Values) -> Values:
    years: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for month, by_split in months.items():
        years[month[:4]].update(by_split)
    return years


def _by_split(facts: Facts, counts: Sequence[Mapping[str, int]]) -> Iterator[int]:
    """The sum of the counts for each split."""
    return (sum(by_split.get(split, 0) for by_split in counts) for split in facts.table3)


def scores(facts: Facts, name: str) -> Table:
    """Problems of the dataset by event or evidence score, from the highest band down, with their running total."""
    rows, total = [], 0
    for band, count in reversed(totals(values(facts, name)).items()):
        total += count
        rows.append((f"from {band}", count, total))
    return Table((name, "problems", "this or higher"), rows)


def limits(facts: Facts) -> Table:
    """The most costly rules before suppression, with the looser values of keys that were tried and help."""
    costly = facts.yield_limits.rules[:MOST]
    rows = [(limit.stage, limit.rule, _remedy(limit.looser), limit.articles, _passed(limit.looser)) for limit in costly]
    return Table(("yield limited by", "rule", "key that helps", "articles", "pass with it"), rows, words=3)


def _remedy(looser: Looser | None) -> str:
    return f"{looser.key} {looser.looser} instead of {looser.value}" if looser else ""


def _passed(looser: Looser | None) -> str:
    return f"{looser.passed} of {looser.tried} tried" if looser else ""


def limit_examples(facts: Facts) -> list[str]:
    """A line for each rule with a key that helps: the sentence of an article that passes with it."""
    helped = [(limit.rule, limit.looser) for limit in facts.yield_limits.rules if limit.looser]
    return [f"{rule}, passes with {looser.key} {looser.looser}: {looser.example}" for rule, looser in helped]


def suppression(facts: Facts) -> list[str]:
    """What suppression kept, as a sentence, and a line for each key whose other value would keep more problems."""
    outcome = facts.suppression
    unbounded = next((cost.other_kept for cost in outcome.costs if cost.is_all_bounds), None)
    without = "" if unbounded is None else f"; without any bound, it would keep about {unbounded:,}"
    lost = f"{outcome.problems - outcome.strict:,} fewer"
    first = f"Suppression kept {outcome.strict:,} of {outcome.problems:,} problems as strict, {lost}{without}."
    return [first, *(str(cost) for cost in outcome.costs if not cost.is_all_bounds)]


def _changed_shares(facts: Facts) -> list[TraitShare]:
    """The traits whose share among the strict problems differs from that before suppression, the most preferred first."""
    changed = (share for share in facts.suppression.traits if share.differs)
    return sorted(changed, key=lambda share: -(share.ratio or 0.0))


def traits(facts: Facts) -> Table:
    """The traits whose share among the strict problems differs from that before suppression, the most preferred first."""
    outcome = facts.suppression
    rows: list[Row] = [
        (
            share.trait,
            share.value or "(none)",
            f"{share.problems / outcome.problems:.1%}",
            f"{share.strict / outcome.strict:.1%}",
            f"{share.ratio:.2f}",
            f"{share.low:.2f} to {share.high:.2f}",
        )
        for share in _changed_shares(facts)
    ]
    head = ("suppression changes the share of", "value", "before", "strict", "times", "interval")
    return Table(head, rows, words=2)


def enriched(facts: Facts) -> str:
    """Names the traits whose share suppression raises a lot, as a part of a sentence; empty if there is none."""
    strong = [share for share in _changed_shares(facts) if (share.ratio or 0.0) >= _ENRICHED]
    named = ", ".join(f"{share.trait} {share.value or '(none)'} ({share.ratio:.1f})" for share in strong)
    ratio = f"at least {_ENRICHED:g} times as frequent among the strict problems as before suppression"
    return f"{ratio}: {named}" if named else ""


def _end(name: str) -> str:
    """The last 40 characters of an id: the addresses of a source begin the same."""
    return name if len(name) <= 40 else f"…{name[-39:]}"


def overlap(facts: Facts) -> Table:
    """What validation and test problems have in common with other problems of the dataset."""
    rows = [
        (entry.split, entry.kind, entry.other, entry.problems, " and ".join(map(_end, entry.example)))
        for entry in facts.overlap
        if entry.split in (VALIDATION, TEST)
    ]
    return Table(("overlap of", "kind", "with problems of", "problems", "example"), rows, words=3)


def stages(facts: Facts) -> Table:
    """The stages with the cost of their last runs."""
    rows: list[Row] = [
        (name, f"{cost.seconds:.1f}", f"{cost.cpu_seconds:.1f}", cost.peak_mb, cost.workers)
        for name, cost in facts.stages.items()
    ]
    return Table(("stage", "seconds", "CPU s", "peak MB", "workers"), rows)


def outputs(facts: Facts) -> Table:
    """The stages with their versions and outputs."""
    rows: list[Row] = [
        (name, output.version, Cell(output.sha256[:16], "code"), output.read, output.written, output.rejected)
        for name, output in facts.outputs.items()
    ]
    return Table(("stage", "version", "output", "read", "written", "rejected"), rows)


def backends(facts: Facts) -> Table:
    """The models and libraries behind the ports."""
    rows = [(port.replace("_", " "), Cell(identity, "code")) for port, identity in facts.backends.items()]
    return Table(("port", "model or library"), rows, words=2)


def files(facts: Facts) -> Table:
    """The exported files."""
    rows = [(name, file.bytes, Cell(file.sha256, "code")) for name, file in facts.files.items()]
    return Table(("file", "bytes", "SHA-256"), rows)


def machine(facts: Facts) -> str:
    """Devices and processor of the last runs, in a sentence; a warning if some models ran on a GPU and others on the CPU."""
    devices = sorted({device for output in facts.outputs.values() for device in output.devices})
    processors = sorted({", ".join(cost.processor) for cost in facts.stages.values() if cost.processor})
    text = f"Models ran on {' and '.join(devices) or 'no device'}; processor: {'; '.join(processors) or 'unknown'}."
    if len(devices) > 1:
        text += " WARNING: a mixed run: where two labels score almost equally, the chosen label depends on the device."
    return text


def answers(facts: Facts) -> str:
    """How varied the names are, in a sentence."""
    name, share = facts.most_common_answer
    warning = " WARNING: more than a fifth of all answers." if share > _COMMON_ANSWER else ""
    return (
        f"{facts.distinct_choices:,} different choices, {facts.distinct_answers:,} different answers; the most common "
        f"answer is {name} ({share:.1%}).{warning}"
    )
