"""The sections of the datasheet on how the dataset was made: configuration, models, versions and counts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import yaml

from wdw_build import __version__
from wdw_build.core.config.settings import Config, Section
from wdw_build.core.hashing import hash_file
from wdw_build.dataset import Run, most_frequent_first
from wdw_build.views.card.markdown import bullets, code, fenced, plain, table
from wdw_build.views.summary import Summary, table2_rows

_FUNNEL = {
    "articles": "articles",
    "questions": "questions",
    "with_candidate": "with a candidate passage",
    "problems": "problems",
    "after_dedup": "after removing near-duplicates and problems over a cap",
    "after_suppression": "after suppression",
    "splits": "in the split",
}
_SHOWN_DIGITS = 16


def _inline_yaml(value: object) -> str:
    return (
        yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True).removesuffix("...\n").strip()
    )


def _changed(config: Config) -> Iterator[str]:
    """A line for each key that differs from its default."""
    for name in config.__struct_fields__:
        section = getattr(config, name)
        if not isinstance(section, Section) or name in {"corpus", "bench", "execution", "release"}:
            continue
        default = type(section)()
        for key in section.__struct_fields__:
            if (value := getattr(section, key)) != getattr(default, key):
                now, was = (_inline_yaml(msgspec.to_builtins(setting)) for setting in (value, getattr(default, key)))
                yield f"`{name}.{key}`: {code(now)} (default {code(was)})"


def _public(config: Config) -> Config:
    """The configuration without the folders of this machine."""
    return msgspec.structs.replace(
        config,
        corpus=msgspec.structs.replace(config.corpus, path=Path(config.corpus.path).name),
        nlp=msgspec.structs.replace(config.nlp, models=Path(config.nlp.models).name),
    )


def _as_yaml(config: Config) -> str:
    """The keys that can change the dataset, as YAML."""
    settings = msgspec.to_builtins(config)
    for key in ("output_dir", "bench", "execution", "release"):
        del settings[key]
    return yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)


def how_made(config: Config, summary: Summary, run: Run) -> str:
    """Versions, configuration and stages."""
    public = _public(config)
    backends = {
        port: identity
        for output in run.outputs.values()
        for port, identity in output.manifest.ingredients.backends.items()
    }
    facts = [
        f"wdw-build {__version__}, run {plain(summary.run)}, seed {config.seed}, fingerprint `{summary.fingerprint}`",
        *(f"{port.replace('_', ' ')}: {code(identity)}" for port, identity in sorted(backends.items())),
    ]
    stages = [["stage", "version", "output", "read", "written", "rejected"]]
    for name, output in run.outputs.items():
        manifest = output.manifest
        counts = [f"{number:,}" for number in (manifest.read, manifest.written, manifest.rejected)]
        stages.append([name, str(manifest.ingredients.version), f"`{manifest.content[:_SHOWN_DIGITS]}`", *counts])
    return "\n\n".join(
        [
            "Each problem is made from two articles published within days of each other: the first sentence of one, with a person "
            "deleted, is the question, and the other is the passage; the persons of the passage are the choices. Problems that "
            "four shallow baselines solve are removed until no baseline exceeds its bound. The method is that of "
            "*Who did What* (Onishi, Wang, Bansal, Gimpel and McAllester, EMNLP 2016).",
            bullets(facts),
            table(stages),
            "`output` is the start of the SHA-256 of the stage's output. Keys that differ from their defaults:",
            bullets(_changed(public)) or "none.",
            "The whole configuration, without the folders of the machine and the keys that do not change the dataset:",
            fenced(_as_yaml(public), "yaml"),
        ]
    )


def files(run: Run) -> str:
    """The exported files with their sizes and hashes."""
    folder = run.exported.output.folder
    rows = [["file", "bytes", "SHA-256"]]
    rows += [
        [plain(path.relative_to(folder).as_posix()), f"{path.stat().st_size:,}", f"`{hash_file(path)}`"]
        for path in sorted(folder.glob("*/**/*"))
        if path.is_file()
    ]
    return table(rows)


def funnel(summary: Summary) -> str:
    """The records left after each step, and the rejections by reason."""
    rows = [["step", "left"]]
    for name, value in summary.funnel.items():
        label = _FUNNEL.get(name, name.replace("_", " "))
        if isinstance(value, dict):
            rows += [[f"{label}, {part}", f"{count:,}"] for part, count in value.items()]
        else:
            rows.append([label, f"{value:,}"])
    reasons = [["stage", "rejected because", "inputs"]]
    reasons += [
        [stage, reason, f"{count:,}"]
        for stage, counts in summary.rejections.items()
        for reason, count in most_frequent_first(counts)
    ]
    refused = [["stage", "candidate passages refused because", "candidates"]]
    refused += [
        [stage, rule, f"{count:,}"] for stage, rules in summary.refused.items() for rule, count in rules.items()
    ]
    tables = [table(rows), *(table(losses, words=2) for losses in (reasons, refused) if len(losses) > 1)]
    return "\n\n".join(tables)


def table2(summary: Summary) -> str:
    """Table 2: the accuracies of chance, of the baselines and of the adversaries."""
    rows = [["accuracy", "before suppression", "strict", "relaxed"]]
    return table([*rows, *([name.strip(), *cells] for name, *cells in table2_rows(summary.table2))])


def event_scores(summary: Summary) -> str:
    """How many problems have at least a given event score: the size of the dataset for each minimum score."""
    rows, so_far = [["event score of the passage", "problems", "with this score or more"]], 0
    for band, count in reversed(summary.event_scores.items()):
        so_far += count
        rows.append([f"from {band} to {float(band) + 0.1:.1f}", f"{count:,}", f"{so_far:,}"])
    return table(rows)


def table3(summary: Summary) -> str:
    """Table 3: the sizes of the splits."""
    rows = [["split", "problems", "choices", "passage tokens", "vocabulary"]]
    rows += [
        [
            name,
            f"{row.problems:,}",
            f"{row.average_choices:.2f}",
            f"{row.average_passage_tokens:.1f}",
            f"{row.vocabulary:,}",
        ]
        for name, row in summary.table3.items()
    ]
    return table(rows)
