"""The audit in Markdown: what stands out first, then the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from wdw_build.core.config.settings import SplitConfig
from wdw_build.views.card.audit_results import Audit, Observed, SplitAudit
from wdw_build.views.card.markdown import bullets, code, plain, table
from wdw_build.views.card.near import GRAM, SHARE
from wdw_build.views.card.overlap import COMPARED, KINDS
from wdw_build.views.card.skew import CUES, PRIOR

# From so many standard deviations on, chance is a poor explanation, even for the most extreme of some forty numbers.
_STRIKING = 3.0
_MOST_MONTHS = 24
_MOST_SOURCES = 20
_CUES = {name: what for name, (what, _) in CUES.items()} | dict([PRIOR])


def _cell(found: Observed | None) -> str:
    return f"{found.observed:g} / {found.expected:g} / {found.deviations:+.1f}" if found else ""


def _position(split: SplitAudit, at: int) -> Observed | None:
    return split.skew.positions[at] if at < len(split.skew.positions) else None


def _by_split(found: Audit, head: str, rows: Mapping[str, Callable[[SplitAudit], str]]) -> str:
    """A table with a column for each split."""
    cells = [[name, *(cell(split) for split in found.splits.values())] for name, cell in rows.items()]
    return table([[head, *found.splits], *cells])


def _counts(found: Audit, head: str, counts: Callable[[SplitAudit], dict[str, int]], most: int = 0) -> str:
    """A table of counts by key and split; ``most``: only so many keys of the most problems, the rest summed up."""
    total: Counter[str] = Counter()
    for split in found.splits.values():
        total.update(counts(split))
    keys = list(total) if not most else sorted(total, key=lambda key: (-total[key], key))
    shown, rest = (keys[:most], keys[most:]) if most else (keys, [])
    rows = [[plain(key), *(f"{counts(split).get(key, 0):,}" for split in found.splits.values())] for key in shown]
    if rest:
        sums = (sum(counts(split).get(key, 0) for key in rest) for split in found.splits.values())
        rows.append([f"{len(rest):,} others", *(f"{number:,}" for number in sums)])
    return table([[head, *found.splits], *rows])


def striking(found: Audit, config: SplitConfig) -> str:
    """What a reader should know first."""
    lines = [*_skewed(found), *_shared(found), *_border(found, config)]
    return bullets(lines) or "Nothing stands out: no skew beyond chance, and nothing that two splits have in common."


def _skewed(found: Audit) -> Iterator[str]:
    for name, split in found.splits.items():
        marks = [(f"the answer at position {at}", one) for at, one in enumerate(split.skew.positions, 1)]
        marks += [(_CUES[cue], one) for cue, one in split.skew.cues.items()]
        for what, one in marks:
            if abs(one.deviations) >= _STRIKING:
                yield (
                    f"In {name}, {what} is right for {one.observed:g} of {split.problems:,} problems; chance gives "
                    f"{one.expected:g} ({one.deviations:+.1f} standard deviations)."
                )


def _shared(found: Audit) -> Iterator[str]:
    """For each two splits how much of the later one the other tells of."""
    for first, second in COMPARED:
        kinds = {one.kind: one for one in found.overlap if (one.first, one.second) == (first, second)}
        if any(one.of_second for one in kinds.values()):
            size = found.splits[second].problems
            shown = next(one.example for one in kinds.values() if one.example)
            counts = (f"{one.of_second:,} `{kind}`" for kind, one in kinds.items() if one.of_second)
            yield (
                f"Of {size:,} problems in {second}, some have a counterpart in {first}: {', '.join(counts)} "
                f"(see [Overlap](#overlap-between-splits)); such as {code(shown[1])}, whose counterpart is {code(shown[0])}."
            )


def _border(found: Audit, config: SplitConfig) -> Iterator[str]:
    last, first = found.border.last_training_day, found.border.first_held_out_day
    if last and first:
        days = (first - last).days
        yield (
            f"The last training question is of {last}, the first held-out one of {first}, {days} day{'s' * (days != 1)} later "
            f"(`split.gap_days`: {config.gap_days}). Training passages of that day or later: "
            f"{found.border.training_passages_beyond:,}; held-out passages of the last training day or earlier: "
            f"{found.border.held_out_passages_before:,}."
        )


def skews(found: Audit) -> str:
    """Positions and cues."""
    most = max((len(split.skew.positions) for split in found.splits.values()), default=0)
    positions = {str(at + 1): (lambda split, at=at: _cell(_position(split, at))) for at in range(most)}
    cues = {what: (lambda split, cue=cue: _cell(split.skew.cues.get(cue))) for cue, what in _CUES.items()}
    return "\n\n".join(
        [
            "Each cell: answers found there / expected by chance / how many standard deviations apart. Choices stand in the "
            "order in which the passage first names them. By chance, a problem with m choices has its answer at each position "
            f"for 1/m. From {_STRIKING:g} standard deviations on, a number is told of above. Strict problems owe some of this to "
            "suppression, which bounds the choice named first and the one named most over all of them.",
            _by_split(found, "answer at position", positions),
            "A cue picks one choice of each problem; if k are tied, it is right for 1/k.",
            _by_split(found, "cue", cues),
        ]
    )


def names(found: Audit) -> str:
    """Names of choices and answers."""
    facts: dict[str, Callable[[SplitAudit], str]] = {
        "distinct choices": lambda split: f"{split.names.distinct_choices:,}",
        "distinct answers": lambda split: f"{split.names.distinct_answers:,}",
        "words in a choice's name": lambda split: f"{split.names.words_per_choice:.2f}",
        "choices of one word": lambda split: f"{split.names.one_word_choices:.1%}",
        "mentions of a choice": lambda split: f"{split.names.mentions_per_choice:.2f}",
        "answers that are an answer in train.relaxed, too": lambda split: f"{split.names.answers_seen:.1%}",
    }
    depth = max((len(split.names.most_common) for split in found.splits.values()), default=0)
    common = {str(at + 1): (lambda split, at=at: _common(split, at)) for at in range(depth)}
    return "\n\n".join(
        [
            _by_split(found, "names", facts),
            "The most common answers:",
            _by_split(found, "rank", common),
        ]
    )


def _common(split: SplitAudit, at: int) -> str:
    if at >= len(split.names.most_common):
        return ""
    one = split.names.most_common[at]
    return f"{plain(one.name)} {one.answers:,} ({one.share:.1%})"


def _years(months: dict[str, int]) -> dict[str, int]:
    years: Counter[str] = Counter()
    for month, count in months.items():
        years[month[:4]] += count
    return dict(years)


def calendar(found: Audit) -> str:
    """Days, sources, windows and numbers of choices."""
    months = {month for split in found.splits.values() for month in split.calendar.months}
    by_year = len(months) > _MOST_MONTHS
    facts: dict[str, Callable[[SplitAudit], str]] = {
        "first question": lambda split: str(split.calendar.first_day or ""),
        "last question": lambda split: str(split.calendar.last_day or ""),
        "question and passage from one source": lambda split: f"{split.calendar.same_source:,}",
    }
    return "\n\n".join(
        [
            _by_split(found, "days", facts),
            _counts(found, "year", lambda split: _years(split.calendar.months))
            if by_year
            else _counts(found, "month", lambda split: split.calendar.months),
            _counts(found, "source of the question", lambda split: split.calendar.question_sources, _MOST_SOURCES),
            _counts(found, "source of the passage", lambda split: split.calendar.passage_sources, _MOST_SOURCES),
            _counts(found, "passage within days", lambda split: split.calendar.windows),
            _counts(found, "choices", lambda split: split.calendar.choices),
        ]
    )


def overlap(found: Audit, config: SplitConfig) -> str:
    """What two splits have in common."""
    by_key = {(one.kind, one.first, one.second): one for one in found.overlap}
    rows = [["in common", *(f"{first} / {second}" for first, second in COMPARED)]]
    for kind, what in KINDS.items():
        pairs = (by_key[kind, *pair] for pair in COMPARED)
        rows.append([f"`{kind}`: {what}", *(f"{one.of_first:,} / {one.of_second:,}" for one in pairs)])
    facts = found.events
    return "\n\n".join(
        [
            "Problems of the one and of the other split that have a counterpart there.",
            table(rows),
            f"Two problems are *connected* if an article of one (its question's or its passage) is an article of the other, or if "
            f"two persons (of the choices or the question, by their last names) stand in both and the passages are at most "
            f"{config.event_days} day{'s' * (config.event_days != 1)} apart (`split.event_days`). An *event* is what hangs "
            f"together so. There are {facts.events:,} events, {facts.of_one_problem:,} of them of one problem; the largest has "
            f"{facts.largest:,}. Passages are nearly the same if they share {SHARE:.0%} of the {GRAM}-grams of the shorter one.",
        ]
    )
