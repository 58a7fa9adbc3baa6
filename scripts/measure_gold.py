"""Measures question formation on the gold set or the witness set: persons, decisions and deleted spans.

``python scripts/measure_gold.py [--set witness] [--errors] [--json] [--models PATH] [--record]``.
``quality/gold.py`` describes the sets, and ``quality/figures.py`` the figures. ``--record`` writes the figures of a set, below
which CI does not let them fall. For the witness set, the script shows only the figures of the whole set, never single errors
or parts.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from quality.figures import Outcome, by_tag, figures, outcomes
from quality.gold import SETS, read_gold
from wdw_build.api import annotator
from wdw_build.records import Question

_COLUMNS = {
    "sentences": "n",
    "persons_tagged_f1": "tagged F1",
    "persons_kept_f1": "kept F1",
    "decision": "decision",
    "right_person": "person",
    "right_span": "span",
    "blank_recall": "blanks",
}


def _table(tags: dict[str, dict[str, float]]) -> str:
    lines = [f"{'tag':<18}" + "".join(f"{name:>10}" for name in _COLUMNS.values())]
    for tag, row in tags.items():
        shown = (f"{row[key]:>10.0f}" if key == "sentences" else f"{row[key]:>10.3f}" for key in _COLUMNS)
        lines.append(f"{tag:<18}" + "".join(shown))
    return "\n".join(lines)


def _disagreements(one: Outcome) -> list[str]:
    """A line for each difference from the gold."""
    gold, made, sentence = one.gold, one.made, one.gold.sentence
    lines = [f"persons missed: {sentence[slice(*span)]}" for span in sorted(one.persons - one.tagged)]
    lines += [f"persons extra:  {sentence[slice(*span)]}" for span in sorted(one.tagged - one.persons)]
    lines += [f"rule refused:   {sentence[slice(*span)]}" for span in sorted((one.tagged - one.kept) & one.persons)]
    if one.right_span or one.right_reason:
        return lines
    label = "decision" if not one.right_decision else "reason" if not one.asked else "span"
    label = "person" if label == "span" and not one.right_person else label
    refused = "; ".join(f"{refusal.name}: {refusal.rule} ({refusal.detail})" for refusal in made.refused)
    return [
        *lines,
        f"{label + ':':<16}gold  {gold.blank.text if gold.blank else gold.reason}",
        f"{'':<16}made  {made.blank.text if isinstance(made, Question) else made.reason}   [{refused}]",
    ]


def _errors(found: Sequence[Outcome]) -> str:
    wrong = [one for one in found if not one.all_right]
    shown = [
        "\n".join(
            [f"{one.gold.id} ({', '.join(one.gold.tags)}): {one.gold.sentence}"]
            + [f"    {line}" for line in _disagreements(one)]
        )
        for one in wrong
    ]
    return "\n".join(shown)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--set", choices=SETS, default="gold", help="which set to measure on")
    parser.add_argument("--models", default="bundled", help="bundled, en, or a folder in Stanza's layout")
    parser.add_argument("--errors", action="store_true", help="show every error (not of the witness set)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--record", action="store_true", help="write the set's recorded figures")
    arguments = parser.parse_args()
    if arguments.errors and SETS[arguments.set].unseen:
        parser.error(f"the errors of the {arguments.set} set are not shown: it is never used for mending")
    return arguments


def _show(summary: dict[str, Any], details: str) -> None:
    print(f"{summary['sentences']} sentences; {summary['annotator']}")
    print("\n".join(f"  {name:<26}{value:.4f}" for name, value in summary["figures"].items()))
    if details:
        print(f"\n{details}")


def main() -> None:
    """Run the command."""
    arguments = _arguments()
    chosen = SETS[arguments.set]
    golds, tagger = read_gold(chosen.sentences), annotator({"nlp": {"models": arguments.models}})
    found = outcomes(golds, tagger)
    overall = figures(found, reasons=not chosen.unseen)
    summary: dict[str, Any] = {"annotator": tagger.identity, "sentences": len(golds), "figures": overall}
    if arguments.record:
        chosen.recorded.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    tags = {} if chosen.unseen else by_tag(found)
    if arguments.json:
        print(json.dumps({**summary, "tags": tags} if tags else summary, indent=2))
        return
    tables = [_table(tags)] if tags else []
    _show(summary, "\n\n".join([*tables, *([_errors(found)] if arguments.errors else [])]))


if __name__ == "__main__":
    main()
