"""Writes ``.question`` files, one for each problem, in the layout of the CNN / Daily Mail datasets and the GA Reader.

Lines, from 0: the problem's id on 0, the document on 2, the query with ``@placeholder`` on 4, the answer on 6 and the
candidates from 8 on, with empty lines between. Document and query are tokens separated by spaces. The passage is split
at its mentions before it is tokenised, so that no token crosses the edge of a name. The files hold no dates, sources,
titles, deleted phrases and levels.

Readers take a folder with training, validation and test in it, so the relaxed folder has copies of the strict held-out
files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from wdw_build.api import SplitFiles, WithRelease, lm_tokens
from wdw_build.records import Problem, SplitAssignment

_CODE = re.compile(r"@entity\d+")
PLACEHOLDER = "@placeholder"
_DIGITS = 7


class GaReaderExporter(WithRelease):
    """Writes <name>/strict and <name>/relaxed, each with training, validation and test, and numbered files in each.

    For the GA Reader (Dhingra et al. 2017): plain names, without colons, which would end a candidate.
    """

    identity, name = "ga-reader 2", "ga-reader"

    def document(self, problem: Problem) -> Iterator[str]:
        """The passage's tokens."""
        for piece, _ in pieces(problem):
            yield from lm_tokens(piece)

    def answers(self, problem: Problem) -> list[str]:
        """The name of each choice on the line of the answer; all are different."""
        return [" ".join(word for word in lm_tokens(choice.name) if word != ":") for choice in problem.choices]

    def candidates(self, problem: Problem) -> list[str]:
        """A line for each choice; the part before a colon is its entry in ``answers``."""
        return self.answers(problem)

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write two files for each problem, or one for a relaxed problem; return the id in each file.

        Raises ``ValueError`` for a level and split without a folder, such as a relaxed problem in the test set.
        """
        strict, relaxed = (
            SplitFiles(
                train=f"{self.name}/strict/training",
                relaxed=f"{self.name}/relaxed/training",
                validation=f"{self.name}/{level}/validation",
                test=f"{self.name}/{level}/test",
            )
            for level in ("strict", "relaxed")
        )
        for name in {*strict.names, *relaxed.names}:
            (folder / name).mkdir(parents=True)
        written: dict[str, list[str]] = {}
        for number, (problem, placed) in enumerate(problems):
            content = self._content(problem)
            for place in dict.fromkeys((*strict.of(placed), *relaxed.of(placed))):
                name = f"{place}/{number:0{_DIGITS}d}.question"
                (folder / name).write_bytes(content)
                written[name] = [problem.id]
        return written | self.write_release(folder, self.name)

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


class CnnDmExporter(GaReaderExporter):
    """The anonymised form (Hermann et al. 2015): ``@entityN`` replaces the mentions of choice N; names are listed last.

    Only choices are anonymised, because only they are candidates. Mentions that the name tagger missed stay. If the
    export has codes in place of names, the codes stay, and they stand for the names.
    """

    identity, name = "cnn-dm 2", "cnn-dm"

    def document(self, problem: Problem) -> Iterator[str]:
        """The passage's tokens, with one token for each mention."""
        entities = self.answers(problem)
        for piece, index in pieces(problem):
            yield from lm_tokens(piece) if index is None else [entities[index]]

    def answers(self, problem: Problem) -> list[str]:
        """The entities: the codes of the choices, or else the numbers of the choices."""
        names = [choice.name for choice in problem.choices]
        return names if all(map(_CODE.fullmatch, names)) else [f"@entity{index}" for index in range(len(names))]

    def candidates(self, problem: Problem) -> list[str]:
        """Each entity with its name."""
        return [
            f"{entity}:{choice.name}" for entity, choice in zip(self.answers(problem), problem.choices, strict=True)
        ]
