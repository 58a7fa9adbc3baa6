"""The dataset as ``.question`` files, one a problem: the layout of the CNN / Daily Mail sets, which the GA Reader reads.

Lines, from 0: the problem's id, the document on 2, the query with ``@placeholder`` on 4, the answer on 6, the
candidates from 8 on, empty lines between. Document and query are tokens with a space between; both go through the
same tokeniser, which cuts the passage at its mentions first, so that a name's tokens are always whole.
Dates, sources, titles, the deleted phrase and the level are left out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

from wdw_build.adapters.exports.split_files import SplitFiles
from wdw_build.records import Problem, SplitAssignment
from wdw_build.text.tokens import lm_tokens

PLACEHOLDER = "@placeholder"
_DIGITS = 7


class QuestionFiles(ABC):
    """Writes <name>/strict/{training,validation,test} and <name>/relaxed/training; files are numbered in their order."""

    name: ClassVar[str]

    @property
    def identity(self) -> str:
        """Format and version."""
        return f"{self.name} 1"

    @abstractmethod
    def document(self, problem: Problem) -> Iterator[str]:
        """The passage's tokens."""

    @abstractmethod
    def answers(self, problem: Problem) -> list[str]:
        """What each choice is called where the answer stands; no two are the same."""

    @abstractmethod
    def candidates(self, problem: Problem) -> list[str]:
        """A line for each choice; what stands before a colon is one of ``answers``."""

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write a file for each problem, and for a strict training problem two; returns the id in each file.

        Raises ``ValueError`` for a place that no folder is for, such as a relaxed problem in the test set.
        """
        folders = SplitFiles(
            train=f"{self.name}/strict/training",
            relaxed=f"{self.name}/relaxed/training",
            validation=f"{self.name}/strict/validation",
            test=f"{self.name}/strict/test",
        )
        for name in folders.names:
            (folder / name).mkdir(parents=True)
        written: dict[str, list[str]] = {}
        for number, (problem, placed) in enumerate(problems):
            content = self._content(problem)
            for place in folders.of(placed):
                name = f"{place}/{number:0{_DIGITS}d}.question"
                (folder / name).write_bytes(content)
                written[name] = [problem.id]
        return written

    def _content(self, problem: Problem) -> bytes:
        question = problem.question
        query = [*lm_tokens(question.left), PLACEHOLDER, *lm_tokens(question.right)]
        lines = [
            *(" ".join(problem.id.split()), ""),
            *(" ".join(self.document(problem)), ""),
            *(" ".join(query), ""),
            *(self.answers(problem)[problem.answer], ""),
            *self.candidates(problem),
        ]
        return "".join(f"{line}\n" for line in lines).encode("utf-8")


def pieces(problem: Problem) -> Iterator[tuple[str, int | None]]:
    """The passage's text cut at the mentions of the choices: each piece with its choice's index, or None between."""
    text, position = problem.passage.text, 0
    mentions = sorted(
        (mention.start, mention.end, index)
        for index, choice in enumerate(problem.choices)
        for mention in choice.mentions
    )
    for start, end, index in mentions:
        if start >= position:
            yield text[position:start], None
            yield text[start:end], index
            position = end
    yield text[position:], None


class GaReaderExporter(QuestionFiles):
    """For the GA Reader (Dhingra et al. 2017): names as they are. A colon would end a candidate, and is left out."""

    name = "ga-reader"

    def document(self, problem: Problem) -> Iterator[str]:
        """All tokens."""
        for piece, _ in pieces(problem):
            yield from lm_tokens(piece)

    def answers(self, problem: Problem) -> list[str]:
        """The names' tokens."""
        return [" ".join(word for word in lm_tokens(choice.name) if word != ":") for choice in problem.choices]

    def candidates(self, problem: Problem) -> list[str]:
        """The names' tokens."""
        return self.answers(problem)


class CnnDmExporter(QuestionFiles):
    """The anonymised form (Hermann et al. 2015): mentions of choice N are ``@entityN``, the names stand at the file's end.

    The choices alone are anonymised: they are the candidates. What no model marked as a mention stays.
    """

    name = "cnn-dm"

    def document(self, problem: Problem) -> Iterator[str]:
        """All tokens, a mention as one of them."""
        for piece, index in pieces(problem):
            yield from lm_tokens(piece) if index is None else [f"@entity{index}"]

    def answers(self, problem: Problem) -> list[str]:
        """The entities, numbered as the choices are."""
        return [f"@entity{index}" for index in range(len(problem.choices))]

    def candidates(self, problem: Problem) -> list[str]:
        """Entity and name."""
        return [f"@entity{index}:{choice.name}" for index, choice in enumerate(problem.choices)]
