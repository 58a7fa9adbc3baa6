"""Features of the choices of a problem, for rankers that see only a part of it (Kaushik & Lipton 2018).

A feature is a string and either holds for a choice or does not; numbers are put into intervals. The names of the choices, and
their ranks by first mention and by frequency, are features for all rankers.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from wdw_build.reading import LabelledProblem, ReadingChoice, ReadingProblem
from wdw_build.reading.words import KEPT_CHOICES, PassageTokens, normalise, normalised, read_passage

Features = list[list[str]]
"""The features of each choice."""
_NEAR_BLANK = 3
_NEAR_MENTION = 2
_MENTIONS = 8
_LAST_SENTENCES = 6
_TENTHS = 10
_KEPT_NAMES = 1 << 14


def name_key(choice: ReadingChoice) -> str:
    """The normalised words of the choice's name with a space between."""
    return _joined(choice.tokens)


@functools.lru_cache(maxsize=_KEPT_NAMES)
def _joined(tokens: tuple[str, ...]) -> str:
    return " ".join(normalised(tokens))


def first_mention_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice that the passage mentions first, and so on; choices without mentions come last."""
    end = len(problem.token_layout)
    return _ranks([choice.mentions[0][0] if choice.mentions else end for choice in problem.choices])


def frequency_ranks(problem: ReadingProblem) -> Sequence[int]:
    """0 for the choice with most mentions in the passage, and so on; equal ones in the order of the choices."""
    return _ranks([-len(choice.mentions) for choice in problem.choices])


def _ranks(keys: Sequence[int]) -> list[int]:
    """The place of each key among the sorted keys; equal keys keep their order."""
    ordered = sorted(range(len(keys)), key=keys.__getitem__)
    return [place for _, place in sorted(zip(ordered, range(len(keys)), strict=True))]


class NameCounts:
    """How often each name is the answer, and how often another choice (a distractor)."""

    def __init__(self, answers: Mapping[str, int] | None = None, distractors: Mapping[str, int] | None = None) -> None:
        self.answers, self.distractors = Counter(answers or {}), Counter(distractors or {})

    def add(self, example: LabelledProblem) -> None:
        """Count the choices of a problem."""
        for index, choice in enumerate(example.problem.choices):
            (self.answers if index == example.answer else self.distractors)[name_key(choice)] += 1

    def of(self, name: str) -> tuple[int, int]:
        """How often the name is the answer, and how often a distractor."""
        return self.answers.get(name, 0), self.distractors.get(name, 0)

    def __add__(self, other: NameCounts) -> NameCounts:
        return NameCounts(self.answers + other.answers, self.distractors + other.distractors)


def choices_only(problem: ReadingProblem, counts: NameCounts) -> Features:
    """Features of the names alone: words, lengths, spelling, and how often training has them as answer or distractor."""
    names = [name_key(choice).split() for choice in problem.choices]
    longest = max(map(len, names))
    owners = Counter(word for words in names for word in set(words))
    return [
        [
            *_with_counts(_name_features(tuple(words), choice.tokens), counts.of(" ".join(words))),
            f"longest={len(words) == longest}",
            f"shared={any(owners[word] > 1 for word in words)}",
        ]
        for choice, words in zip(problem.choices, names, strict=True)
    ]


def question_only(problem: ReadingProblem, counts: NameCounts) -> Features:
    """Features of the names, and of each pair of a question's word and a name."""
    return _with_question(problem, choices_only(problem, counts))


def passage_only(problem: ReadingProblem, counts: NameCounts) -> Features:
    """Features of the names, and of their mentions: numbers, places in the passage, words around them."""
    passage = read_passage(problem)
    total = sum(len(choice.mentions) for choice in problem.choices)
    ranks = zip(first_mention_ranks(problem), frequency_ranks(problem), strict=True)
    return [
        [*features, *_rank_features(problem, choice, total, *of_choice), *_mention_features(passage, choice)]
        for features, choice, of_choice in zip(choices_only(problem, counts), problem.choices, ranks, strict=True)
    ]


def all_parts(problem: ReadingProblem, counts: NameCounts) -> Features:
    """The features of ``question_only`` and of ``passage_only``, each once: words around several mentions do not add up."""
    return [list(dict.fromkeys(known)) for known in _with_question(problem, passage_only(problem, counts))]


def _with_question(problem: ReadingProblem, features: Features) -> Features:
    """The features of each choice, and those of its name with the question's words."""
    words = [normalise(token) for token in problem.question_tokens]
    question_words = tuple(sorted({word for index, word in enumerate(words) if word and index != problem.blank}))
    # The words at most three before and after the blank, with their distance.
    blank = problem.blank
    around = range(max(blank - _NEAR_BLANK, 0), min(blank + _NEAR_BLANK + 1, len(words))) if blank >= 0 else range(0)
    near = tuple(f"{index - blank}:{words[index]}" for index in around if index != blank)
    return [
        [*known, *_question_pairs(choice.tokens, question_words, near)]
        for choice, known in zip(problem.choices, features, strict=True)
    ]


@functools.lru_cache(maxsize=KEPT_CHOICES)
def _name_features(words: tuple[str, ...], tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The features of a name with these normalised words and these tokens, without ``count_features``."""
    name = " ".join(words)
    return (
        "choice",
        f"name={name}",
        f"first={words[0] if words else ''}",
        f"last={words[-1] if words else ''}",
        f"words={len(words)}",
        f"length={len(name) // 4}",
        f"shape={_shape(tokens)}",
        *(f"word={word}" for word in words),
    )


# The place of ``count_features`` among the features of a choice: the only ones that depend on the training problems.
COUNTED = slice(7, 10)


def _with_counts(features: tuple[str, ...], counts: tuple[int, int]) -> tuple[str, ...]:
    return (*features[: COUNTED.start], *count_features(*counts), *features[COUNTED.start :])


def count_features(answers: int, distractors: int) -> tuple[str, str, str]:
    """How often training has the name as an answer and as a distractor."""
    share = round(4 * answers / (answers + distractors)) if answers + distractors else "never"
    return f"answers={answers.bit_length()}", f"distractors={distractors.bit_length()}", f"seen={share}"


def _shape(tokens: Sequence[str]) -> str:
    """The spelling of a name: `Xx` for a capitalised word, `X` for capitals, `x` for small letters, `0` for digits."""
    return " ".join(re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", _letters, token)) for token in tokens)


def _letters(run: re.Match[str]) -> str:
    letters = run.group()
    return "X" if letters.isupper() else "x" if letters.islower() else "Xx"


@functools.lru_cache(maxsize=KEPT_CHOICES)
def _question_pairs(tokens: tuple[str, ...], question_words: tuple[str, ...], near: tuple[str, ...]) -> tuple[str, ...]:
    """The pairs of the question's words and the name with these tokens."""
    words = normalised(tokens) or [""]
    first, last = f"&{words[0]}", f"&{words[-1]}&last"
    ends = (f"&{len(words)}", first, last)
    return (
        f"in question={not set(words).isdisjoint(question_words)}",
        *(word + end for word in question_words for end in (first, last)),
        *(place + end for place in near for end in ends),
    )


def _rank_features(
    problem: ReadingProblem, choice: ReadingChoice, total: int, first: int, frequency: int
) -> Iterator[str]:
    """The number of a choice's mentions, and its ranks by first mention and by number. ``total``: that of all choices."""
    mentions, choices = len(choice.mentions), len(problem.choices)
    yield f"mentions={min(mentions, _MENTIONS)}"
    yield f"first of {choices}={first}"
    yield f"frequency of {choices}={frequency}"
    yield f"frequency and first of {choices}={frequency},{first}"
    if mentions:
        yield f"share={_TENTHS * mentions // total}"


@functools.lru_cache(maxsize=KEPT_CHOICES)
def _mention_features(passage: PassageTokens, choice: ReadingChoice) -> tuple[str, ...]:
    """The places of a choice's mentions and the words around them."""
    mentions, words = choice.mentions, passage.words_and_marks
    if not mentions:
        return ()
    around = (
        feature
        for index, (start, end) in enumerate(mentions[:_MENTIONS])
        for feature in _words_around(words, start, end, index == 0)
    )
    return (*_places(passage, mentions), *around)


def _places(passage: PassageTokens, mentions: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Where the mentions stand: tenths of the passage, sentences, lengths."""
    length, sentences = len(passage.tokens), [passage.sentence(start) for start, _ in mentions]
    yield f"first tenth={_TENTHS * mentions[0][0] // length}"
    yield f"last tenth={_TENTHS * mentions[-1][0] // length}"
    yield f"first sentence={min(sentences[0], _LAST_SENTENCES)}"
    yield f"sentences={min(len(set(sentences)), _MENTIONS)}"
    yield f"in last sentence={sentences[-1] == len(passage.sentences) - 1}"
    yield f"first length={mentions[0][1] - mentions[0][0]}"


def _words_around(words: Sequence[str], start: int, end: int, first: bool) -> Iterator[str]:
    """The words beside a mention, such as a title before it; those of the first mention also by themselves."""
    for distance in range(1, _NEAR_MENTION + 1):
        before = words[start - distance] if start >= distance else "<s>"
        after = words[end + distance - 1] if end + distance <= len(words) else "</s>"
        for feature in (f"-{distance}:{before}", f"+{distance}:{after}"):
            yield feature
            if first:
                yield f"first {feature}"
