"""Measures how well names alone show that two mentions are of one person, on labelled pairs of names.

    python scripts/measure_name_pairs.py [data/labels/name_pairs.jsonl] [--test]

Prints precision and recall of "same person" for each comparison, and for the last one by kind of likeness. Pairs of which one is
no name, or cut, do not count. With --test: the held-out half, to which nothing may be fitted.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from wdw_build.text.names import matching

LABELS = Path(__file__).parents[1] / "data" / "labels" / "name_pairs.jsonl"


class LabelledPair(NamedTuple):
    """Two names, the kind of their likeness, and whether they name one person."""

    first: str
    second: str
    kind: str
    same: bool


def labelled_pairs(path: Path, *, test: bool) -> list[LabelledPair]:
    """The pairs of one half whose names are whole names of persons."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        LabelledPair(line["first"]["name"], line["second"]["name"], line["kind"], line["label"] == "same")
        for line in lines
        if line["test"] == test and line["label"] in ("same", "different")
    ]


def _is_any(one: str, other: str) -> bool:
    return any(
        compare(one, other) for compare in (matching.same_person, matching.is_other_spelling, matching.is_misspelling)
    )


COMPARISONS: dict[str, Callable[[str, str], bool]] = {
    "form": matching.same_person,
    "spelling": matching.is_other_spelling,
    "misspelling": matching.is_misspelling,
    "any of these": _is_any,
}


def rates(pairs: Sequence[LabelledPair], compare: Callable[[str, str], bool]) -> str:
    """Precision and recall of "same", with the number of pairs."""
    said = [pair for pair in pairs if compare(pair.first, pair.second)]
    right, same = sum(pair.same for pair in said), sum(pair.same for pair in pairs)
    precision = f"{right / len(said):.3f}" if said else "-"
    return f"precision {precision:>5}  recall {right / same if same else 0:.3f}  ({same} same, {len(pairs) - same} different)"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", nargs="?", type=Path, default=LABELS)
    parser.add_argument("--test", action="store_true", help="the held-out half")
    arguments = parser.parse_args()
    pairs = labelled_pairs(arguments.labels, test=arguments.test)
    for name, compare in COMPARISONS.items():
        print(f"{name:14}{rates(pairs, compare)}")
    for kind in sorted({pair.kind for pair in pairs}):
        print(f"  {kind:12}{rates([pair for pair in pairs if pair.kind == kind], _is_any)}")


if __name__ == "__main__":
    main()
