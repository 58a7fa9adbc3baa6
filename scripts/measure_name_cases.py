"""Measures the choices of pairs of articles with hard names: how many answers get the choices that a reader accepts.

    python scripts/measure_name_cases.py [data/labels/name_cases.json] [--show]

A case has the article of a question, a passage, the choices that a reader accepts for each deleted person, and names that are
never a choice; ``A & B`` means that A and B are one person, so that not both can be choices. The models tag both articles; the
corpus has no other text. With --show: what is wrong with each answer.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.api import annotator
from wdw_build.records import Annotation, Mention, Question
from wdw_build.stages.choices.rules import Refused, deleted_name, eligible, entities
from wdw_build.text.settings import ChoicesConfig

CASES = Path(__file__).parents[1] / "data" / "labels" / "name_cases.json"


class Outcome(NamedTuple):
    """The choices of one answer, or the reason why there are none; and what is wrong with them, or an empty string."""

    case: str
    answer: str
    choices: tuple[str, ...]
    fault: str


def question_of(text: str, name: str, others: Sequence[Mention]) -> Question:
    """The question of the first paragraph of an article that deletes a person."""
    sentence = text.partition("\n")[0]
    start = sentence.index(name)
    mention = Mention(start=start, end=start + len(name), text=name)
    left = tuple(other for other in others if other.end <= len(sentence) and not other.overlaps(mention))
    return Question(
        id="case",
        date=dt.date(2024, 1, 1),
        source="",
        sentence=sentence,
        tokens=(),
        blank_tokens=(0, 0),
        blank=mention,
        name=mention,
        others=left,
        tree="",
    )


def outcomes(name: str, case: dict[str, Any], asked: Annotation, passage: Annotation) -> Iterator[Outcome]:
    """Yield the outcome of each answer that the question's first paragraph names."""
    config = ChoicesConfig()
    persons = entities(case["passage_article"], passage.persons, config)
    known = {choice for accepted in case["choices_by_answer"].values() for choice in accepted}
    tagged = {mention.text for mention in asked.persons}
    for answer, accepted in case["choices_by_answer"].items():
        if answer not in tagged:
            continue
        question = question_of(case["question_article"], answer, asked.persons)
        deleted = deleted_name(question, case["question_article"], config)
        found = eligible(question, deleted, persons, config, text=case["passage_article"])
        if isinstance(found, Refused):
            yield Outcome(name, answer, (), f"{found.rule}: {found.detail}")
            continue
        choices = tuple(sorted(person.name for person in found.persons))
        expected = [choice for choice in accepted if choice == answer or choice not in question.sentence]
        yield Outcome(name, answer, choices, _fault(choices, expected, known, case["never_a_choice"]))


def _fault(choices: Sequence[str], expected: Sequence[str], known: Set[str], never: Sequence[str]) -> str:
    """What is wrong with choices. ``known`` are the accepted names of all answers: some differ in a title alone."""
    both = [pair for pair in never if "&" in pair and set(pair.split(" & ")) <= set(choices)]
    wrong = [choice for choice in choices if choice not in known or choice in never]
    lasts = {choice.split()[-1] for choice in choices}
    missing = [choice for choice in expected if choice.split()[-1] not in lasts]
    return "; ".join([*both, *(f"+{choice}" for choice in wrong), *(f"-{choice}" for choice in missing)])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="?", type=Path, default=CASES)
    parser.add_argument("--show", action="store_true", help="what is wrong with each answer")
    arguments = parser.parse_args()
    cases = json.loads(arguments.cases.read_text(encoding="utf-8"))
    texts = [(name, case[part]) for name, case in cases.items() for part in ("question_article", "passage_article")]
    tagged = annotator().annotate(texts)
    found = [
        outcome
        for number, (name, case) in enumerate(cases.items())
        for outcome in outcomes(name, case, tagged[2 * number], tagged[2 * number + 1])
    ]
    right = sum(not outcome.fault for outcome in found)
    print(f"{right} of {len(found)} answers have the accepted choices")
    for outcome in found if arguments.show else ():
        if outcome.fault:
            print(f"  {outcome.case}: {outcome.answer}: {outcome.fault} ({', '.join(outcome.choices)})")


if __name__ == "__main__":
    main()
