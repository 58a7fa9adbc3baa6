"""Makes a dataset card: a README.md whose YAML tells the Hugging Face libraries which file belongs to which split.

Without a card, ``datasets.load_dataset`` reads the relaxed and the strict training file as one split.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from wdw_build.adapters.exports.columns import Column
from wdw_build.adapters.exports.split_files import SplitFiles


class FileSize(NamedTuple):
    """The number of problems in a file, and their uncompressed size."""

    problems: int
    bytes: int


_DTYPES = {"text": "string", "date": "date32", "integer": "int64", "number": "float64"}
_TEXT = """
# Who did What

Person-centred cloze problems, made by wdw-build from a newswire corpus in the way of
[Who did What](https://arxiv.org/abs/1608.05457) (Onishi et al. 2016). A problem is the first sentence of one article
with a person deleted (`question`, the blank is `XXX`), another article about the same event (`passage`), and persons
of the passage as `choices`; `answer` is the index of the right one. `event_score` in [0, 1] says how
likely the passage tells of the question's event, and is null if the run computed no such score.

| configuration | split | problems |
|---|---|---|
{rows}

`strict` holds no more problems that shallow baselines solve than chance allows. `relaxed` adds training problems to it;
validation and test are the same.

The texts belong to the owners of the corpus: its licence says whether this dataset may be passed on. A release without
them can be made with `wdw-build export keys`.
"""


def _feature(column: Column) -> dict[str, Any]:
    if column.kind == "struct":
        return {"name": column.name, "struct": [_feature(below) for below in column.below]}
    if column.kind == "texts":
        return {"name": column.name, "sequence": "string"}
    return {"name": column.name, "dtype": _DTYPES[column.kind]}


def _configurations(files: SplitFiles, sizes: Mapping[str, FileSize]) -> dict[str, dict[str, str]]:
    """Configuration -> split -> file, without empty files: the libraries cannot load a split without rows."""
    shared = {"validation": files.validation, "test": files.test}
    configurations = {"strict": {"train": files.train, **shared}, "relaxed": {"train": files.relaxed, **shared}}
    return {
        name: {split: file for split, file in splits.items() if sizes[file].problems}
        for name, splits in configurations.items()
    }


def _size_category(problems: int) -> str:
    limits = [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")]
    return next((name for limit, name in limits if problems < limit), "1M<n<10M")


def dataset_card(files: SplitFiles, sizes: Mapping[str, FileSize], columns: Sequence[Column]) -> str:
    """The text of the card, for files relative to it, with the size of each file and the columns that all files have."""
    configurations = _configurations(files, sizes)
    features = [_feature(column) for column in columns]
    head = {
        "language": ["en"],
        "license": "other",
        "pretty_name": "Who did What",
        "task_categories": ["question-answering", "multiple-choice"],
        "size_categories": [_size_category(sum(sizes[name].problems for name in configurations["relaxed"].values()))],
        "configs": [_config(name, splits) for name, splits in configurations.items()],
        "dataset_info": [
            {
                "config_name": name,
                "features": features,
                "splits": [_split(split, sizes[file]) for split, file in splits.items()],
            }
            for name, splits in configurations.items()
        ],
    }
    rows = [
        (name, split, str(sizes[file].problems))
        for name, splits in configurations.items()
        for split, file in splits.items()
    ]
    return f"---\n{_yaml(head)}---\n{_TEXT.format(rows=_rows(rows))}"


def _config(name: str, splits: Mapping[str, str]) -> dict[str, Any]:
    files = [{"split": split, "path": file} for split, file in splits.items()]
    return {"config_name": name, "data_files": files, **({"default": True} if name == "strict" else {})}


def _split(name: str, size: FileSize) -> dict[str, Any]:
    return {"name": name, "num_bytes": size.bytes, "num_examples": size.problems}


def _rows(rows: Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


class _NoAliasDumper(yaml.SafeDumper):
    """Writes YAML without anchors: both configurations list their features in full."""

    def ignore_aliases(self, data: Any) -> bool:
        """True for all values."""
        return True


def _yaml(value: Any) -> str:
    text: str = yaml.dump(value, Dumper=_NoAliasDumper, sort_keys=False, allow_unicode=True)
    return text
