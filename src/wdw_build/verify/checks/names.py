"""Exports with codes or surrogates: the texts, the choices, and that no name of a replaced person is left.

The replacements are read from the stage ``pseudonyms``; all else is derived again. A leak is a capitalised word of the
export that identifies a replaced person in every reading. Codes and surrogates must tell the persons of a problem apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from wdw_build.core.config.settings import Config, ExportConfig
from wdw_build.records import FirstSentence, NameReplacement, Problem, Pseudonyms, RenamedPerson, SplitAssignment
from wdw_build.verify.checks.exports import (
    BLANK,
    FIELDS,
    XML_OF,
    compare_ids,
    expected_line,
    ordered,
    read_lines,
    seen_once,
)
from wdw_build.verify.files import RecordsById, RunFiles
from wdw_build.verify.report import Recorders
from wdw_build.verify.words import is_subsequence, letters, name_words, surely_identifying

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_HANDLE = re.compile(r"[@#](\w+)")
_CODE = re.compile(r"@entity\d+")
_DERIVED = ("onomics", "nomics", "omics", "esque", "mania", "gate")
_LEAST_IN_A_HANDLE = 5
_LEAST_DERIVED_FROM = 4


def without_rejected(
    files: RunFiles, placed: dict[str, SplitAssignment], config: ExportConfig
) -> dict[str, SplitAssignment]:
    """The placements of the problems that have pseudonyms; all if ``export.names`` is ``original``."""
    if config.names == "original":
        return placed
    renamed = set(files.ids("pseudonyms"))
    return {name: place for name, place in placed.items() if name in renamed}


class Renamed(NamedTuple):
    """A problem in the order of the export, its pseudonyms, and the configured names."""

    problem: Problem
    pseudonyms: Pseudonyms
    names: str

    def text(self, text: str, replacements: Iterable[NameReplacement]) -> str:
        """A text with its replacements."""
        parts, position = [], 0
        for replacement in replacements:
            new = replacement.code if self.names == "codes" else replacement.surrogate
            parts += [text[position : replacement.start], new]
            position = replacement.end
        return "".join([*parts, text[position:]])


def check(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Check every line of the JSONL export of problems with replaced names."""
    problems = RecordsById(files, "problems", Problem, placed)
    pseudonyms = RecordsById(files, "pseudonyms", Pseudonyms, placed)
    for name in XML_OF:
        seen: set[str] = set()
        for line in read_lines(files.exported(name)):
            problem_id = seen_once(line.get("id"), seen, name, recorders["export-files"])
            seen.add(problem_id)
            problem, replaced = problems.find(problem_id), pseudonyms.find(problem_id)
            if problem_id in placed and problem and replaced:
                renamed = Renamed(problem, replaced, config.export.names)
                _check_line(line, renamed, config, placed[problem_id].level, recorders)
        compare_ids(seen, name, placed, recorders["export-files"])


def _check_line(line: dict[str, Any], renamed: Renamed, config: Config, level: str, recorders: Recorders) -> None:
    checks: dict[str, Callable[[], Iterator[str]]] = {
        "renamed-texts": lambda: _text_faults(line, renamed, ordered(renamed.problem, config), level),
        "renamed-persons": lambda: _person_faults(line, renamed, ordered(renamed.problem, config)),
        "names-left": lambda: _names_left(line, renamed.pseudonyms),
    }
    for name, faults in checks.items():
        recorders[name].count()
        try:
            for fault in faults():
                recorders[name].fail(renamed.problem.id, fault)
        except (KeyError, TypeError, AttributeError) as error:
            recorders[name].fail(renamed.problem.id, f"not a line of the export: {error!r}")


def _text_faults(line: dict[str, Any], renamed: Renamed, problem: Problem, level: str) -> Iterator[str]:
    """How a line differs from the original problem with its replacements."""
    expected, pseudonyms = expected_line(problem, level), renamed.pseudonyms
    expected["passage"] |= {
        "title": renamed.text(problem.passage.title, pseudonyms.title),
        "text": renamed.text(problem.passage.text, pseudonyms.passage),
    }
    for field in sorted({*FIELDS, *line} - {"question", "choices"}):
        if field not in expected or line[field] != expected[field]:
            yield f"the field {field} is not the original one with its replacements"
    question = line["question"]
    parts = [question[part] for part in ("left", "deleted", "right")]
    sentence = renamed.text(problem.question.sentence, pseudonyms.question)
    left, right = (renamed.text(*part) for part in _outside(problem, pseudonyms.question))
    if "".join(parts) != sentence or question["text"] != parts[0] + BLANK + parts[2]:
        yield "the question is not the original sentence with its replacements"
    # A replacement across the edge of the blank leaves open which part has which of its characters.
    elif _is_within(problem, pseudonyms.question) and (parts[0], parts[2]) != (left, right):
        yield "the blank is not at its original place"
    for part, text in zip(("left", "blank", "right"), parts, strict=True):
        if letters("".join(question["tokens"][part])) != letters(text):
            yield f"the tokens of {part} do not spell its text"
    if question["name"] not in parts[1]:
        yield "the name is not in the deleted phrase"


def _outside(problem: Problem, replacements: Sequence[NameReplacement]) -> Iterator[tuple[str, list[NameReplacement]]]:
    """The original text left and right of the blank, each with its replacements."""
    question = problem.question
    yield question.sentence[: question.blank.start], [one for one in replacements if one.end <= question.blank.start]
    end = question.blank.end
    moved = [
        NameReplacement(
            start=one.start - end,
            end=one.end - end,
            person=one.person,
            kind=one.kind,
            code=one.code,
            surrogate=one.surrogate,
        )
        for one in replacements
        if one.start >= end
    ]
    yield question.sentence[end:], moved


def _is_within(problem: Problem, replacements: Sequence[NameReplacement]) -> bool:
    edges = (problem.question.blank.start, problem.question.blank.end)
    return not any(one.start < edge < one.end for one in replacements for edge in edges)


def _person_faults(line: dict[str, Any], renamed: Renamed, problem: Problem) -> Iterator[str]:
    """Choices with another name than that of their person, and names that two persons share."""
    persons = renamed.pseudonyms.persons
    names = [person.code if renamed.names == "codes" else person.surrogate for person in persons]
    if len(set(names)) < len(names):
        yield f"two persons share a name: {sorted(names)}"
    new_name = {
        renamed.problem.choices[person.choice].name: name
        for person, name in zip(persons, names, strict=True)
        if person.choice is not None
    }
    for choice, given in zip(problem.choices, line["choices"], strict=False):
        wanted = new_name.get(choice.name, "")
        # The passage may give the surrogate with initials.
        fits = given == wanted if renamed.names == "codes" else is_subsequence(name_words(wanted), name_words(given))
        if not fits:
            yield f"the choice {given!r} is not {wanted!r}"
    if len(line["choices"]) != len(problem.choices) or len(set(line["choices"])) < len(problem.choices):
        yield "two choices have one name, or there are more or fewer choices"
    for person in persons:
        for mention in renamed.problem.choices[person.choice].mentions if person.choice is not None else ():
            if not any(
                one.start < mention.end and mention.start < one.end and _may_be(person, persons[one.person])
                for one in renamed.pseudonyms.passage
            ):
                yield f"a mention of {person.name!r} is not replaced"
    replacements = (*renamed.pseudonyms.passage, *renamed.pseudonyms.question, *renamed.pseudonyms.title)
    for replacement in replacements:
        if set(_CODE.findall(replacement.code)) != {persons[replacement.person].code}:
            yield f"{replacement.code!r} is not the code of its person"


def _may_be(choice: RenamedPerson, bearer: RenamedPerson) -> bool:
    """Whether a mention of a choice may be replaced as the name of another person: a relative who is no choice."""
    shares_word = bool(set(name_words(choice.name)) & set(name_words(bearer.name)))
    return bearer is choice or (bearer.choice is None and shares_word)


def _names_left(line: dict[str, Any], pseudonyms: Pseudonyms) -> Iterator[str]:
    """Capitalised words, and handles, that name a replaced person."""
    tokens = set[str]().union(*(surely_identifying(person.name) for person in pseudonyms.persons))
    question, passage = line["question"], line["passage"]
    sentence = question["left"] + question["deleted"] + question["right"]
    for place, text in (
        *(("question", sentence), ("title", passage["title"]), ("passage", passage["text"])),
        ("choices", "\n".join(line["choices"])),
        ("tokens", " ".join(token for part in question["tokens"].values() for token in part)),
    ):
        for word in leaks(text, tokens):
            yield f"{word!r} of a replaced person is left in the {place}"


def leaks(text: str, tokens: set[str]) -> Iterator[str]:
    """The words of a text that hold an identifying token of a replaced person."""
    for match in _WORD.finditer(text):
        for part in (match[0], *re.split("['’-]", match[0])):
            if part[:1].isupper() and any(_tells(word, tokens) for word in name_words(part)):
                yield part
                break
    long_tokens = [token for token in tokens if len(token) >= _LEAST_IN_A_HANDLE]
    for match in _HANDLE.finditer(text):
        if not _CODE.match(match[0]) and any(token in match[1].casefold() for token in long_tokens):
            yield match[0]


def _tells(word: str, tokens: set[str]) -> bool:
    stems = (word.removesuffix(suffix) for suffix in _DERIVED if word.endswith(suffix))
    return word in tokens or any(len(stem) >= _LEAST_DERIVED_FROM and stem in tokens for stem in stems)


def check_surrogates(files: RunFiles, config: ExportConfig, recorders: Recorders) -> None:
    """Compare the surrogates with the persons of the first sentences and with all choices."""
    if config.names != "surrogate":
        return
    recorder = recorders["surrogates-new"]
    owners: dict[tuple[str, ...], str] = {}
    for pseudonyms in files.records("pseudonyms", Pseudonyms):
        for person in pseudonyms.persons:
            recorder.count()
            owners.setdefault(tuple(name_words(person.surrogate)), pseudonyms.id)
    surnames = {words[-1]: problem for words, problem in owners.items() if len(words) > 1}
    for name in _persons_of(files):
        words = tuple(name_words(name))
        if words in owners:
            recorder.fail(owners[words], f"the surrogate {name!r} is a person of the corpus")
        elif len(words) > 1 and words[-1] in surnames:
            recorder.fail(surnames[words[-1]], f"a surrogate has the surname of {name!r}, a person of the corpus")


def _persons_of(files: RunFiles) -> Iterator[str]:
    for sentence in files.records("sentences", FirstSentence):
        for name in sentence.names:
            if name.kind == "PERSON":
                yield sentence.text[sentence.spans[name.start][0] : sentence.spans[name.end - 1][1]]
    for problem in files.records("problems", Problem):
        yield from (choice.name for choice in problem.choices)
