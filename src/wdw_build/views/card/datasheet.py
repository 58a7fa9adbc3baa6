"""DATASHEET.md: how the dataset was made, its contents, the audit, and its intended and unintended uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from wdw_build import __version__
from wdw_build.annotation.score.records import ANY_FAULT
from wdw_build.bench.results import BenchResults, StoredResults
from wdw_build.core.config.settings import Config, Section
from wdw_build.core.hashing import hash_file
from wdw_build.dataset import TEST, VALIDATION, Run
from wdw_build.views import bench_tables, summary_tables
from wdw_build.views import people as human
from wdw_build.views.card.audit_results import Audit, LeakCount, Observed, Overlap, SplitAudit
from wdw_build.views.card.leaks import COUNTED
from wdw_build.views.card.leaks import KINDS as LEAKS
from wdw_build.views.card.overlap import COMPARED, GRAM, SHARE
from wdw_build.views.card.overlap import KINDS as OVERLAPS
from wdw_build.views.card.skew import CUES, PRIOR
from wdw_build.views.markdown import Markdown, code, environment
from wdw_build.views.summary import Summary
from wdw_build.views.table import Cell, Row, Table

_TEMPLATES = Path(__file__).parent / "templates"
_STEPS = {
    "with_candidate": "with a candidate passage",
    "after_dedup": "after removing near-duplicates and problems over a cap",
    "splits": "in the split",
}
_TABLE2 = ("accuracy", "before suppression", "strict", "relaxed")
_SHOWN_DIGITS = 16
# Chance rarely explains a deviation of this size, even for the most extreme of about forty numbers.
_STRIKING = 3.0
_MOST_MONTHS = 24
_MOST_SOURCES = 20
_CUES = {name: what for name, (what, _) in CUES.items()} | dict([PRIOR])


def datasheet(audit: Audit, summary: Summary, config: Config, run: Run) -> str:
    """The whole datasheet, in Markdown."""
    last, first = audit.border.last_training_day, audit.border.first_held_out_day
    days = [(split.calendar.first_day, split.calendar.last_day) for split in audit.splits.values()]
    return (
        environment(_TEMPLATES)
        .get_template("datasheet.md.j2")
        .render(
            audit=audit,
            splits=audit.splits,
            border=audit.border,
            events=audit.events,
            summary=summary,
            config=config,
            release=config.release,
            days=[day for pair in days for day in pair if day],
            gap=(first - last).days if first and last else None,
            **_origin(config, run),
            **_counts(summary),
            **_systems(audit.systems, audit.people),
            people=human.lines(audit.people),
            judged=_judged(audit.people),
            striking=_STRIKING,
            skewed=list(_skewed(audit)),
            shared=list(_shared(audit)),
            told=list(_told(audit)),
            **_skews(audit),
            **_leaks(audit),
            names=_names(audit),
            calendar=_calendar(audit),
            overlap=_overlap(audit),
            share=SHARE,
            gram=GRAM,
        )
    )


# ---- how the dataset was made ----------------------------------------------------------------------------------------


def _origin(config: Config, run: Run) -> dict[str, Any]:
    """Version, backends, stages, configuration and exported files; without the folders of this machine."""
    public = msgspec.structs.replace(
        config,
        corpus=msgspec.structs.replace(config.corpus, path=Path(config.corpus.path).name),
        nlp=msgspec.structs.replace(config.nlp, models=Path(config.nlp.models).name),
    )
    settings = msgspec.to_builtins(public)
    for key in ("output_dir", "bench", "execution", "release"):
        del settings[key]
    made = {name: output.manifest for name, output in run.outputs.items()}
    backends = {port: identity for each in made.values() for port, identity in each.ingredients.backends.items()}
    stages: list[Row] = [
        (
            name,
            each.ingredients.version,
            Cell(each.content[:_SHOWN_DIGITS], "code"),
            each.read,
            each.written,
            each.rejected,
        )
        for name, each in made.items()
    ]
    folder = run.exported.output.folder
    files: list[Row] = [
        (path.relative_to(folder).as_posix(), path.stat().st_size, Cell(hash_file(path), "code"))
        for path in sorted(folder.glob("*/**/*"))
        if path.is_file()
    ]
    return {
        "version": __version__,
        "backends": [(port.replace("_", " "), identity) for port, identity in sorted(backends.items())],
        "stages": Table(("stage", "version", "output", "read", "written", "rejected"), stages),
        "changed": list(_changed(public)),
        "configuration": yaml.safe_dump(settings, sort_keys=False, allow_unicode=True),
        "files": Table(("file", "bytes", "SHA-256"), files),
    }


def _changed(config: Config) -> Iterator[tuple[str, str, str]]:
    """(key, value, default) of each key that differs from its default."""
    for name in config.__struct_fields__:
        section = getattr(config, name)
        if not isinstance(section, Section) or name in {"corpus", "bench", "execution", "release"}:
            continue
        default = type(section)()
        for key in section.__struct_fields__:
            if (value := getattr(section, key)) != getattr(default, key):
                yield f"{name}.{key}", _inline_yaml(value), _inline_yaml(getattr(default, key))


def _inline_yaml(value: object) -> str:
    plain_value = msgspec.to_builtins(value)
    text = yaml.safe_dump(plain_value, default_flow_style=True, width=10_000, allow_unicode=True)
    return text.removesuffix("...\n").strip()


def _counts(summary: Summary) -> dict[str, Table]:
    scores = [
        (f"from {band} to {float(band) + 0.1:.1f}", count, total)
        for band, count, total in summary_tables.event_scores(summary)
    ]
    return {
        "funnel": summary_tables.funnel(summary, _STEPS),
        "rejections": summary_tables.losses(("stage", "rejected because", "inputs"), summary.rejections),
        "refused": summary_tables.losses(
            ("stage", "candidate passages refused because", "candidates"), summary.refused
        ),
        "table2": summary_tables.table2(_TABLE2, summary.table2),
        "table3": summary_tables.table3(summary),
        "event_scores": Table(("event score of the passage", "problems", "with this score or more"), scores),
    }


# ---- systems and people ----------------------------------------------------------------------------------------------


def _systems(stored: StoredResults, people: Sequence[human.PeopleResult]) -> dict[str, Any]:
    """The tables of ``bench`` with their notes; warnings are of systems alone."""
    if stored.table is None:
        return bench_tables.chapter(stored, None) | {"warnings": []}
    warned = bench_tables.warnings(stored.table)
    if stored.table.conditions is not None:
        warned += bench_tables.condition_warnings(stored.table.conditions)
    chapter = bench_tables.chapter(stored, human.joined(stored.table, people))
    return chapter | {"widest": _widest(stored.table), "warnings": warned}


def _widest(results: BenchResults) -> dict[str, str] | None:
    """The system with the widest interval on test; None without accuracies on test."""
    tested = [
        (row.test.interval.high - row.test.interval.low, row.name, row.test) for row in results.systems if row.test
    ]
    if not tested:
        return None
    width, name, test = max(tested, key=lambda each: each[0])
    return {"width": bench_tables.number(width), "name": name, "interval": bench_tables.interval(test)}


def _judged(people: Sequence[human.PeopleResult]) -> Table:
    """Faults and disagreements of each sheet whose problems are those of the run."""
    rows: list[Row] = []
    for result in people:
        if not result.changed:
            faults = ", ".join(f"{label} {count:,}" for label, count in result.faults.items() if label != ANY_FAULT)
            rows.append((result.sheet, result.faults.get(ANY_FAULT, 0), faults or "none", result.disagreements))
    return Table(("sheet", "problems with a fault", "faults", "disagreements"), rows, words=4)


# ---- what stands out -------------------------------------------------------------------------------------------------


def _skewed(audit: Audit) -> Iterator[tuple[str, str, Observed]]:
    """(split, cue, how often it is right) of each skew that is beyond chance."""
    for name, split in audit.splits.items():
        skews = [(f"the answer at position {at}", observed) for at, observed in enumerate(split.skew.positions, 1)]
        skews += [(_CUES[cue], observed) for cue, observed in split.skew.cues.items()]
        yield from ((name, what, observed) for what, observed in skews if abs(observed.deviations) >= _STRIKING)


def _shared(audit: Audit) -> Iterator[tuple[str, str, list[Overlap], tuple[str, ...]]]:
    """(first, second, overlaps, an example) of each pair of splits in which problems of the second have a counterpart."""
    for pair in COMPARED:
        found = [shared for shared in audit.overlap if (shared.first, shared.second) == pair and shared.of_second]
        if found:
            yield *pair, found, next(shared.example for shared in found if shared.example)


def _told(audit: Audit) -> Iterator[tuple[str, list[LeakCount]]]:
    """(split, leaks) of validation and of test, if other problems tell answers of the split."""
    for name in (VALIDATION, TEST):
        found = [count for count in audit.leaks.counts if count.told_in == name and count.problems]
        if found:
            yield name, found


# ---- the audit -------------------------------------------------------------------------------------------------------


def _by_split(audit: Audit, head: str, rows: Mapping[str, Callable[[SplitAudit], str | int]]) -> Table:
    """A table with a column for each split."""
    cells = [(name, *(cell(split) for split in audit.splits.values())) for name, cell in rows.items()]
    return Table((head, *audit.splits), cells)


def _by_key(audit: Audit, head: str, counts: Callable[[SplitAudit], Mapping[str, int]], most: int = 0) -> Table:
    """A table of counts by key and split. With ``most``, only the most frequent keys; one more row adds up the others."""
    total: Counter[str] = Counter()
    for split in audit.splits.values():
        total.update(counts(split))
    keys = list(total) if not most else sorted(total, key=lambda key: (-total[key], key))
    shown, rest = (keys[:most], keys[most:]) if most else (keys, [])
    rows = {key: [key] for key in shown} | ({f"{len(rest):,} others": rest} if rest else {})
    cells: list[Row] = [
        (name, *(sum(counts(split).get(key, 0) for key in of_row) for split in audit.splits.values()))
        for name, of_row in rows.items()
    ]
    return Table((head, *audit.splits), cells)


def _skews(audit: Audit) -> dict[str, Table]:
    """Tables of answer positions and of cues."""

    def cell(observed: Observed | None) -> str:
        return f"{observed.observed:g} / {observed.expected:g} / {observed.deviations:+.1f}" if observed else ""

    most = max((len(split.skew.positions) for split in audit.splits.values()), default=0)
    positions = {str(at + 1): (lambda split, at=at: cell(_at(split.skew.positions, at))) for at in range(most)}
    cues = {what: (lambda split, cue=cue: cell(split.skew.cues.get(cue))) for cue, what in _CUES.items()}
    common = max((len(split.names.most_common) for split in audit.splits.values()), default=0)
    ranks = {str(at + 1): (lambda split, at=at: _common(split, at)) for at in range(common)}
    return {
        "positions": _by_split(audit, "answer at position", positions),
        "cues": _by_split(audit, "cue", cues),
        "common": _by_split(audit, "rank", ranks),
    }


def _at(values: Sequence[Any], at: int) -> Any:
    return values[at] if at < len(values) else None


def _common(split: SplitAudit, at: int) -> str:
    answer = _at(split.names.most_common, at)
    return f"{answer.name} {answer.answers:,} ({answer.share:.1%})" if answer else ""


def _names(audit: Audit) -> Table:
    """The names of choices and answers."""
    return _by_split(
        audit,
        "names",
        {
            "distinct choices": lambda split: split.names.distinct_choices,
            "distinct answers": lambda split: split.names.distinct_answers,
            "words in a choice's name": lambda split: f"{split.names.words_per_choice:.2f}",
            "choices of one word": lambda split: f"{split.names.one_word_choices:.1%}",
            "mentions of a choice": lambda split: f"{split.names.mentions_per_choice:.2f}",
            "answers that are also an answer in train.relaxed": lambda split: f"{split.names.answers_seen:.1%}",
        },
    )


def _years(months: Mapping[str, int]) -> dict[str, int]:
    years: Counter[str] = Counter()
    for month, count in months.items():
        years[month[:4]] += count
    return dict(years)


def _calendar(audit: Audit) -> list[Table]:
    """Tables of days, sources, windows and numbers of choices."""
    months = {month for split in audit.splits.values() for month in split.calendar.months}
    by_year = _by_key(audit, "year", lambda split: _years(split.calendar.months))
    by_month = _by_key(audit, "month", lambda split: split.calendar.months)
    days: dict[str, Callable[[SplitAudit], str | int]] = {
        "first question": lambda split: str(split.calendar.first_day or ""),
        "last question": lambda split: str(split.calendar.last_day or ""),
        "question and passage from one source": lambda split: split.calendar.same_source,
    }
    return [
        _by_split(audit, "days", days),
        by_year if len(months) > _MOST_MONTHS else by_month,
        _by_key(audit, "source of the question", lambda split: split.calendar.question_sources, _MOST_SOURCES),
        _by_key(audit, "source of the passage", lambda split: split.calendar.passage_sources, _MOST_SOURCES),
        _by_key(audit, "passage within days", lambda split: split.calendar.windows),
        _by_key(audit, "choices", lambda split: split.calendar.choices),
    ]


def _overlap(audit: Audit) -> Table:
    """The overlap between splits: problems of the first and of the second with a counterpart in the other."""
    by_key = {(shared.kind, shared.first, shared.second): shared for shared in audit.overlap}
    rows: list[Row] = []
    for kind, what in OVERLAPS.items():
        pairs = (by_key[kind, *pair] for pair in COMPARED)
        label = Markdown(f"{code(kind)}: {what}")
        rows.append((label, *(f"{shared.of_first:,} / {shared.of_second:,}" for shared in pairs)))
    return Table(("in common", *(f"{first} / {second}" for first, second in COMPARED)), rows)


def _leaks(audit: Audit) -> dict[str, Any]:
    """The leaks by relation and pair of splits, with examples."""
    told = {(count.kind, count.told_in, count.told_by): count.problems for count in audit.leaks.counts}
    for shared in audit.overlap:
        if shared.kind == "passage":
            told["shared-passage", shared.first, shared.second] = shared.of_first
            told["shared-passage", shared.second, shared.first] = shared.of_second
    rows: list[Row] = [
        (Cell(kind, "code"), told_in, *(told[kind, told_in, split] for split in COUNTED))
        for kind in LEAKS
        for told_in in COUNTED
    ]
    return {
        "leaks": Table(("told", "in", *(f"by {split}" for split in COUNTED)), rows, words=2),
        "leak_kinds": LEAKS,
        "leak_examples": [count for count in audit.leaks.counts if count.examples],
    }
