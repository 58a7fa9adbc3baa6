"""Writes the forms of published datasets: the JSON of SQuAD and QUOREF, and the XML of the released Who-did-What files.

JSON: SQuAD v1.1 (Rajpurkar et al. 2016), also flat, and QUOREF (Dasigi et al. 2019). Each problem is one entry of ``data`` with
one paragraph and one question, in the flat form without the levels between, as scripts of Hugging Face read it; ``XXX`` marks the
blank. The forms have no fields for the choices and the level. SQuAD's forms have an answer for each mention of the person by full
name. QUOREF compares the set of predicted spans with the set of ``answers``, so that the full name is one answer, at its first
place.

XML: wdw-xml/Strict/{train,val,test}.xml and Relaxed/train.xml. The question's parts hold its tokens, separated by spaces. The
deleted phrase is leftblank + blank + rightblank, where blank is the person's name. The passage is raw text. The files hold no
dates, titles and levels, as the released files, and no characters that XML 1.0 forbids.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from wdw_build.adapters.exports.jsonl import PassageLine, problem_line
from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.records import Problem, Question, SplitAssignment
from wdw_build.text.names.name import in_text


def _json_files(folder: str, version: str) -> SplitFiles:
    head = b'{"version":"%s","data":[\n' % version.encode()
    return SplitFiles.flat(folder, ".json", head=head, foot=b"\n]}\n", between=b",\n")


class SquadExporter(SplitFileExporter):
    """Writes squad/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad 2"
    files = _json_files("squad/", "1.1")

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The entry of a problem."""
        line = problem_line(problem, placed)
        question = {"id": line.id, "question": line.question.text}
        return msgspec.json.encode(self.entry(line.passage, question, list(_full_name_answers(problem))))

    def entry(self, passage: PassageLine, question: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry of a question about a passage, with an answer for each mention by full name."""
        paragraph = {"context": passage.text, "qas": [question | {"answers": answers}]}
        return {"title": passage.title, "paragraphs": [paragraph]}


class FlatSquadExporter(SquadExporter):
    """Writes squad-flat/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "squad-flat 2"
    files = _json_files("squad-flat/", "1.1")

    def entry(self, passage: PassageLine, question: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry, with a list of the answers' texts and one of their places."""
        lists = {field: [answer[field] for answer in answers] for field in ("text", "answer_start")}
        return {"title": passage.title, "context": passage.text, **question, "answers": lists}


class QuorefExporter(SquadExporter):
    """Writes quoref/{train,train.relaxed,validation,test}.json; ``data`` of a split without problems is empty."""

    identity = "quoref 2"
    files = _json_files("quoref/", "0.1")

    def entry(self, passage: PassageLine, question: dict[str, Any], answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The entry with one answer. ``context_id`` is a hash of the context; articles have no ``url``."""
        # Places of the name differ in white space at most, which QUOREF's evaluation ignores.
        qas = [question | {"answers": answers[:1]}]
        identified = {"context": passage.text, "context_id": hashlib.sha256(passage.text.encode()).hexdigest()}
        return {"title": passage.title, "url": "", "paragraphs": [identified | {"qas": qas}]}


def _full_name_answers(problem: Problem) -> Iterator[dict[str, Any]]:
    """The answer at each mention that has the full name, in any case and with any white space between its words."""
    choice, text = problem.choices[problem.answer], problem.passage.text
    name = in_text(choice.name)
    for mention in choice.mentions:
        if match := name.search(text, mention.start, mention.end):
            yield {"text": match[0], "answer_start": match.start()}


# ---- the XML of Who did What -----------------------------------------------------------------------------------------

_ILLEGAL_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML_FILES = SplitFiles(
    train="wdw-xml/Strict/train.xml",
    relaxed="wdw-xml/Relaxed/train.xml",
    validation="wdw-xml/Strict/val.xml",
    test="wdw-xml/Strict/test.xml",
    alternatives="wdw-xml/Alternatives/train.xml",
    head=b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n',
    foot=b"</ROOT>\n",
)


class WdwXmlExporter(SplitFileExporter):
    """Writes the released schema, one file for each split; ``<ROOT>`` of a split without problems is empty."""

    identity = "wdw-xml 1"
    files = _XML_FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The element of a problem."""
        return "".join(_problem(problem)).encode("utf-8")


def _problem(problem: Problem) -> Iterator[str]:
    yield f"<mc>\n<question id={_attribute(problem.id)}>\n"
    yield from _question(problem.question)
    passage = problem.passage
    yield f"</question>\n<contextart id={_attribute(passage.article)}>{_text(passage.text)}</contextart>\n"
    for index, choice in enumerate(problem.choices):
        correct = "true" if index == problem.answer else "false"
        yield f'<choice idx="{index}" correct="{correct}">{_text(choice.name)}</choice>\n'
    yield "</mc>\n"


def _question(question: Question) -> Iterator[str]:
    start, end = question.blank_tokens
    before, name, after = blank_parts(question)
    yield _element("leftcontext", question.tokens[:start])
    yield _element("leftblank", before)
    yield f'<blank type="PERSON">{_text(" ".join(name))}</blank>\n'
    yield _element("rightblank", after)
    yield _element("rightcontext", question.tokens[end:])


def blank_parts(question: Question) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The deleted phrase's tokens before the name, of the name, and after it."""
    start, end = question.blank_tokens
    first, last = question.token_range(question.name) or (start, end)
    return question.tokens[start:first], question.tokens[first:last], question.tokens[last:end]


def _element(name: str, tokens: Sequence[str]) -> str:
    return f"<{name}>{_text(' '.join(tokens))}</{name}>\n" if tokens else f"<{name}/>\n"


def _text(text: str) -> str:
    # XML parsers read a bare carriage return as a newline.
    return escape(_ILLEGAL_IN_XML.sub("", text), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(_ILLEGAL_IN_XML.sub("", text))
