"""The exports beside JSONL: XML, compared with the JSONL export, and the answers as spans of SQuAD and QUOREF.

An XML file with a document type is not parsed, so no entity is expanded. Characters that XML 1.0 forbids are ignored.
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

from wdw_build.errors import CheckError
from wdw_build.records import Problem
from wdw_build.verify.checked_run import CheckedRun, Recorder
from wdw_build.verify.export_checks import XML_OF, belongs_in, expected_line, lines_of
from wdw_build.verify.plain_words import is_subsequence, letters, name_words

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PROLOG_BYTES = 1024
_SPAN_FORMATS = ("squad", "quoref")
_SPAN_FILES = ("train.json", "train.relaxed.json", "validation.json", "test.json")


def export_xml(run: CheckedRun, recorder: Recorder) -> None:
    """The XML export equals the JSONL export, problem by problem."""
    export = run.config.export
    if "wdw-xml" not in export.formats or ("jsonl" not in export.formats and export.names != "original"):
        return
    for jsonl, xml in XML_OF.items():
        path = run.files.file(f"{run.export_folder}/{xml}")
        if _has_doctype(path):
            recorder.fail(xml, "has a document type or no <ROOT>, so it was not read")
            continue
        try:
            _compare(_lines(run, jsonl), path, jsonl, recorder)
        except ElementTree.ParseError as error:
            recorder.fail(xml, f"is not well-formed: {error}")


def _has_doctype(path: Path) -> bool:
    """Whether the file has a document type before ``<ROOT>``, or no ``<ROOT>`` in its first bytes."""
    with path.open("rb") as stream:
        before, root, _ = stream.read(_PROLOG_BYTES).partition(b"<ROOT>")
    return not root or b"<!" in before


def _lines(run: CheckedRun, file: str) -> Iterator[dict[str, Any]]:
    """The lines of a JSONL file; if JSONL was not exported, the lines that the export would write."""
    if "jsonl" in run.config.export.formats:
        yield from lines_of(run, file)
        return
    for problem in run.files.records("problems", Problem):
        if problem.id in run.exported and file in belongs_in(run.exported[problem.id]):
            yield expected_line(run, problem)


def _compare(lines: Iterator[dict[str, Any]], path: Path, jsonl: str, recorder: Recorder) -> None:
    for line, in_xml in zip_longest(lines, _read_xml(path)):
        recorder.count()
        if line is None or in_xml is None:
            problem_id, file = (in_xml["question id"], jsonl) if line is None else (line["id"], path.name)
            recorder.fail(problem_id, f"is missing from {file}")
        else:
            for difference in _differences(line, in_xml):
                recorder.fail(line["id"], f"{path.name}: {difference}")


def _read_xml(path: Path) -> Iterator[dict[str, Any]]:
    """Stream the problems of a file. Raises ``ElementTree.ParseError``."""
    root = None
    for event, element in ElementTree.iterparse(path, events=("start", "end")):  # noqa: S314 (see _has_doctype)
        root = element if root is None else root
        if event == "end" and element.tag == "mc":
            yield _fields(element)
            root.clear()


def _fields(problem: ElementTree.Element) -> dict[str, Any]:
    """The fields of one ``mc`` element; what it lacks is empty."""

    def attribute(path: str, name: str) -> str:
        element = problem.find(path)
        return "" if element is None else element.get(name, "")

    texts = ("leftcontext", "leftblank", "blank", "rightblank", "rightcontext")
    choices = problem.findall("choice")
    return {
        "question id": attribute("question", "id"),
        **{name: problem.findtext(f"question/{name}") or "" for name in texts},
        "type": attribute("question/blank", "type"),
        "contextart id": attribute("contextart", "id"),
        "contextart": problem.findtext("contextart") or "",
        "choices": [choice.text or "" for choice in choices],
        "idx": [choice.get("idx") for choice in choices],
        "correct": [index for index, choice in enumerate(choices) if choice.get("correct") == "true"],
    }


def _differences(line: dict[str, Any], in_xml: dict[str, Any]) -> Iterator[str]:
    """The differences between a problem in XML and its JSONL line, one message each."""
    question, passage = line["question"], line["passage"]
    tokens = question["tokens"]
    expected = {
        "question id": _legal(line["id"]),
        "leftcontext": _legal(" ".join(tokens["left"])),
        "rightcontext": _legal(" ".join(tokens["right"])),
        "contextart id": _legal(passage["id"]),
        "contextart": _legal(passage["text"]),
        "type": "PERSON",
        "choices": list(map(_legal, line["choices"])),
        "idx": [str(index) for index in range(len(line["choices"]))],
        "correct": [line["answer"]],
    }
    for name, wanted in expected.items():
        if in_xml[name] != wanted:
            yield f"{name}: {str(in_xml[name])[:80]!r}, not {str(wanted)[:80]!r}"
    phrase = " ".join(filter(None, (in_xml["leftblank"], in_xml["blank"], in_xml["rightblank"])))
    if phrase not in {_legal(" ".join(tokens["blank"])), _legal(" ".join(question["deleted"].split()))}:
        yield f"the deleted phrase is {phrase!r}, not {' '.join(tokens['blank'])!r}"
    if letters(in_xml["blank"]) != letters(_legal(question["name"])):
        yield f"the blank is {in_xml['blank']!r}, not {question['name']!r}"


def _legal(text: str) -> str:
    return _ILLEGAL.sub("", text)


# ---- answers as spans ------------------------------------------------------------------------------------------------


def export_spans(run: CheckedRun, recorder: Recorder) -> None:
    """In the SQuAD and QUOREF exports, each answer is at its offset in the context and is the correct name."""
    formats = [form for form in _SPAN_FORMATS if form in run.config.export.formats]
    for path in (f"{run.export_folder}/{form}/{name}" for form in formats for name in _SPAN_FILES):
        if not (run.files.folder / path).is_file():
            recorder.fail(path, "is missing")
            continue
        for context, question in _questions(run.files.folder / path):
            recorder.count()
            problem_id = str(question["id"])
            name = _answer(run, problem_id)
            if name is None:
                recorder.fail(problem_id, f"does not belong in {path}")
                continue
            for fault in _span_faults(context, question["answers"], name):
                recorder.fail(problem_id, f"{path}: {fault}")


def _questions(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The context and the question of each entry. Raises ``CheckError``; a file has an entry a line between two others."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.startswith(b'{"title"'):
                continue
            try:
                entry: dict[str, Any] = msgspec.json.decode(line.rstrip(b",\n"))
                for paragraph in entry["paragraphs"]:
                    yield from ((paragraph["context"], question) for question in paragraph["qas"])
            except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
                raise CheckError(f"{path}:{number}: not an entry of the export: {error!r}") from error


def _answer(run: CheckedRun, problem_id: str) -> str | None:
    """The name of the answer in the export; None if the problem is not in the dataset, or not renamed."""
    problem, names = run.problems.find(problem_id), run.config.export.names
    if problem is None:
        return None
    if names == "original":
        return problem.choices[problem.answer].name
    pseudonyms = run.pseudonyms.find(problem_id)
    if pseudonyms is None:
        return None
    person = next(person for person in pseudonyms.persons if person.choice == problem.answer)
    return person.code


def _span_faults(context: str, answers: list[dict[str, Any]], name: str) -> Iterator[str]:
    if not answers:
        yield "has no answer"
    for answer in answers:
        start, text = answer["answer_start"], answer["text"]
        if context[start : start + len(text)] != text:
            yield f"the context has {context[start : start + len(text)]!r} at {start}, not {text!r}"
        if not is_subsequence(name_words(name), name_words(text)):
            yield f"{text!r} is not the name of the answer, {name!r}"
