"""Compares the XML export with the JSONL export, problem by problem in the order of the files.

A file with a document type is not parsed, so no entity is expanded. Characters that XML 1.0 forbids are ignored.
The deleted phrase is compared as a whole; of its three parts in the XML, the middle one must be the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.records import Problem, SplitAssignment
from wdw_build.verify.checks.exports import XML_OF, expected_files, expected_line, ordered, read_lines
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders
from wdw_build.verify.words import letters

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROLOG_BYTES = 1024


class XmlProblem(msgspec.Struct, frozen=True):
    """The content of one ``mc`` element."""

    id: str
    left: str
    deleted: tuple[str, str, str]
    kind: str
    right: str
    passage: str
    text: str
    choices: tuple[str, ...]
    correct: tuple[int, ...]
    numbered: bool


def has_doctype(path: Path) -> bool:
    """Whether the file has a document type before ``<ROOT>``, or no ``<ROOT>`` in its first bytes."""
    with path.open("rb") as stream:
        before, root, _ = stream.read(_PROLOG_BYTES).partition(b"<ROOT>")
    return not root or b"<!" in before


def _text(parent: ElementTree.Element, name: str) -> str:
    return parent.findtext(name) or ""


def _problem(element: ElementTree.Element) -> XmlProblem:
    question = element.find("question")
    question = ElementTree.Element("question") if question is None else question
    passage = element.find("contextart")
    passage = ElementTree.Element("contextart") if passage is None else passage
    blank = question.find("blank")
    choices = element.findall("choice")
    return XmlProblem(
        id=question.get("id", ""),
        left=_text(question, "leftcontext"),
        deleted=(_text(question, "leftblank"), _text(question, "blank"), _text(question, "rightblank")),
        kind="" if blank is None else blank.get("type", ""),
        right=_text(question, "rightcontext"),
        passage=passage.get("id", ""),
        text=passage.text or "",
        choices=tuple(choice.text or "" for choice in choices),
        correct=tuple(index for index, choice in enumerate(choices) if choice.get("correct") == "true"),
        numbered=[choice.get("idx") for choice in choices] == [str(index) for index in range(len(choices))],
    )


def read_xml(path: Path) -> Iterator[XmlProblem]:
    """Stream the problems of a file. Raises ``ElementTree.ParseError``."""
    root = None
    for event, element in ElementTree.iterparse(path, events=("start", "end")):  # noqa: S314 (see has_doctype)
        root = element if root is None else root
        if event == "end" and element.tag == "mc":
            yield _problem(element)
            root.clear()


def _legal(text: str) -> str:
    return _ILLEGAL.sub("", text)


def differences(line: dict[str, Any], in_xml: XmlProblem) -> Iterator[str]:
    """The differences between a problem in XML and its JSONL line, one message each."""
    question, passage = line["question"], line["passage"]
    tokens = question["tokens"]
    pairs = {
        "id": (line["id"], in_xml.id),
        "leftcontext": (" ".join(tokens["left"]), in_xml.left),
        "rightcontext": (" ".join(tokens["right"]), in_xml.right),
        "contextart id": (passage["id"], in_xml.passage),
        "contextart": (passage["text"], in_xml.text),
        "type": ("PERSON", in_xml.kind),
    }
    for name, (wanted, given) in pairs.items():
        if _legal(wanted) != given:
            yield f"{name}: {given[:80]!r}, not {wanted[:80]!r}"
    if in_xml.choices != tuple(map(_legal, line["choices"])):
        yield f"the choices are {in_xml.choices}, not {tuple(line['choices'])}"
    if in_xml.correct != (line["answer"],) or not in_xml.numbered:
        yield f"the choices {in_xml.correct} are marked correct, not {line['answer']}, or idx does not count from 0"
    phrase = " ".join(part for part in in_xml.deleted if part)
    if phrase not in {_legal(" ".join(tokens["blank"])), _legal(" ".join(question["deleted"].split()))}:
        yield f"the deleted phrase is {phrase!r}, not {' '.join(tokens['blank'])!r}"
    if letters(in_xml.deleted[1]) != letters(_legal(question["name"])):
        yield f"the blank is {in_xml.deleted[1]!r}, not {question['name']!r}"


def _lines(files: RunFiles, name: str, placed: dict[str, SplitAssignment], config: Config) -> Iterator[dict[str, Any]]:
    """The lines of a JSONL file; if JSONL was not exported, the lines that the export would write."""
    if "jsonl" in config.export.formats:
        yield from read_lines(files.exported(name))
        return
    for problem in files.records("problems", Problem):
        if problem.id in placed and name in expected_files(placed[problem.id], ("jsonl",)):
            yield expected_line(ordered(problem, config), placed[problem.id].level)


def check(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Compare each XML file with its JSONL file."""
    for jsonl, xml in XML_OF.items():
        path = files.exported(xml)
        if has_doctype(path):
            recorders["export-xml"].fail(xml, "has a document type or no <ROOT>, so it was not read")
            continue
        try:
            _compare(_lines(files, jsonl, placed, config), path, jsonl, recorders["export-xml"])
        except ElementTree.ParseError as error:
            recorders["export-xml"].fail(xml, f"is not well-formed: {error}")


def _compare(lines: Iterator[dict[str, Any]], path: Path, jsonl: str, recorder: CheckRecorder) -> None:
    for line, in_xml in zip_longest(lines, read_xml(path)):
        recorder.count()
        if line is None or in_xml is None:
            problem_id, file = (in_xml.id, jsonl) if line is None else (line["id"], path.name)
            recorder.fail(problem_id, f"is missing from {file}")
        else:
            for wrong in differences(line, in_xml):
                recorder.fail(line["id"], f"{path.name}: {wrong}")
