"""Rules that estimate what finding an answer takes: the decisive sentence of the passage, and how it refers to the answer.

The decisive sentence is the nearest to the question that can refer to the answer: by a name, a pronoun or a description. The
rules work on words, without a parser.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from wdw_build.api import STOP_WORDS, TITLES_NEVER_LAST, words
from wdw_build.records import Problem, Question, Span, TokenSpan

Phenomenon = Literal["named", "pronominal", "nominal", "multiple", "other"]
# The cosine of a text and each of several others.
Cosines = Callable[[str, Sequence[str]], Sequence[float]]
# Added to the nearness of a sentence that names the answer: a pronoun or a description may be another person's.
NAMED_FIRST = 0.1
# Below this nearness no sentence decides.
LEAST_NEARNESS = 0.2
# Below both, the decisive sentence has hardly a word of the question and does not mean the same: it decides nothing.
LEAST_OVERLAP, LEAST_COSINE = 0.05, 0.4
# Most characters between the name and a pronoun.
REACH = 400

_PRONOUN = re.compile(r"\b(?:(?P<she>she|her|hers|herself)|(?P<he>he|him|his|himself))\b", re.IGNORECASE)
_ROLES = (
    frozenset(
        "actor actress adviser aide analyst artist attorney author banker boss boy candidate captain champion chancellor chef "
        "chief coach commander commissioner companion conductor congressman congresswoman counsel critic daughter defendant "
        "deputy designer diplomat director doctor driver economist editor engineer envoy executive father founder girl "
        "governor guard head heir host husband inspector inventor investigator journalist judge king lawmaker lawyer leader "
        "magistrate maker man manager mayor minister mogul mother mover negotiator nominee nurse officer official opponent "
        "owner painter partner pilot player poet president priest prince princess professor prosecutor queen reporter "
        "representative republican democrat researcher rival runner scholar scientist secretary senator sheriff singer skipper "
        "soldier son spokesman spokeswoman star student successor predecessor surgeon suspect teacher treasurer tycoon umpire "
        "veteran victim widow wife winner witness woman worker writer chairman chairwoman".split()
    )
    | TITLES_NEVER_LAST
)
# "the former steel company president", "his treasurer": a determiner, at most four words, and a role.
_DESCRIPTION = re.compile(
    r"\b(?:the|this|that|his|her|their|its|[\w-]+['’]s)\s+(?:[\w'’.-]+\s+){0,4}?"
    rf"(?P<role>{'|'.join(sorted(_ROLES))})\b(?!\s+[A-Z])"
)
_BESIDE = 60
# The text in the blank when sentence vectors are compared.
_BLANK = "someone"
# The weight of a word halves at this many words from the blank.
_HALF = 8


class NearSentence(NamedTuple):
    """A sentence of a passage with its nearness to the question."""

    start: int
    """Offset of its first character in the passage."""
    text: str
    overlap: float
    """Weighted share of the question's words that the sentence has."""
    cosine: float
    """Cosine of the sentence vectors of question and sentence."""

    @property
    def nearness(self) -> float:
        """Overlap and cosine together, at most 2."""
        return self.overlap + self.cosine


class Links(NamedTuple):
    """The decisive sentence, and how it refers to the answer."""

    phenomenon: Phenomenon
    sentence: NearSentence | None
    """The decisive sentence; None if no sentence can refer to the answer."""
    reason: str
    """The pronoun or the description, or why the rules do not decide."""


def links_of(problem: Problem, sentences: Sequence[NearSentence], gender: str) -> Links:
    """The decisive sentence: of the sentences that can refer to the answer, the nearest to the question.

    A sentence that names the answer has ``NAMED_FIRST`` added to its nearness; of equally near ones, the first counts.
    ``gender`` is that of the answer (`female`, `male`), empty if unknown.
    """
    answer = _Answer(problem, gender)
    linked = [(links, sentence) for sentence in sentences if (links := answer.links(sentence)) is not None]
    if not linked:
        return Links("other", None, "no sentence names the person or has a pronoun or description that fits")
    best, sentence = max(
        linked, key=lambda pair: pair[1].nearness + (NAMED_FIRST if pair[0].phenomenon == "named" else 0.0)
    )
    is_unlike = sentence.overlap < LEAST_OVERLAP and sentence.cosine < LEAST_COSINE
    if is_unlike or sentence.nearness < LEAST_NEARNESS:
        return best._replace(phenomenon="other", reason="no sentence about the person is near to the question")
    return best


class _Answer:
    """Finds how a sentence refers to the answer of one problem."""

    def __init__(self, problem: Problem, gender: str) -> None:
        self._gender = gender
        self._mentions = problem.choices[problem.answer].mentions
        self._roles = _roles_beside(problem)
        self._others = list(_other_mentions(problem))

    def links(self, sentence: NearSentence) -> Links | None:
        """How the sentence refers to the answer; None if it does not."""
        end = sentence.start + len(sentence.text)
        if any(mention.start < end and sentence.start < mention.end for mention in self._mentions):
            return Links("named", sentence, "")
        references = [*self._pronouns(sentence), *self._descriptions(sentence)]
        if not references:
            return None
        phenomena = {phenomenon for phenomenon, _ in references}
        phenomenon: Phenomenon = "multiple" if len(phenomena) > 1 else references[0][0]
        return Links(phenomenon, sentence, "; ".join(dict.fromkeys(text for _, text in references)))

    def _pronouns(self, sentence: NearSentence) -> Iterator[tuple[Phenomenon, str]]:
        """The first pronoun before which the answer is the person that was named last."""
        for match in _PRONOUN.finditer(sentence.text):
            start = sentence.start + match.start()
            last_mention = max((mention.start for mention in self._mentions if mention.start < start), default=-1)
            last_other = max((place for place in self._others if place < start), default=-1)
            fits = self._gender not in ((MALE,) if match["she"] else (FEMALE,))
            if fits and last_mention > last_other and start - last_mention < REACH:
                yield "pronominal", match[0]
                return

    def _descriptions(self, sentence: NearSentence) -> Iterator[tuple[Phenomenon, str]]:
        """The first description whose role is beside a name of the person."""
        for match in _DESCRIPTION.finditer(sentence.text):
            if match["role"] in self._roles:
                yield "nominal", match[0]
                return


def _other_mentions(problem: Problem) -> Iterator[int]:
    """The starts of all mentions of other persons: the other choices, and the other names of the question."""
    for number, choice in enumerate((*problem.choices, *problem.persons)):
        if number != problem.answer and choice != problem.choices[problem.answer]:
            yield from (mention.start for mention in choice.mentions)
    for other in problem.question.others:
        last = other.text.split()[-1]
        yield from (match.start() for match in re.finditer(rf"\b{re.escape(last)}\b", problem.passage.text))


def _roles_beside(problem: Problem) -> frozenset[str]:
    """The roles beside the mentions of the answer in the passage, and in the deleted phrase and beside it."""
    passage, question = problem.passage.text, problem.question
    texts = [_beside(passage, mention) for mention in problem.choices[problem.answer].mentions]
    texts += [question.blank.text, _beside(question.sentence, question.blank)]
    return frozenset(word for text in texts for word in _roles(text))


def _beside(text: str, mention: Span) -> str:
    """The title before a mention and the apposition after it: at most three words before, and seven after a comma."""
    before = re.split(r"[.!?,;:]\s|\n", text[max(0, mention.start - _BESIDE) : mention.start])[-1].split()[-3:]
    after = re.split(r"[.!?;:]\s|\n", text[mention.end : mention.end + _BESIDE])[0]
    return " ".join([*before, *(after.split()[:7] if after.startswith(",") else [])])


def _roles(text: str) -> Iterator[str]:
    return (word for word in re.findall(r"[a-z-]+", text.casefold()) if word in _ROLES)


# ---- nearness --------------------------------------------------------------------------------------------------------


def sentence_spans(text: str, sentences: Iterable[str]) -> Iterator[TokenSpan]:
    """Start and end of each sentence; the sentences are pieces of the text in order."""
    end = 0
    for sentence in sentences:
        start = text.index(sentence, end)
        end = start + len(sentence)
        yield start, end


def near_sentences(problem: Problem, sentences: Sequence[str], cosines_of: Cosines) -> list[NearSentence]:
    """The sentences of a problem's passage with their nearness to the question, in order.

    A content word of the question weighs its inverse sentence frequency in the passage, and less the further it is from
    the blank. The names of the choices count in neither text. For the cosine, `someone` is in the blank.
    """
    question = problem.question
    names = frozenset(word for choice in problem.choices for word in words(choice.name))
    bags = [frozenset(words(sentence)) for sentence in sentences]
    weights = _weights(question, bags, names)
    total = math.fsum(weights.values()) or 1.0
    cosines = cosines_of(question.filled(_BLANK), sentences)
    return [
        NearSentence(
            start,
            sentence,
            math.fsum(weight for word, weight in weights.items() if word in bag) / total,
            cosine,
        )
        for (start, _), sentence, bag, cosine in zip(
            sentence_spans(problem.passage.text, sentences), sentences, bags, cosines, strict=True
        )
    ]


def _weights(question: Question, bags: Sequence[frozenset[str]], names: frozenset[str]) -> dict[str, float]:
    """The weight of each content word of the question, without the names."""
    counts = Counter(word for bag in bags for word in bag)
    weights: dict[str, float] = {}
    for side in (reversed(words(question.left)), words(question.right)):
        for distance, word in enumerate(side):
            if word not in STOP_WORDS and word not in names:
                rarity = math.log1p(len(bags) / (counts[word] + 0.5))
                weights[word] = max(weights.get(word, 0.0), rarity / (1 + distance / _HALF))
    return weights


# ---- gender ----------------------------------------------------------------------------------------------------------

# By titles and nouns before the name, and by the pronouns after it.
FEMALE, MALE = "female", "male"
_TITLE_BEFORE = re.compile(
    r"\b(?:(?P<she>mrs|ms|miss|dame|queen|princess|lady|actress|aunt|daughter|mother|sister|spokeswoman|widow|wife)|"
    r"mr|sir|king|prince|lord|actor|brother|father|husband|son|spokesman|uncle)\.?,? ?$",
    re.IGNORECASE,
)
_PRONOUN_AFTER = re.compile(r"\b(?:(?P<she>she|her|hers|herself)|he|him|his|himself)\b", re.IGNORECASE)
# A title outweighs this many pronouns, which may be another person's.
_TITLE_WEIGHT = 3
_LOOK_BACK, _PRONOUN_REACH = 30, 160


def gender_of(text: str, mentions: Sequence[Span], others: Sequence[int]) -> str:
    """``female``, ``male``, or an empty string if nothing tells. ``others``: the starts of all persons' mentions."""
    votes = 0
    for mention in mentions:
        title = _TITLE_BEFORE.search(text[max(0, mention.start - _LOOK_BACK) : mention.start])
        # The first pronoun before the next name is likely to be the person's.
        limit = min([start for start in others if start >= mention.end] + [mention.end + _PRONOUN_REACH])
        pronoun = _PRONOUN_AFTER.search(text, mention.end, limit)
        votes += _TITLE_WEIGHT * _vote(title) + _vote(pronoun)
    return FEMALE if votes > 0 else MALE if votes < 0 else ""


def _vote(pronoun: re.Match[str] | None) -> int:
    return 0 if pronoun is None else 1 if pronoun["she"] else -1
