"""Writes the XML of the released Who-did-What files: wdw-xml/Strict/{train,val,test}.xml and Relaxed/train.xml.

The question's parts hold its tokens, separated by spaces. The deleted phrase is leftblank + blank + rightblank, where
blank is the person's name. The passage is raw text. The files hold no dates, titles and levels, as the released files,
and no characters that XML 1.0 forbids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.records import Problem, Question, SplitAssignment

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FILES = SplitFiles(
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
    files = _FILES

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
    return escape(_ILLEGAL.sub("", text), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(_ILLEGAL.sub("", text))
