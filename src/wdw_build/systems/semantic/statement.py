"""The hypothesis statement: the question as a statement with a place for the choice, by rules for questions with wh-words."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.systems.semantic.word_classes import AUXILIARIES, COPULAS, WH_WORDS

Statement = tuple[tuple[str, ...], int]


def statement(question: Sequence[str], blank: int) -> Statement:
    """The words of the statement without the choice, and the index before which the choice belongs.

    A cloze question is a statement already. In a question with a wh-word the choice takes the place of the wh-word if it is
    the subject ("Who was having a party"); else the auxiliary is dropped and the choice comes last ("What did Ann buy").
    """
    words = tuple(question)
    if blank >= 0:
        return words[:blank] + words[blank + 1 :], blank
    if words and words[-1] == "?":
        words = words[:-1]
    places = [index for index, word in enumerate(words) if word.lower() in WH_WORDS]
    return _answered(words, places[0]) if places else (words, len(words))


def _answered(words: tuple[str, ...], place: int) -> Statement:
    before, after = words[:place], words[place + 1 :]
    auxiliary = next((index for index, word in enumerate(after) if word.lower() in AUXILIARIES), None)
    if auxiliary is not None:
        kept = before + after[:auxiliary] + after[auxiliary + 1 :]
        return kept, len(kept)
    if after and after[0].lower() in COPULAS and not any(word.endswith("ing") for word in after[1:2]):
        kept = (*before, *after[1:], after[0])
        return kept, len(kept)
    return before + after, len(before)
