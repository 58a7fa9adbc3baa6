"""How often each name is the answer or another choice in training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from wdw_build.reading import LabelledProblem, ReadingChoice
from wdw_build.systems.words import normalised


def name_key(choice: ReadingChoice) -> str:
    """The normalised words of the choice's name with a space between."""
    return " ".join(normalised(choice.tokens))


class NameCounts:
    """Counts of names as answers and as other choices (distractors)."""

    def __init__(self, answers: Mapping[str, int] | None = None, distractors: Mapping[str, int] | None = None) -> None:
        self.answers = Counter(answers or {})
        self.distractors = Counter(distractors or {})

    def add(self, example: LabelledProblem) -> None:
        """Count the choices of a problem."""
        for index, choice in enumerate(example.problem.choices):
            (self.answers if index == example.answer else self.distractors)[name_key(choice)] += 1

    @classmethod
    def sum(cls, parts: Iterable[NameCounts]) -> NameCounts:
        """The counts of all parts together."""
        total = cls()
        for part in parts:
            total.answers.update(part.answers)
            total.distractors.update(part.distractors)
        return total

    @property
    def parameters(self) -> int:
        """The number of counts."""
        return len(self.answers) + len(self.distractors)

    def to_json(self) -> dict[str, dict[str, int]]:
        """The counts by name."""
        return {"answers": dict(sorted(self.answers.items())), "distractors": dict(sorted(self.distractors.items()))}
