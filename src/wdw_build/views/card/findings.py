"""The audit as Markdown: the striking findings first, then the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from wdw_build.core.config.settings import SplitConfig
from wdw_build.dataset import TEST, VALIDATION
from wdw_build.views.card import systems
from wdw_build.views.card.audit_results import Audit, Observed, SplitAudit
from wdw_build.views.card.leaks import COUNTED
from wdw_build.views.card.leaks import KINDS as LEAKS
from wdw_build.views.card.markdown import bullets, code, plain, table
from wdw_build.views.card.near import GRAM, SHARE
from wdw_build.views.card.overlap import COMPARED, KINDS
from wdw_build.views.card.skew import CUES, PRIOR

# Chance rarely explains a deviation of this size, even for the most extreme of about forty numbers.
_STRIKING = 3.0
_MOST_MONTHS = 24
_MOST_SOURCES = 20
_CUES = {name: what for name, (what, _) in CUES.items()} | dict([PRIOR])


def _cell(observed: Observed | None) -> str:
    return f"{observed.observed:g} / {observed.expected:g} / {observed.deviations:+.1f}" if observed else ""


def _position(split: SplitAudit, at: int) -> Observed | None:
    return split.skew.positions[at] if at < len(split.skew.positions) else None


def _by_split(audit: Audit, head: str, rows: Mapping[str, Callable[[SplitAudit], str]]) -> str:
    """A table with a column for each split."""
    cells = [[name, *(cell(split) for split in audit.splits.values())] for name, cell in rows.items()]
    return table([[head, *audit.splits], *cells])


def _counts(audit: Audit, head: str, counts: Callable[[SplitAudit], dict[str, int]], most: int = 0) -> str:
    """A table of counts by key and split. With ``most``, only the most frequent keys; one more row adds up the others."""
    total: Counter[str] = Counter()
    for split in audit.splits.values():
        total.update(counts(split))
    keys = list(total) if not most else sorted(total, key=lambda key: (-total[key], key))
    shown, rest = (keys[:most], keys[most:]) if most else (keys, [])
    rows = [[plain(key), *(f"{counts(split).get(key, 0):,}" for split in audit.splits.values())] for key in shown]
    if rest:
        sums = (sum(counts(split).get(key, 0) for key in rest) for split in audit.splits.values())
        rows.append([f"{len(rest):,} others", *(f"{number:,}" for number in sums)])
    return table([[head, *audit.splits], *rows])


def striking(audit: Audit, config: SplitConfig) -> str:
    """The findings that a reader should know first."""
    lines = [*systems.warnings(audit.systems), *_skewed(audit), *_shared(audit), *_told(audit), *_border(audit, config)]
    return (
        bullets(lines)
        or "Nothing stands out: no skew beyond chance, no overlap between splits, and no leaks between held-out problems."
    )


def _skewed(audit: Audit) -> Iterator[str]:
    for name, split in audit.splits.items():
        skews = [(f"the answer at position {at}", observed) for at, observed in enumerate(split.skew.positions, 1)]
        skews += [(_CUES[cue], observed) for cue, observed in split.skew.cues.items()]
        for what, observed in skews:
            if abs(observed.deviations) >= _STRIKING:
                yield (
                    f"In {name}, {what} is right for {observed.observed:g} of {split.problems:,} problems; chance gives "
                    f"{observed.expected:g} ({observed.deviations:+.1f} standard deviations)."
                )


def _shared(audit: Audit) -> Iterator[str]:
    """One line for each pair of splits: the problems of the later split that have a counterpart in the other."""
    for first, second in COMPARED:
        overlaps = [shared for shared in audit.overlap if (shared.first, shared.second) == (first, second)]
        if any(shared.of_second for shared in overlaps):
            size = audit.splits[second].problems
            example = next(shared.example for shared in overlaps if shared.example)
            counts = (f"{shared.of_second:,} `{shared.kind}`" for shared in overlaps if shared.of_second)
            yield (
                f"Of {size:,} problems in {second}, some have a counterpart in {first}: {', '.join(counts)} "
                f"(see [Overlap](#overlap-between-splits)); for example {code(example[1])}, whose counterpart is "
                f"{code(example[0])}."
            )


def _told(audit: Audit) -> Iterator[str]:
    """One line for validation and one for test: the problems whose answer another problem tells."""
    for name in (VALIDATION, TEST):
        counts = [count for count in audit.leaks.counts if count.told_in == name and count.problems]
        if counts:
            cells = (f"{count.problems:,} by {count.told_by} (`{count.kind}`)" for count in counts)
            yield (
                f"Of {audit.splits[name].problems:,} problems in {name}, other problems tell the answers of some: "
                f"{', '.join(cells)} (see [Leaks](#leaks-between-problems))."
            )


def _border(audit: Audit, config: SplitConfig) -> Iterator[str]:
    last, first = audit.border.last_training_day, audit.border.first_held_out_day
    if last and first:
        days = (first - last).days
        yield (
            f"The last training question is of {last}, the first held-out one of {first}, {days} day{'s' * (days != 1)} later "
            f"(`split.gap_days`: {config.gap_days}). Training passages of that day or later: "
            f"{audit.border.training_passages_beyond:,}; held-out passages of the last training day or earlier: "
            f"{audit.border.held_out_passages_before:,}."
        )


def skews(audit: Audit) -> str:
    """Tables of answer positions and of cues."""
    most = max((len(split.skew.positions) for split in audit.splits.values()), default=0)
    positions = {str(at + 1): (lambda split, at=at: _cell(_position(split, at))) for at in range(most)}
    cues = {what: (lambda split, cue=cue: _cell(split.skew.cues.get(cue))) for cue, what in _CUES.items()}
    return "\n\n".join(
        [
            "Each cell: answers at this position / expected by chance / difference in standard deviations. Choices are in the "
            "order in which the passage first names them. Chance gives a problem with m choices its answer at each position "
            f"with probability 1/m. What stands out lists deviations of {_STRIKING:g} or more. Part of the skew of strict "
            "problems comes from suppression, which bounds the choice named first and the choice named most over all of them.",
            _by_split(audit, "answer at position", positions),
            "A cue picks one choice of each problem. If k choices are tied, it counts as right with 1/k.",
            _by_split(audit, "cue", cues),
        ]
    )


def names(audit: Audit) -> str:
    """Tables of the names of choices and answers."""
    facts: dict[str, Callable[[SplitAudit], str]] = {
        "distinct choices": lambda split: f"{split.names.distinct_choices:,}",
        "distinct answers": lambda split: f"{split.names.distinct_answers:,}",
        "words in a choice's name": lambda split: f"{split.names.words_per_choice:.2f}",
        "choices of one word": lambda split: f"{split.names.one_word_choices:.1%}",
        "mentions of a choice": lambda split: f"{split.names.mentions_per_choice:.2f}",
        "answers that are also an answer in train.relaxed": lambda split: f"{split.names.answers_seen:.1%}",
    }
    depth = max((len(split.names.most_common) for split in audit.splits.values()), default=0)
    common = {str(at + 1): (lambda split, at=at: _common(split, at)) for at in range(depth)}
    return "\n\n".join(
        [
            _by_split(audit, "names", facts),
            "The most common answers:",
            _by_split(audit, "rank", common),
        ]
    )


def _common(split: SplitAudit, at: int) -> str:
    if at >= len(split.names.most_common):
        return ""
    answer = split.names.most_common[at]
    return f"{plain(answer.name)} {answer.answers:,} ({answer.share:.1%})"


def _years(months: dict[str, int]) -> dict[str, int]:
    years: Counter[str] = Counter()
    for month, count in months.items():
        years[month[:4]] += count
    return dict(years)


def calendar(audit: Audit) -> str:
    """Tables of days, sources, windows and numbers of choices."""
    months = {month for split in audit.splits.values() for month in split.calendar.months}
    by_year = len(months) > _MOST_MONTHS
    facts: dict[str, Callable[[SplitAudit], str]] = {
        "first question": lambda split: str(split.calendar.first_day or ""),
        "last question": lambda split: str(split.calendar.last_day or ""),
        "question and passage from one source": lambda split: f"{split.calendar.same_source:,}",
    }
    return "\n\n".join(
        [
            _by_split(audit, "days", facts),
            _counts(audit, "year", lambda split: _years(split.calendar.months))
            if by_year
            else _counts(audit, "month", lambda split: split.calendar.months),
            _counts(audit, "source of the question", lambda split: split.calendar.question_sources, _MOST_SOURCES),
            _counts(audit, "source of the passage", lambda split: split.calendar.passage_sources, _MOST_SOURCES),
            _counts(audit, "passage within days", lambda split: split.calendar.windows),
            _counts(audit, "choices", lambda split: split.calendar.choices),
        ]
    )


def overlap(audit: Audit, config: SplitConfig) -> str:
    """Tables of the overlap between splits."""
    by_key = {(shared.kind, shared.first, shared.second): shared for shared in audit.overlap}
    rows = [["in common", *(f"{first} / {second}" for first, second in COMPARED)]]
    for kind, what in KINDS.items():
        pairs = (by_key[kind, *pair] for pair in COMPARED)
        rows.append([f"`{kind}`: {what}", *(f"{shared.of_first:,} / {shared.of_second:,}" for shared in pairs)])
    facts = audit.events
    return "\n\n".join(
        [
            "Each cell: problems of the first split / of the second split that have a counterpart in the other.",
            table(rows),
            "Two problems are *connected* if they share an article (the question's or the passage), or if they share two "
            "persons (of the choices or the question, by last name) and their passages are at most "
            f"{config.event_days} day{'s' * (config.event_days != 1)} apart (`split.event_days`). An *event* is a connected "
            f"component of problems. There are {facts.events:,} events, {facts.of_one_problem:,} of them with one problem; "
            f"the largest has {facts.largest:,}. Two passages are near-duplicates if they share {SHARE:.0%} of the "
            f"{GRAM}-grams of the shorter one.",
        ]
    )


def leaks(audit: Audit, config: SplitConfig) -> str:
    """A table of the leaks, with examples."""
    told = {(count.kind, count.told_in, count.told_by): count.problems for count in audit.leaks.counts}
    for shared in audit.overlap:
        if shared.kind == "passage":
            told["shared-passage", shared.first, shared.second] = shared.of_first
            told["shared-passage", shared.second, shared.first] = shared.of_second
    rows = [["told", "in", *(f"by {split}" for split in COUNTED)]]
    rows += [
        [f"`{kind}`", told_in, *(f"{told[kind, told_in, split]:,}" for split in COUNTED)]
        for kind in LEAKS
        for told_in in COUNTED
    ]
    return "\n\n".join(
        [
            "A problem leaks if another problem of the dataset tells its answer. Each cell: problems of the split in the row "
            "that a problem of the split in the column tells.",
            table(rows, words=2),
            bullets(f"`{kind}`: {what}" for kind, what in LEAKS.items()),
            *_leak_examples(audit),
            "Two questions are about the same event if they share a further person and two content words, and are dated at most "
            f"{config.event_days} day{'s' * (config.event_days != 1)} apart (`split.event_days`). Of validation and test, "
            f"`split.one_per_group` {'leaves' if config.one_per_group else 'would leave'} out "
            f"{audit.leaks.beyond_one_per_group:,} {'more ' * config.one_per_group}problems.",
        ]
    )


def _leak_examples(audit: Audit) -> Iterator[str]:
    """A list of pairs of ids, if there are any."""
    lines = [
        f"`{count.kind}`, {count.told_in} by {count.told_by}: "
        + ", ".join(f"{code(told)} by {code(teller)}" for told, teller in count.examples)
        for count in audit.leaks.counts
        if count.examples
    ]
    if lines:
        yield "Examples, by id:"
        yield bullets(lines)
