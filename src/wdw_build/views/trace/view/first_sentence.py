"""The first sentence as blocks: the marked sentence, its names, and the tree with the climbed node."""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.views.marks import Mark, Segment, find_name, segments
from wdw_build.views.trace.records import TracedSentence
from wdw_build.views.trace.view.blocks import Block, Entries, Line, Prose, Verbatim, line_of
from wdw_build.views.trace.view.tree import tree_lines


def sentence_blocks(sentence: TracedSentence) -> Iterator[Block]:
    """The sentence with its marks, the names, the tree, and the node on which the climb ended."""
    marks = [Mark(other.start, other.end, "person") for other in sentence.others]
    if sentence.blank:
        marks.append(Mark(sentence.blank.start, sentence.blank.end, "blank"))
    for mention in sentence.refused:
        marks += [Mark(*span, "refused") for span in find_name(sentence.sentence, mention.name)]
    yield Prose(segments(sentence.sentence, marks))
    if names := tuple(_names(sentence)):
        yield Entries(names)
    climb = sentence.climb
    if sentence.tree:
        yield Verbatim(tree_lines(sentence.tree, climb.position if climb else None))
    if climb:
        tokens = f"tokens {_span(climb.node_tokens)}; deleted: tokens {_span(climb.deleted_tokens)}"
        warning = "" if climb.agrees else "; this version would delete other tokens: another version made the question"
        kind = "dim" if climb.agrees else "bad"
        yield Prose(line_of(Segment(f"the climb ended on > {climb.label}, {tokens}{warning}", kind)))


def _names(sentence: TracedSentence) -> Iterator[tuple[Line, ...]]:
    if sentence.blank and sentence.name:
        yield (line_of(Segment(sentence.name.text, "blank"), f"  deleted, in the phrase {sentence.blank.text!r}"),)
    for blank in sentence.more_blanks:
        yield (line_of(Segment(blank.text, "person"), "  the phrase of another person that may be deleted"),)
    for other in sentence.others:
        yield (line_of(Segment(other.text, "person"), "  another person in the sentence"),)
    for mention in sentence.refused:
        detail = f" ({mention.detail})" if mention.detail else ""
        yield (line_of(Segment(mention.name, "refused"), f"  {mention.rule}: {mention.meaning}{detail}"),)


def _span(tokens: tuple[int, int]) -> str:
    return f"{tokens[0]} to {tokens[1] - 1}"
