"""The codes for all names of persons in one problem, and the checks that no name is left and no other word is replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import NameReplacement, Problem, Pseudonyms, RenamedPerson
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.name import BEFORE_A_NAME, GIVEN_NAMES, PARTICLES, fold
from wdw_build.text.names.persons import Entity
from wdw_build.text.pseudonyms.apply import rewritten
from wdw_build.text.pseudonyms.find import FoundName, Mentions, Piece, find_names, word_left
from wdw_build.text.pseudonyms.persons import PASSAGE, NameWords, Person, name_sequence, name_words_of, persons_of

# A number in [0, 1) that depends on run, problem and the text alone.
Draw = Callable[[str], float]
_ORDINARY_WORDS = word_list("common_words") | word_list("words_that_begin_things")
_LOOK = 40
_GIVEN_BEFORE = re.compile(r"(?:(?P<before>[\w.]+) )?(?<![^\W\d_])(?P<given>[^\W\d_a-z][^\W\d_]+) $")
# Words of the list of given names that mostly are titles or other words in newswire, and words that begin places.
_NO_GIVEN_NAMES = BEFORE_A_NAME | _ORDINARY_WORDS | PARTICLES
_BEGIN_PLACES = frozenset("north south east west new port san santa saint st fort lake mount".split())
# A possessive apostrophe after a name that ends with s; a closing quotation mark does not stand before a lower-case word
# unless the quotation was opened with one.
_BARE_POSSESSIVE = re.compile(r"['’](?= [^\W\d_])")
_ENDS_LIKE_A_PLURAL = ("s", "z", "x")


def code_draw(seed: int, stage: str, problem: str) -> Draw:
    """The draws of a problem in a stage."""
    return lambda purpose: uniform_hash(seed, stage, f"{problem}\x1f{purpose}")


class Refused(NamedTuple):
    """Why a problem cannot have pseudonyms: the rejection reason and the evidence."""

    reason: str
    detail: str


@dataclass(frozen=True)
class _Text:
    """A text of a problem with the names of its persons."""

    text: str
    names: Sequence[FoundName]

    def around(self, name: FoundName) -> str:
        return self.text[max(0, name.start - _LOOK) : name.end + _LOOK].replace("\n", " ")


def pseudonyms_of(
    problem: Problem, entities: Sequence[Entity], evidence: NameEvidence, draw: Draw
) -> Pseudonyms | Refused:
    """The persons of a problem with their codes, and the replacements in passage, question and title.

    ``entities`` are the persons that the model tagged in the passage.
    """
    persons = persons_of(problem, entities)
    words = name_words_of(persons)
    texts = _texts(problem, persons, words)
    if missed := _missed(texts, persons):
        return Refused("name-left", missed)
    if ambiguous := next(_ambiguous(texts, persons, evidence), ""):
        return Refused("ambiguous-name", ambiguous)
    codes = _codes(len(persons), draw)
    replaced = [tuple(_replacement(text.text, name, codes) for name in text.names) for text in texts]
    for text, replacements in zip(texts, replaced, strict=True):
        if left := word_left(rewritten(text.text, replacements).text, words):
            return Refused("name-left", left)
    passage, question, title = replaced
    return Pseudonyms(
        id=problem.id,
        persons=tuple(
            RenamedPerson(name=person.name, choice=person.choice, code=code)
            for person, code in zip(persons, codes, strict=True)
        ),
        passage=passage,
        question=question,
        title=title,
    )


def _codes(count: int, draw: Draw) -> list[str]:
    """The codes ``@entity0`` to ``@entityN`` of the persons, permuted."""
    order = sorted(range(count), key=lambda number: (draw(f"code\x1f{number}"), number))
    ranks = {number: rank for rank, number in enumerate(order)}
    return [f"@entity{ranks[number]}" for number in range(count)]


def _replacement(text: str, name: FoundName, codes: Sequence[str]) -> NameReplacement:
    """The code replaces the whole name; a derived word keeps its suffix."""
    code, end = codes[name.person] + name.pieces[-1].suffix, name.end
    if _has_bare_possessive(text, end):
        code, end = f"{code}{text[end]}s", end + 1
    return NameReplacement(start=name.start, end=end, person=name.person, kind=name.kind, code=code)


def _has_bare_possessive(text: str, end: int) -> bool:
    """Whether a name that ends at ``end`` with s is followed by a possessive apostrophe alone ("Jones' car")."""
    if not text[:end].lower().endswith(_ENDS_LIKE_A_PLURAL) or not _BARE_POSSESSIVE.match(text, end):
        return False
    paragraph = text[text.rfind("\n", 0, end) + 1 : end]
    return not re.search(r"(?:^|[\s(—-])['‘]", paragraph)


def _texts(problem: Problem, persons: Sequence[Person], words: NameWords) -> list[_Text]:
    """The passage's text, the question's sentence and the passage's title."""

    def most_mentioned(owners: Sequence[int]) -> list[int]:
        return sorted(owners, key=lambda number: -len(persons[number].mentions[PASSAGE]))

    texts = []
    for place, text in enumerate((problem.passage.text, problem.question.sentence, problem.passage.title)):
        spans = [(span, number) for number, person in enumerate(persons) for span in person.mentions[place]]
        names = list(find_names(text, words, Mentions.of(spans), most_mentioned))
        texts.append(_Text(text, names))
    return texts


def _missed(texts: Sequence[_Text], persons: Sequence[Person]) -> str:
    """A tagged mention that cannot be replaced, or an empty string.

    No word of it is replaced (an address), or it is a choice in the name of another person ("Lyons" in "Allied-Lyons").
    """
    for number, person in enumerate(persons):
        for text, spans in zip(texts, person.mentions, strict=True):
            for span in spans:
                owners = {name.person for name in text.names if name.start < span.end and span.start < name.end}
                if not owners or (person.choice is not None and number not in owners):
                    return text.text[span.start : span.end]
    return ""


def _ambiguous(texts: Sequence[_Text], persons: Sequence[Person], evidence: NameEvidence) -> Iterator[str]:
    """Yield the words that may name something or somebody else, with their context and other meaning."""
    sole = {person.words[0] for person in persons if len(person.words) == 1}
    for text in texts:
        for name in text.names:
            meaning = _relative(text.text, name, persons[name.person], evidence)
            if not meaning and name.kind == "word" and len(name.pieces) == 1:
                meaning = _other_meaning(name.pieces[0], evidence, sole)
            if meaning:
                yield f"{text.around(name)}: {meaning}"


def _other_meaning(piece: Piece, evidence: NameEvidence, sole_names: Set[str]) -> str:
    """Why a lone word outside of the tagged names may not name the person, or an empty string.

    ``sole_names`` are the words that are a person's whole name.
    """
    if piece.is_address:
        return ""
    if piece.word in _ORDINARY_WORDS:
        return f"{piece.word} may be an ordinary word"
    is_other = evidence.other.get(piece.word, 0) > max(1, evidence.person.get(piece.word, 0))
    return f"{piece.word} names something else in the corpus" if is_other and piece.word not in sole_names else ""


def _relative(text: str, name: FoundName, person: Person, evidence: NameEvidence) -> str:
    """Why a surname may be that of a relative, or an empty string: a given name is before it.

    The tagger leaves given names out: in "Chelsea [Clinton]", the mention passes for one of Bill Clinton.
    """
    match = _GIVEN_BEFORE.search(text[max(0, name.start - _LOOK) : name.start])
    if match is None or name.pieces[-1].suffix or not _is_surname(name, person):
        return ""
    given, surname = fold(match["given"]), name.pieces[-1].word
    if given in _NO_GIVEN_NAMES or fold(match["before"] or "") in _BEGIN_PLACES:
        return ""
    is_given = given in GIVEN_NAMES or evidence.leaning(f"{given} {surname}") > 1
    return f"{match['given']} may be a relative" if is_given else ""


def _is_surname(written: FoundName, person: Person) -> bool:
    """Whether a name ends like one of the person's names, and does not begin like a full one."""
    first, last = written.pieces[0].word, written.pieces[-1].word
    sequences = [name_sequence(name) for name in person.names]
    begins = any(len(words) > 1 and words[0] == first for words in sequences)
    return not begins and any(words[-1:] == (last,) for words in sequences)
