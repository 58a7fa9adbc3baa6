"""Turns problems into what systems read: tokens, sentences, mentions as token ranges, and the answer apart."""

from __future__ import annotations

import bisect
import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.reading import BLANK, LabelledProblem, LabelledProblems, ReadingChoice, ReadingProblem
from wdw_build.records import Choice, Problem, Question, TokenSpan, unpack_bounds
from wdw_build.text.tokens import lm_tokens

# About 90 MB: the alternatives of an article share passages.
_MOST_KEPT = 8192


@dataclass(frozen=True)
class ProblemFile:
    """``LabelledProblems`` in a file of JSON lines, of which the first ones are also kept in memory.

    ``places``: id -> first byte of the line; ``in_memory``: id -> the problem, if it need not be read anew in every pass.
    """

    path: Path
    places: Mapping[str, int]
    in_memory: Mapping[str, LabelledProblem]

    def __iter__(self) -> Iterator[LabelledProblem]:
        return self.some(self.places.keys())

    def __len__(self) -> int:
        return len(self.places)

    def some(self, ids: Set[str]) -> Iterator[LabelledProblem]:
        """The problems with these ids, in the order of the file."""
        with self.path.open("rb") as stream:
            for name, place in self.places.items():
                if name in ids:
                    yield self.in_memory.get(name) or self._read(stream, place)

    def _read(self, stream: BinaryIO, place: int) -> LabelledProblem:
        stream.seek(place)
        return jsonl.decode(stream.readline(), LabelledProblem, f"{self.path} (from byte {place})")


@dataclass(frozen=True)
class ProblemSubset:
    """``LabelledProblems`` with some ids, which ``problems`` has; it is read anew in every pass."""

    problems: Iterable[LabelledProblem]
    ids: frozenset[str]

    def __iter__(self) -> Iterator[LabelledProblem]:
        if isinstance(self.problems, ProblemFile):
            return self.problems.some(self.ids)
        return (problem for problem in self.problems if problem.id in self.ids)

    def __len__(self) -> int:
        return len(self.ids)


def watched(problems: LabelledProblems, label: str, progress: Progress) -> Iterator[LabelledProblem]:
    """The problems, with a progress bar."""
    with progress.bar(label, len(problems), "problems") as bar:
        for labelled in problems:
            yield labelled
            bar.advance()


def open_problems(path: Path) -> ProblemFile:
    """The problems of a file that ``write_problems`` wrote."""
    places: dict[str, int] = {}
    in_memory: dict[str, LabelledProblem] = {}
    place = 0
    with path.open("rb") as stream:
        for line in stream:
            labelled = jsonl.decode(line, LabelledProblem, f"{path} (from byte {place})")
            places[labelled.id] = place
            if len(in_memory) < _MOST_KEPT:
                in_memory[labelled.id] = labelled
            place += len(line)
    return ProblemFile(path, places, in_memory)


def write_problems(path: Path, problems: Iterable[LabelledProblem]) -> ProblemFile:
    """Write problems with different ids into a file, which appears by one rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as stream:
        stream.writelines(map(jsonl.encode, problems))
    unfinished.replace(path)
    return open_problems(path)


def content_hash(problems: Iterable[LabelledProblem]) -> str:
    """Hash of what systems read and of the answers. It does not depend on splits, levels and guesses."""
    hashed = hashlib.sha256()
    for labelled in problems:
        hashed.update(msgspec.json.encode((labelled.problem, labelled.answer)))
    return hashed.hexdigest()


def reading_problem(problem: Problem, sentences: Sequence[str]) -> ReadingProblem:
    """A problem as a system reads it. ``sentences``: the sentences of the passage in order, parts of its text."""
    question, passage = problem.question, problem.passage
    places = _token_places(passage.text, passage.token_layout, tuple(sentences))
    tokens, blank, persons = _question(question)
    return ReadingProblem(
        id=problem.id,
        before_blank=question.left,
        after_blank=question.right,
        question_tokens=tokens,
        blank=blank,
        question_persons=persons,
        passage=passage.text,
        token_layout=passage.token_layout,
        sentence_starts=places.sentence_starts,
        choices=tuple(_choice(choice, places) for choice in problem.choices),
    )


def _question(question: Question) -> tuple[tuple[str, ...], int, tuple[TokenSpan, ...]]:
    """The question's tokens with one token for the blank, the index of that token, and the token ranges of other persons."""
    first, last = question.blank_tokens
    tokens = (*question.tokens[:first], BLANK, *question.tokens[last:])
    removed = last - first - 1
    ranges = []
    for other in question.others:
        place = question.token_range(other)
        if place is not None and (place[1] <= first or place[0] >= last):
            offset = removed if place[0] >= last else 0
            ranges.append((place[0] - offset, place[1] - offset))
    return tokens, first, tuple(ranges)


def _choice(choice: Choice, places: _TokenPlaces) -> ReadingChoice:
    ranges = []
    for mention in choice.mentions:
        first = bisect.bisect_right(places.ends, mention.start)
        last = bisect.bisect_left(places.starts, mention.end)
        if first < last:
            ranges.append((first, last))
    return ReadingChoice(name=choice.name, tokens=tuple(lm_tokens(choice.name)), mentions=tuple(ranges))


class _TokenPlaces(NamedTuple):
    """Where the tokens of a passage start and end, in characters, and the first token of each sentence."""

    starts: list[int]
    ends: list[int]
    sentence_starts: tuple[int, ...]


# The alternatives of an article follow each other, and many of them have the same passage.
@functools.lru_cache(maxsize=64)
def _token_places(text: str, layout: tuple[int, ...], sentences: tuple[str, ...]) -> _TokenPlaces:
    starts, ends = unpack_bounds(layout)
    return _TokenPlaces(starts, ends, _sentence_starts(text, starts, sentences))


def _sentence_starts(text: str, token_starts: Sequence[int], sentences: Iterable[str]) -> tuple[int, ...]:
    """The first token of each sentence. A sentence that starts within a token starts with the next one."""
    starts, offset = [0], 0
    for sentence in sentences:
        offset = text.index(sentence, offset)
        token = bisect.bisect_left(token_starts, offset)
        if starts[-1] < token < len(token_starts):
            starts.append(token)
        offset += len(sentence)
    return tuple(starts)
