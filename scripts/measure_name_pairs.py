"""Measures how well ``compare`` decides whether two mentions are of one person, on labelled pairs of names.

    python scripts/measure_name_pairs.py [LABELS] [--runs RUN ...] [--test] [--show]

Prints precision and recall of "same person", in all and by kind of likeness, from the names alone. With --runs, each name is
first completed by its own article, as the stages do: to the name of the passage's person whom the mention names, or else to the
full form that the article mostly gives the bearer of a family name. Pairs of which one is no name, or cut, do not count; nor, with
--runs, do those whose articles are in no run. With --show: the wrong pairs of the half that rules may be fitted to.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.api import Run, load_run
from wdw_build.records import Choice
from wdw_build.text.names.compare import compare
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.unmarked import full_name

LABELS = Path(__file__).parents[1] / "data" / "labels" / "name_pairs.jsonl"


class LabelledPair(NamedTuple):
    """Two names, the kind of their likeness, and whether they name one person."""

    first: str
    second: str
    kind: str
    same: bool

    @property
    def is_right(self) -> bool:
        """Whether ``compare`` says what the label says."""
        return compare(self.first, self.second).is_one_person is self.same


class Completer:
    """Completes names by their own articles, which are in the given runs."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        self._persons: dict[str, tuple[Choice, ...]] = {}
        for run in runs:
            for problem in run.alternatives if "choices" in run.outputs else ():
                self._persons.update((passage.article, passage.persons) for passage in problem.passages)

    def full(self, mention: dict[str, Any]) -> str | None:
        """The fullest form of a mention's name in its article; None if no run has the article."""
        found = ((run, run.articles.find(mention["article"])) for run in self._runs)
        run, article = next(((run, article) for run, article in found if article is not None), (None, None))
        if run is None or article is None:
            return None
        for person in self._persons.get(article.id, ()):
            if any(one.start < mention["end"] and mention["start"] < one.end for one in person.mentions):
                return person.name
        evidence = read_names(run.outputs["names"].folder)
        return full_name(mention["name"], article.text, evidence) or mention["name"]


def labelled_pairs(path: Path, *, test: bool, completer: Completer | None = None) -> Iterator[LabelledPair]:
    """Yield the pairs of one half whose names are whole names of persons, with completed names if there is a completer."""
    for text in path.read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if line["test"] != test or line["label"] not in ("same", "different"):
            continue
        sides = line["first"], line["second"]
        first, second = (completer.full(side) if completer else side["name"] for side in sides)
        if first is not None and second is not None:
            yield LabelledPair(first, second, line["kind"], line["label"] == "same")


def rates(pairs: Sequence[LabelledPair]) -> str:
    """Precision and recall of "same", with the number of pairs."""
    said = [pair for pair in pairs if compare(pair.first, pair.second).is_one_person]
    right, same = sum(pair.same for pair in said), sum(pair.same for pair in pairs)
    precision = f"{right / len(said):.3f}" if said else "-"
    recall = f"{right / same:.3f}" if same else "-"
    return f"precision {precision:>5}  recall {recall:>5}  ({same} same, {len(pairs) - same} different)"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labels", nargs="?", type=Path, default=LABELS)
    parser.add_argument(
        "--runs", nargs="+", type=Path, default=[], help="runs with the articles, by which names are completed"
    )
    parser.add_argument("--test", action="store_true", help="the held-out half")
    parser.add_argument("--show", action="store_true", help="the wrong pairs")
    arguments = parser.parse_args()
    if arguments.test and arguments.show:
        parser.error("the pairs of the held-out half are not shown: nothing may be fitted to them")
    completer = Completer([load_run(run) for run in arguments.runs]) if arguments.runs else None
    pairs = list(labelled_pairs(arguments.labels, test=arguments.test, completer=completer))
    print(f"{'all':14}{rates(pairs)}")
    for kind in sorted({pair.kind for pair in pairs}):
        print(f"  {kind:12}{rates([pair for pair in pairs if pair.kind == kind])}")
    for pair in pairs if arguments.show else ():
        if not pair.is_right:
            found = compare(pair.first, pair.second)
            print(f"  {pair.first} / {pair.second}: {found.relation.value} ({found.why}), and labelled {pair.same=}")


if __name__ == "__main__":
    main()
