"""Tells the gender of a person from the given name, titles and other nouns, pronouns, and the whole corpus."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from wdw_build.records import Span
from wdw_build.text.pseudonyms.corpus_genders import NO_GENDERS, CorpusGenders
from wdw_build.text.pseudonyms.gender_words import nearby_vote, pair_vote, pronoun_vote, title_vote

FEMALE, MALE = "female", "male"
_GIVEN_NAME_WEIGHT, _NOUN_WEIGHT, _CORPUS_WEIGHT, _MOST_PRONOUNS = 5, 4, 4, 6

# A text, the person's mentions in it, and the starts of all persons' mentions in it.
Mentioned = tuple[str, Sequence[Span], Sequence[int]]


def gender_of(
    texts: Sequence[Mentioned],
    names: Sequence[Sequence[str]],
    female: Container[str],
    male: Container[str],
    corpus: CorpusGenders = NO_GENDERS,
) -> str:
    """``female``, ``male``, or an empty string if nothing tells.

    ``names`` are the folded words of each form of the name, the fullest form first; ``female`` and ``male`` are lists of
    given names. A given name outweighs pronouns, which may be another person's.
    """
    given = [words[0] for words in names if len(words) > 1] or [words[0] for words in names[:1] if words]
    if not any(len(words) > 1 for words in names) and corpus.by_surname.get(given[0] if given else ""):
        given = []
    score = _GIVEN_NAME_WEIGHT * sum((name in female) - (name in male) for name in given[:1])
    score += _NOUN_WEIGHT * _sign(_total(title_vote, texts) + _total(pair_vote, texts))
    score += max(-_MOST_PRONOUNS, min(_MOST_PRONOUNS, _total(pronoun_vote, texts)))
    score += _CORPUS_WEIGHT * corpus.vote(names)
    score = score or _total(nearby_vote, texts)
    return FEMALE if score > 0 else MALE if score < 0 else ""


def _total(vote: Callable[[str, Span, Sequence[int]], int], texts: Sequence[Mentioned]) -> int:
    return sum(vote(text, mention, starts) for text, mentions, starts in texts for mention in mentions)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
