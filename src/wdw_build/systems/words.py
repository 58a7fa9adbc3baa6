"""Words for systems that match words: normalised tokens, stems, bags of words, cosine similarity, closed word classes."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wdw_build.reading import ReadingProblem


@functools.lru_cache(maxsize=1 << 16)
def normalise(token: str) -> str:
    """The token casefolded, with straight apostrophes; empty if it has neither letters nor digits."""
    if token.isalnum():
        return token.casefold()
    return token.casefold().replace("’", "'") if any(map(str.isalnum, token)) else ""


def normalised(tokens: Iterable[str]) -> list[str]:
    """The normalised tokens in order, without punctuation."""
    return [word for word in map(normalise, tokens) if word]


@dataclass(frozen=True)
class Bag:
    """A bag of words."""

    counts: Counter[str]
    norm: float
    """Euclidean length of the vector of counts."""


def bag(words: Iterable[str]) -> Bag:
    """The words with their counts."""
    counts = Counter(words)
    return Bag(counts, math.sqrt(sum(count * count for count in counts.values())))


def cosine(left: Bag, right: Bag) -> float:
    """Cosine of the angle between two vectors of counts, 0 to 1; 0 if either bag is empty."""
    if not left.norm or not right.norm:
        return 0.0
    small, large = sorted((left.counts, right.counts), key=len)
    return sum(count * large[word] for word, count in small.items() if word in large) / (left.norm * right.norm)


@dataclass(frozen=True)
class ProblemWords:
    """The normalised words of a problem. The blank is not a word of the question."""

    question: list[str]
    sentences: list[list[str]]
    """The words of each sentence of the passage."""
    choices: list[list[str]]
    """The words of each choice's name."""

    @property
    def passage(self) -> list[str]:
        """The words of the passage."""
        return [word for sentence in self.sentences for word in sentence]


def problem_words(problem: ReadingProblem) -> ProblemWords:
    """The normalised words of a problem."""
    tokens = problem.passage_tokens
    question = [token for index, token in enumerate(problem.question_tokens) if index != problem.blank]
    return ProblemWords(
        question=normalised(question),
        sentences=[normalised(tokens[first:last]) for first, last in problem.sentences()],
        choices=[normalised(choice.tokens) for choice in problem.choices],
    )


_VOWELS = frozenset("aeiouy")
_LEAST_STEM = 2
# The first suffix that fits is replaced.
_SUFFIXES = (
    ("'s", ""),
    ("’s", ""),
    ("ies", "y"),
    ("ied", "y"),
    *((f"{sound}es", sound) for sound in ("ss", "sh", "ch", "x")),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_NO_PLURAL = ("ss", "us", "is")
_DOUBLED = frozenset("bdgmnprt")


def stem(word: str) -> str:
    """The stem of a word in lower case: "hopping", "hopped" and "hops" are "hop"; "hoping" and "hopes" are "hop" too.

    The stem keeps two letters and a vowel. A final "e" is removed.
    """
    for suffix, ending in _SUFFIXES:
        base = word[: -len(suffix)]
        if not word.endswith(suffix) or len(base) < _LEAST_STEM or not _VOWELS.intersection(base):
            continue
        if suffix == "s" and word.endswith(_NO_PLURAL):
            return word
        if suffix in ("ing", "ed") and base[-1] == base[-2] and base[-1] in _DOUBLED:
            base = base[:-1]
        return (base + ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _LEAST_STEM + 1 else word


WH_WORDS = frozenset("who whom whose what which where when why how".split())
AUXILIARIES = frozenset("do does did".split())
COPULAS = frozenset("is are was were be been am 's ’s".split())
MASCULINE = frozenset("he him his himself".split())
FEMININE = frozenset("she her hers herself".split())
PRONOUNS = MASCULINE | FEMININE
IRREGULAR_VERBS = frozenset(
    "said says say was were is are had has have did does do made make makes took take takes told tell tells gave give gives "
    "went go goes came come comes got get gets saw see sees knew know knows thought think thinks found find finds left leave "
    "leaves felt feel feels put puts kept keep keeps let lets began begin begins met meet meets ran run runs held hold holds "
    "brought bring brings wrote write writes sat sit sits stood stand stands lost lose loses paid pay pays sent send sends "
    "built build builds fell fall falls led lead leads spoke speak speaks spent spend spends won win wins bought buy buys "
    "became become becomes broke break breaks chose choose chooses drew draw draws drove drive drives ate eat eats fought "
    "fight fights flew fly flies forgot forget forgets hid hide hides hit hits hurt hurts read reads rode ride rides rose "
    "rise rises sang sing sings sold sell sells set sets shot shoot shoots slept sleep sleeps swam swim swims taught teach "
    "teaches threw throw throws understood understand wore wear wears quit will would should could".split()
)
MASCULINE_TITLES = frozenset("mr sir lord king prince father uncle brother grandpa dad".split())
FEMININE_TITLES = frozenset("mrs ms miss lady queen princess mother aunt sister grandma mom".split())
MASCULINE_NAMES = frozenset(
    "james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald "
    "steven paul andrew joshua kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas "
    "eric jonathan stephen larry justin scott brandon benjamin samuel gregory frank alexander raymond patrick jack dennis "
    "jerry tyler aaron jose henry adam douglas nathan peter zachary kyle walter harold jeremy ethan carl keith roger "
    "gerald christian terry sean arthur austin noah lawrence jesse joe bryan billy jordan albert dylan bruce willie "
    "gabriel alan juan logan wayne ralph roy eugene randy vincent russell louis philip bobby johnny bradley bob bill tom "
    "jim mike steve dave dan tim fred ben sam greg jeff ken tony ted barack rick mitt al max todd ron don jimmy tommy "
    "danny andy mikhail boris vladimir yasser yitzhak benjamin helmut jacques francois saddam osama mohammed ali".split()
)
FEMININE_NAMES = frozenset(
    "mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley "
    "kimberly emily donna michelle carol amanda melissa deborah stephanie dorothy rebecca sharon laura cynthia amy "
    "kathleen angela shirley brenda emma anna pamela nicole samantha katherine christine helen debra rachel carolyn janet "
    "maria catherine heather diane olivia julie joyce victoria ruth virginia lauren kelly christina joan evelyn judith "
    "andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice ann kathryn abigail sophia frances "
    "jean alice judy isabella julia grace amber denise danielle marilyn beverly charlotte natalie theresa diana brittany "
    "doris kayla alexis lori marie hillary monica condoleezza angela benazir indira sally lucy kate jane jenny lily molly "
    "sue annie ellen tina katie anne rose ella chelsea ivanka melania nancy janet sonia susie mandy wendy".split()
)


def is_verb(word: str) -> bool:
    """Whether a word in lower case looks like a finite verb: one of the frequent ones, or a form in -ed."""
    return word in IRREGULAR_VERBS or (word.endswith("ed") and len(word) > len("need"))
