"""DATASHEET.md: how the dataset was made, its contents, the audit, and its intended and unintended uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import yaml

from wdw_bench import rendering as bench_tables
from wdw_bench.results import StoredResults
from wdw_build import __version__
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config, SplitConfig
from wdw_build.core.config_file import decode_config
from wdw_build.core.hashing import hash_file
from wdw_build.dataset import TEST, VALIDATION, Run
from wdw_build.stages.split import STAGE as SPLIT
from wdw_build.views import people as human
from wdw_build.views import summary_tables
from wdw_build.views.card.audit_results import Audit, LeakCount, NameFacts, Observed, Overlap, SplitAudit
from wdw_build.views.card.overlap import COMPARED, COUNTED, GRAM, LEAKS, OVERLAPS, SHARE
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
            summary=summary,
            config=config,
            days=[day for pair in days for day in pair if day],
            gap=(first - last).days if first and last else None,
            **_origin(config, run),
            **_counts(summary),
            **_systems(audit.systems, audit.people),
            people=list(map(human.line, audit.people)),
            judged=human.judged(audit.people),
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
        corpus=msgspec.structs.replace(
            config.corpus,
            path=Path(config.corpus.path).name,
            faulty_problems=tuple(Path(path).name for path in config.corpus.faulty_problems),
        ),
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
            Cell(each.content_hash[:_SHOWN_DIGITS], "code"),
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
    """(key, value, default) of each key with another value than it has without being set, under the preset of the run."""
    # Only the preset and ``split`` are set, on which the defaults of other keys depend.
    keys = {"run": config.run, "output_dir": "", "preset": config.preset, "corpus": config.corpus}
    unset = decode_config(msgspec.to_builtins(keys | {SPLIT.name: config.split}), Path(), Path())
    if config.preset != "careful":
        yield "preset", _inline_yaml(config.preset), "careful"
    for name in config.__struct_fields__:
        section = getattr(config, name)
        if not isinstance(section, Section) or name in {"corpus", "bench", "execution", "release"}:
            continue
        default = SplitConfig() if isinstance(section, SplitConfig) else getattr(unset, name)
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
    return chapter | {"widest": bench_tables.widest(stored.table), "warnings": warned}


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


def _by_split(
    audit: Audit, head: str, labels: Sequence[str], cells: Callable[[SplitAudit], Iterable[str | int]]
) -> Table:
    """A table with a row for each label and a column for each split; cells that a split lacks at the end are empty."""
    columns = (cells(split) for split in audit.splits.values())
    return Table((head, *audit.splits), list(zip_longest(labels, *columns, fillvalue="")))


def _by_key(audit: Audit, head: str, counts: Callable[[SplitAudit], Mapping[str, int]], most: int = 0) -> Table:
    """A table of counts by key and split. With ``most``, only the most frequent keys; one more row adds up the others."""
    total: Counter[str] = Counter()
    for split in audit.splits.values():
        total.update(counts(split))
    keys = list(total) if not most else sorted(total, key=lambda key: (-total[key], key))
    shown, rest = (keys[:most], keys[most:]) if most else (keys, [])
    rows = [[key] for key in shown] + ([rest] if rest else [])
    labels = [*shown, *([f"{len(rest):,} others"] if rest else [])]
    return _by_split(audit, head, labels, lambda split: (sum(counts(split).get(key, 0) for key in row) for row in rows))


def _skews(audit: Audit) -> dict[str, Table]:
    """Tables of answer positions, of cues, and of the most common answers."""

    def ranks(values: Callable[[SplitAudit], Sequence[object]]) -> list[str]:
        return [str(at + 1) for at in range(max(len(values(split)) for split in audit.splits.values()))]

    def common(split: SplitAudit) -> Iterator[str]:
        return (f"{each.name} {each.answers:,} ({each.share:.1%})" for each in split.names.most_common)

    positions = ranks(lambda split: split.skew.positions)
    cues = list(_CUES.values())
    return {
        "positions": _by_split(
            audit, "answer at position", positions, lambda split: map(_observed, split.skew.positions)
        ),
        "cues": _by_split(audit, "cue", cues, lambda split: (_observed(split.skew.cues.get(cue)) for cue in _CUES)),
        "common": _by_split(audit, "rank", ranks(lambda split: split.names.most_common), common),
    }


def _observed(observed: Observed | None) -> str:
    """Observed, expected by chance, and the difference in standard deviations."""
    return f"{observed.observed:g} / {observed.expected:g} / {observed.deviations:+.1f}" if observed else ""


def _names(audit: Audit) -> Table:
    """The names of choices and answers."""
    cells: dict[str, Callable[[NameFacts], str | int]] = {
        "distinct choices": lambda names: names.distinct_choices,
        "distinct answers": lambda names: names.distinct_answers,
        "words in a choice's name": lambda names: f"{names.words_per_choice:.2f}",
        "one-word choices": lambda names: f"{names.one_word_choices:.1%}",
        "mentions of a choice": lambda names: f"{names.mentions_per_choice:.2f}",
        "answers that are also an answer in train.relaxed": lambda names: f"{names.answers_seen:.1%}",
    }
    return _by_split(audit, "names", list(cells), lambda split: (cell(split.names) for cell in cells.values()))


def _calendar(audit: Audit) -> Iterator[Table]:
    """Tables of days, sources, windows and numbers of choices."""

    def days(split: SplitAudit) -> list[str | int]:
        return [
            *(str(day or "") for day in (split.calendar.first_day, split.calendar.last_day)),
            split.calendar.same_source,
        ]

    def years(split: SplitAudit) -> Counter[str]:
        total: Counter[str] = Counter()
        for month, count in split.calendar.months.items():
            total[month[:4]] += count
        return total

    months = {month for split in audit.splits.values() for month in split.calendar.months}
    yield _by_split(
        audit, "days", ("first question", "last question", "question and passage from the same source"), days
    )
    if len(months) > _MOST_MONTHS:
        yield _by_key(audit, "year", years)
    else:
        yield _by_key(audit, "month", lambda split: split.calendar.months)
    yield _by_key(audit, "source of the question", lambda split: split.calendar.question_sources, _MOST_SOURCES)
    yield _by_key(audit, "source of the passage", lambda split: split.calendar.passage_sources, _MOST_SOURCES)
    yield _by_key(audit, "passage within days", lambda split: split.calendar.windows)
    yield _by_key(audit, "choices", lambda split: split.calendar.choices)


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
