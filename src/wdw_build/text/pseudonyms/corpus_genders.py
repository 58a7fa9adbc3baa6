"""What a corpus tells about the gender of persons: titles and pronouns near all mentions, by given name and surname."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Span
from wdw_build.text.names.matching import PARTICLES, without_titles
from wdw_build.text.pseudonyms.gender_words import pronoun_vote, title_vote
from wdw_build.text.pseudonyms.people import name_sequence

# The first and the last word of a name, folded; a name of one word is a surname.
Key = tuple[str, str]
_TITLE_WEIGHT = 2
# A clear majority: this share of the votes, and more than one pronoun.
_SHARE, _LEAST = 0.75, 2


@dataclass(frozen=True)
class CorpusGenders:
    """Votes of a corpus: the weights of women and of men, by full name, by surname alone, and by all bearers of a surname."""

    by_name: Mapping[Key, Sequence[int]] = field(default_factory=dict)
    by_surname: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def vote(self, names: Sequence[Sequence[str]]) -> int:
        """1 if the corpus tells a woman for the names of a person, -1 for a man, 0 if there is no clear majority.

        ``names`` are the folded words of each form, the fullest form first. A person with a given name has the votes of
        the full name; one without has those of all persons with the surname.
        """
        keys = [key_of(words) for words in names if words]
        full = [key for key in keys if key[0]]
        if full:
            return _majority(self.by_name.get(full[0], (0, 0)))
        return _majority(self.by_surname.get(keys[0][1], (0, 0))) if keys else 0


NO_GENDERS = CorpusGenders()


def counts_by_key(counts: Mapping[str, int]) -> dict[Key, int]:
    """How often each key is tagged as a person, from the number of times for each name of the table of names."""
    by_key: Counter[Key] = Counter()
    for name, count in counts.items():
        words = [word for word in name.split() if word not in PARTICLES and len(word) > 1]
        if words:
            by_key[key_of(words)] += count
    return dict(by_key)


class GenderVotes:
    """Collects the votes of texts for the names of the table of names; memory is bounded by the table."""

    def __init__(self, counts: Mapping[Key, int]) -> None:
        """``counts``: see ``counts_by_key``."""
        self._counts = counts
        self.votes: defaultdict[Key, list[int]] = defaultdict(lambda: [0, 0])
        """The weights of women and of men."""

    def add(self, text: str, persons: Iterable[tuple[Span, str]]) -> None:
        """Add the mentions of a text, each with the fullest name of its person."""
        mentions = list(persons)
        starts = [span.start for span, _ in mentions]
        for span, name in mentions:
            key = key_of(name_sequence(without_titles(name)))
            if key in self._counts:
                for vote in (_TITLE_WEIGHT * title_vote(text, span), pronoun_vote(text, span, starts)):
                    self.votes[key][vote < 0] += abs(vote)


def corpus_genders(
    counts: Mapping[Key, int], votes: Mapping[Key, Sequence[int]], female: frozenset[str], male: frozenset[str]
) -> CorpusGenders:
    """What the votes of all texts tell. ``female`` and ``male``: lists of given names."""
    by_surname: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for key, count in counts.items():
        weights = votes.get(key, (0, 0))
        if key[0]:
            gender = (key[0] in female) - (key[0] in male) or _majority(weights)
            weights = (count * (gender > 0), count * (gender < 0))
        for column in (0, 1):
            by_surname[key[1]][column] += weights[column]
    return CorpusGenders(dict(votes), dict(by_surname))


def key_of(words: Sequence[str]) -> Key:
    """The key of a name's folded words."""
    return (words[0] if len(words) > 1 else "", words[-1]) if words else ("", "")


def _majority(votes: Sequence[int]) -> int:
    """1 or -1 for a clear majority of women or men, else 0."""
    women, men = votes
    if max(women, men) < max(_LEAST, _SHARE * (women + men)):
        return 0
    return 1 if women > men else -1
