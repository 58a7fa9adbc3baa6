"""Finds where a sentence starts although the text before it ends without a stop: a headline or a caption joined to a story.

A model gives each word the probability that a sentence starts there. The words and tags before it have to agree: hardly a
headline ends with a verb, an article, a preposition, an adjective or a weekday, or with "and" and one word.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wdw_build.text.blanking.trees import Sentence

LEAST = 0.65
# Words before a boundary; a shorter text is a label.
_FEWEST_WORDS = 3
_CLOSING = frozenset("')\"’”")
# Tags of the last word of a headline or a caption.
_MAY_END = frozenset("NN NNS NNP NNPS CD RB RP -RRB- ''".split())
_WEEKDAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_SHOWN = 6


def is_candidate(words: Sequence[str], number: int) -> bool:
    """Whether a sentence may start at a word: it has a capital, and the word before it is no punctuation but a closing one."""
    last = words[number - 1][-1:]
    return number >= _FEWEST_WORDS and words[number][:1].isupper() and (last.isalnum() or last in _CLOSING)


def lost_boundary(sentence: Sentence, starts: Sequence[float], names: Collection[tuple[int, int]]) -> str:
    """The words around the first lost boundary, or an empty string.

    ``starts`` are the model's probabilities for the tokens of the sentence; ``names`` are the token spans of its persons.
    """
    leaves = sentence.leaves
    words = [leaf.word for leaf in leaves]
    likely = (number for number in range(1, len(words)) if starts[number] >= LEAST and is_candidate(words, number))
    for number in likely:
        within = any(start < number < end for start, end in names)
        if not within and leaves[number - 1].label in _MAY_END and _may_end(words[:number]):
            return " ".join(words[max(0, number - _SHOWN) : number + 2])
    return ""


def _may_end(words: Sequence[str]) -> bool:
    """Whether a headline or a caption may end with these words."""
    in_capitals = not any(word.islower() for word in words)
    return not in_capitals and words[-1] not in _WEEKDAYS and words[-2] != "and"
