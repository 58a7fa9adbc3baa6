"""Tells the gender of a person from the given name, titles and other nouns, pronouns, and the whole corpus."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Span
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.matching import PARTICLES, fold, without_titles
from wdw_build.text.pseudonyms.people import name_sequence

_OF_WOMEN = word_list("nouns_of_women")
_OF_MEN = word_list("nouns_of_men")
_TITLES_OF_WOMEN = (
    "mrs ms miss dame queen princess duchess countess baroness empress madame madam mme señora senora frau first-lady"
)
_TITLES_OF_MEN = "mr sir lord king prince duke count baron emperor señor senor herr monsieur spokesman pope cardinal"
# Before a name without a comma, these nouns may begin a clause ("a woman Tom Quillby met").
_NO_TITLES = frozenset("boy female girl male man woman".split())
_TITLES = dict.fromkeys({*_TITLES_OF_WOMEN.split(), *_OF_WOMEN} - _NO_TITLES, 1) | dict.fromkeys(
    {*_TITLES_OF_MEN.split(), *_OF_MEN} - _NO_TITLES, -1
)
_NOUN = rf"(?:(?P<woman>{'|'.join(sorted(_OF_WOMEN))})|{'|'.join(sorted(_OF_MEN))})\b"
_BEFORE = re.compile(r"([\w-]+)\.?,?\s+$")
# Words between an article and its noun; a preposition or a relative pronoun begins another phrase.
_MODIFIERS = r"(?:(?!of\b|for\b|to\b|with\b|from\b|by\b|who\b|whose\b|and\b|in\b|at\b|on\b|as\b)[\w’'-]+,?\s+){0,4}?"
_APPOSITION = re.compile(
    r"(?:,\s+(?:\d+,\s+)?|,?\s+(?:is|was|remains|became|has been|had been)\s+(?:not\s+)?)"
    rf"(?:an?|the|his|her|my)\s+{_MODIFIERS}{_NOUN}",
    re.IGNORECASE,
)
# A possessive "her" stands before a word that is no function word.
_FUNCTION_WORDS = (
    "a again an and as asking back at but by during for from he if in into is it of on or "
    "out over she so than that the they to was when with"
)
_NO_NOUN = rf"(?:{'|'.join(_FUNCTION_WORDS.split())})\b"
_SUBJECT = re.compile(r"\b(?:(she|herself)|he|himself)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(rf"\b(?:(her) (?!{_NO_NOUN})[a-z]|his [a-z])", re.IGNORECASE)
_NEXT_SENTENCE = re.compile(r"(?:(She|Her)|He|His)\b")
# A name, a quotation or a sentence's end: a pronoun after it may be another person's.
_BARRIER = re.compile(r"[A-Z]|[“\"]|\n")
_SPEECH = re.compile(
    r",?\s+(?:ha[sd]\s+)?(?:said|says|told\s+[\w ]{2,30}|added|announced|argued|claimed|insisted|noted|stressed|testified|"
    r"vowed|promised|believes|thinks)\s+(?:that\s+)?(?:(she)|he)\b"
)
# What stands between the start of a sentence or clause and its subject.
_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Sir|Dame|Lord|Lady|Sen|Senator|Rep|Gov|Governor|President|Secretary|Minister|Chancellor|Judge)"
_BEFORE_SUBJECT = re.compile(
    rf"(?:[“\"‘']?|.*\b(?:after|although|and|as|because|before|but|if|since|that|though|when|where|while)\s+|"
    rf"(?:(?!\b(?:he|her|his|she|an?|the)\b)[^,])*,\s+)(?:the |former |{_TITLE}\.? )*",
    re.DOTALL | re.IGNORECASE,
)
_OTHER_NAME = re.compile(rf"\b(?!{_TITLE}\b)[A-Z]")
_POSSESSOR = re.compile(r"['’]s?\b|['’]\s")
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})[.!?][\"”’']?\s|\n")
_REACH = 160
_NEARBY = re.compile(
    r"\b(?:(she|her|hers|herself|woman|lady|actress|congresswoman|businesswoman|schoolmistress|gentlewoman)|"
    r"he|him|his|himself|man|gentleman|actor|congressman|businessman|schoolmaster)\b",
    re.IGNORECASE,
)
# The first and the last word of a name, folded; a name of one word is a surname.
Key = tuple[str, str]
_TITLE_WEIGHT = 2
# A clear majority: this share of the votes, and more than one pronoun.
_SHARE, _LEAST = 0.75, 2
FEMALE, MALE = "female", "male"
_GIVEN_NAME_WEIGHT, _NOUN_WEIGHT, _CORPUS_WEIGHT, _MOST_PRONOUNS = 5, 4, 4, 6

# A text, the person's mentions in it, and the starts of all persons' mentions in it.
Mentioned = tuple[str, Sequence[Span], Sequence[int]]


def title_vote(text: str, mention: Span, _starts: Sequence[int] = ()) -> int:
    """1 if a title or a noun in apposition shows that the person is a woman, -1 for a man, else 0."""
    before = _BEFORE.search(text[max(0, mention.start - 30) : mention.start])
    first, _, rest = text[mention.start : mention.end].partition(" ")
    for word in ([before[1]] if before else []) + ([first] if rest else []):
        if vote := _TITLES.get(fold(word), 0):
            return vote
    noun = _APPOSITION.match(text, mention.end)
    return 0 if noun is None else 1 if noun["woman"] else -1


def pronoun_vote(text: str, mention: Span, starts: Sequence[int]) -> int:
    """1 or 2 if a pronoun near a mention tells a woman, -1 or -2 for a man, else 0; 2 for "she", "he" and reflexives.

    The pronoun is the subject of what the person says, or it refers to the person as the subject of a sentence: it follows
    before any other name or quotation, or opens the next sentence. ``starts``: the starts of all persons' mentions.
    """
    if speech := _SPEECH.match(text, mention.end):
        return _vote(speech)
    start = _sentence_start(text, mention.start)
    before = text[start : mention.start]
    is_first = not any(start <= other < mention.start for other in starts) and not _OTHER_NAME.search(before, 1)
    if not is_first or not _BEFORE_SUBJECT.fullmatch(before) or _POSSESSOR.match(text, mention.end):
        return 0
    return _following_vote(text, mention.end)


def _following_vote(text: str, start: int) -> int:
    """The vote of the first pronoun after the subject of a sentence."""
    sentence_end = _SENTENCE_END.search(text, start, start + _REACH)
    barrier = _BARRIER.search(text, start, start + _REACH)
    limit = (
        min(match.start() for match in (sentence_end, barrier) if match) if sentence_end or barrier else start + _REACH
    )
    if subject := _SUBJECT.search(text, start, limit):
        return 2 * _vote(subject)
    if possessive := _POSSESSIVE.search(text, start, limit + 1):
        return _vote(possessive)
    following = sentence_end and limit == sentence_end.start() and _NEXT_SENTENCE.match(text, sentence_end.end())
    return _vote(following) if following else 0


def nearby_vote(text: str, mention: Span, starts: Sequence[int]) -> int:
    """1 if the first pronoun or gendered noun between a mention and the next name is a woman's, -1 for a man's, else 0."""
    limit = min([other for other in starts if other >= mention.end] + [mention.end + _REACH, len(text)])
    word = _NEARBY.search(text, mention.end, limit)
    return 0 if word is None else _vote(word)


def _vote(match: re.Match[str]) -> int:
    return 1 if match[1] else -1


def _sentence_start(text: str, offset: int) -> int:
    ends = [match.end() for match in _SENTENCE_END.finditer(text, max(0, offset - 2000), offset)]
    return ends[-1] if ends else max(0, offset - 2000)


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
    titles = _total(title_vote, texts)
    score += _NOUN_WEIGHT * ((titles > 0) - (titles < 0))
    score += max(-_MOST_PRONOUNS, min(_MOST_PRONOUNS, _total(pronoun_vote, texts)))
    score += _CORPUS_WEIGHT * corpus.vote(names)
    score = score or _total(nearby_vote, texts)
    return FEMALE if score > 0 else MALE if score < 0 else ""


def _total(vote: Callable[[str, Span, Sequence[int]], int], texts: Sequence[Mentioned]) -> int:
    return sum(vote(text, mention, starts) for text, mentions, starts in texts for mention in mentions)
