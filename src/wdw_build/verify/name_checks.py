"""Exports with codes: the texts, the choices, and that no name of a replaced person is left.

The replacements are read from the stage ``pseudonyms``; all else is derived again. A name that is left is a capitalised word
of the export that identifies a replaced person in every reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from wdw_build.records import NameReplacement, Problem, Pseudonyms
from wdw_build.verify.checked_run import CheckedRun, Recorder
from wdw_build.verify.export_checks import BLANK, expected_line, lines_with_problems
from wdw_build.verify.plain_words import letters, name_words, surely_identifying

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CODE = re.compile(r"@entity\d+")


class _Renamed(NamedTuple):
    """A line of the export, the line with the original names, its problem, and the problem's pseudonyms."""

    line: dict[str, Any]
    original: dict[str, Any]
    problem: Problem
    pseudonyms: Pseudonyms

    def text(self, text: str, replacements: Sequence[NameReplacement], start: int = 0, end: int | None = None) -> str:
        """The characters [start, end) of a text with the replacements that lie within them."""
        parts, position, end = [], start, len(text) if end is None else end
        for replacement in replacements:
            if start <= replacement.start and replacement.end <= end:
                parts += [text[position : replacement.start], replacement.code]
                position = replacement.end
        return "".join([*parts, text[position:end]])


def _check_lines(run: CheckedRun, faults: Callable[[_Renamed], Iterator[str]], recorder: Recorder) -> None:
    if run.config.export.names == "original":
        return
    for _, line, problem in lines_with_problems(run):
        pseudonyms = run.pseudonyms.find(problem.id)
        if pseudonyms is None:
            continue
        recorder.count()
        try:
            for fault in faults(_Renamed(line, expected_line(run, problem), problem, pseudonyms)):
                recorder.fail(problem.id, fault)
        except (KeyError, TypeError, AttributeError) as error:
            recorder.fail(problem.id, f"not a line of the export: {error!r}")


def renamed_texts(run: CheckedRun, recorder: Recorder) -> None:
    """Each line of the JSONL export equals the stored problem, except for the replaced names."""
    _check_lines(run, _text_faults, recorder)


def _text_faults(renamed: _Renamed) -> Iterator[str]:
    line, problem, pseudonyms = renamed.line, renamed.problem, renamed.pseudonyms
    expected = renamed.original
    expected["passage"] |= {
        "title": renamed.text(problem.passage.title, pseudonyms.title),
        "text": renamed.text(problem.passage.text, pseudonyms.passage),
    }
    for field in sorted({*expected, *line} - {"question", "choices"}):
        if field not in expected or line[field] != expected[field]:
            yield f"the field {field} is not the original one with its replacements"
    question, sentence, blank = line["question"], problem.question.sentence, problem.question.blank
    parts = [question[part] for part in ("left", "deleted", "right")]
    whole = renamed.text(sentence, pseudonyms.question)
    edges = ((0, blank.start), (blank.start, blank.end), (blank.end, len(sentence)))
    expected_parts = [renamed.text(sentence, pseudonyms.question, *edge) for edge in edges]
    if "".join(parts) != whole or question["text"] != parts[0] + BLANK + parts[2]:
        yield "the question is not the original sentence with its replacements"
    # A replacement across the edge of the blank leaves open which part has which of its characters.
    elif "".join(expected_parts) == whole and parts != expected_parts:
        yield "the blank is not at its original place"
    for part, text in zip(("left", "blank", "right"), parts, strict=True):
        if letters("".join(question["tokens"][part])) != letters(text):
            yield f"the tokens of {part} do not spell its text"
    if question["name"] not in parts[1]:
        yield "the name is not in the deleted phrase"


def renamed_persons(run: CheckedRun, recorder: Recorder) -> None:
    """Each choice has the code of its person; different persons in a problem have different ones."""
    _check_lines(run, _person_faults, recorder)


def _person_faults(renamed: _Renamed) -> Iterator[str]:
    choices, pseudonyms = renamed.line["choices"], renamed.pseudonyms
    persons = pseudonyms.persons
    names = [person.code for person in persons]
    if len(set(names)) < len(names):
        yield f"two persons share a code: {sorted(names)}"
    if len(choices) != len(renamed.problem.choices) or len(set(choices)) < len(choices):
        yield "two choices have one name, or there are more or fewer choices"
    # The name of a person may lack the title that the name of the choice has.
    new_name = {
        renamed.problem.choices[person.choice].name: name
        for person, name in zip(persons, names, strict=True)
        if person.choice is not None
    }
    for choice, given in zip(renamed.original["choices"], choices, strict=False):
        wanted = new_name.get(choice, "")
        if given != wanted:
            yield f"the choice {given!r} is not {wanted!r}"
    for replacement in (*pseudonyms.passage, *pseudonyms.question, *pseudonyms.title):
        if set(_CODE.findall(replacement.code)) != {persons[replacement.person].code}:
            yield f"{replacement.code!r} is not the code of its person"


def names_left(run: CheckedRun, recorder: Recorder) -> None:
    """No capitalised word in a question, title, passage or choice identifies a replaced person."""
    _check_lines(run, _name_faults, recorder)


def _name_faults(renamed: _Renamed) -> Iterator[str]:
    tokens = set[str]().union(*(surely_identifying(person.name) for person in renamed.pseudonyms.persons))
    question, passage = renamed.line["question"], renamed.line["passage"]
    for place, text in (
        *(("question", question["left"] + question["deleted"] + question["right"]), ("title", passage["title"])),
        *(("passage", passage["text"]), ("choices", "\n".join(renamed.line["choices"]))),
        ("tokens", " ".join(token for part in question["tokens"].values() for token in part)),
    ):
        for word in words_left(text, tokens):
            yield f"{word!r} of a replaced person is left in the {place}"


def words_left(text: str, tokens: set[str]) -> Iterator[str]:
    """The capitalised words of a text, and parts of words with hyphens, that are identifying words of a replaced person."""
    for match in _WORD.finditer(text):
        for part in (match[0], *re.split("['’-]", match[0])):
            if part[:1].isupper() and tokens.intersection(name_words(part)):
                yield part
                break
