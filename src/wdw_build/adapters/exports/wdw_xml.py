"""The dataset in the XML of the released Who-did-What files: wdw-xml/Strict/{train,val,test}.xml, Relaxed/train.xml.

The question is tokenised, its parts joined by a space. The deleted phrase is leftblank + blank + rightblank, where
blank is the person's name. The passage is raw text. Dates, titles and levels are left out, as in the released files,
and so are characters that XML 1.0 cannot hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from wdw_build.adapters.exports.split_files import SplitFiles
from wdw_build.records import Problem, Question, SplitAssignment

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FILES = SplitFiles(
    train="wdw-xml/Strict/train.xml",
    relaxed="wdw-xml/Relaxed/train.xml",
    validation="wdw-xml/Strict/val.xml",
    test="wdw-xml/Strict/test.xml",
    head=b'<?xml version="1.0" encoding="UTF-8"?>\n<ROOT>\n',
    foot=b"</ROOT>\n",
)


class WdwXmlExporter:
    """Writes the released schema, one file a split; a split without problems gives an empty ``<ROOT>``."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "wdw-xml 1"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files as the problems come; returns the ids in each file.

        Raises ``ValueError`` for a place that no file is for, such as a relaxed problem in the test set.
        """
        elements = ((placed, "".join(_problem(problem)).encode("utf-8")) for problem, placed in problems)
        return _FILES.write(folder, elements)


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
    before, name, behind = blank_parts(question)
    yield _element("leftcontext", question.tokens[:start])
    yield _element("leftblank", before)
    yield f'<blank type="PERSON">{_text(" ".join(name))}</blank>\n'
    yield _element("rightblank", behind)
    yield _element("rightcontext", question.tokens[end:])


def blank_parts(question: Question) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """The deleted phrase's tokens before the name, of the name, and behind it."""
    start, end = question.blank_tokens
    first, last = question.token_range(question.name) or (start, end)
    return question.tokens[start:first], question.tokens[first:last], question.tokens[last:end]


def _element(name: str, tokens: Sequence[str]) -> str:
    return f"<{name}>{_text(' '.join(tokens))}</{name}>\n" if tokens else f"<{name}/>\n"


def _text(text: str) -> str:
    # A bare carriage return would be read back as a newline.
    return escape(_ILLEGAL.sub("", text), {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(_ILLEGAL.sub("", text))
