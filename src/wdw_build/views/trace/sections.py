"""A trace as sections of blocks, which the terminal and the HTML page show alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from wdw_build.text.blanking.trees import Node, parse_tree
from wdw_build.views.marks import Mark, Segment, find_name, segments
from wdw_build.views.trace import candidate_blocks as blocks_of
from wdw_build.views.trace import records
from wdw_build.views.trace.terminal import (
    Block,
    Entries,
    Line,
    Section,
    Table,
    Terminal,
    Verbatim,
    entries,
    line_of,
    prose,
    section_lines,
    shortened,
    table,
)

TEMPLATES = Path(__file__).parent / "templates"
_LEGEND = "[deleted] {other person} {n choice} {n* answer} ~refused~"
_OUTCOME_KINDS = {"written": "good", "rejected": "bad", "not-reached": "dim", "not-run": "dim"}
# Characters of a line of a constituency tree.
_TREE_WIDTH = 88


def text(trace: records.Trace, out: Terminal) -> str:
    """The trace as text for a terminal."""
    head = out.line(line_of(Segment(trace.id, "title"), f"  run {trace.run}"))
    ended = out.flow(line_of(Segment(trace.ended, "strong")))
    return "\n".join([head, ended, out.paint(_LEGEND, "dim"), *section_lines(sections(trace), out)])


def page(trace: records.Trace) -> str:
    """The trace as one HTML page without links and without a script."""
    from wdw_build.views.html import environment

    return environment(TEMPLATES).get_template("trace.html.j2").render(page_values(trace))


def page_values(trace: records.Trace, link: Callable[[str], str] | None = None) -> dict[str, Any]:
    """The values of the page's template. ``link`` returns the address of an id; without it, ids are no links."""
    return {"trace": trace, "sections": sections(trace), "link": link}


def sections(trace: records.Trace) -> list[Section]:
    """The sections that are not empty, in the order of the stages."""
    answers = [person.number for persons in trace.casts for person in persons.persons if person.answer]
    blocks: dict[str, Iterable[Block]] = {
        "Stages": [_outcomes(trace.stations)],
        "Article": _article(trace.article) if trace.article else (),
        "First sentence": _sentence(trace.lead) if trace.lead else (),
        "Query": blocks_of.query_blocks(trace.query) if trace.query else (),
        "Candidates": [Entries(tuple(map(blocks_of.candidate_entry, trace.candidates)))] if trace.candidates else (),
        "Persons of the candidates refused and of the passage": (
            block for persons in trace.casts for block in blocks_of.person_blocks(persons)
        ),
        "Alternatives": [blocks_of.alternative_entries(trace.alternatives)] if trace.alternatives else (),
        # There is no answer if the annotation is gone.
        "Passage": blocks_of.passage_blocks(trace.passage, answers[0] if answers else 0) if trace.passage else (),
        "Duplicate": _duplicate(trace.duplicate) if trace.duplicate else (),
        "Pseudonyms": _pseudonyms(trace) if trace.pseudonyms else (),
        "Baselines and adversaries": [_predictions(trace.guesses)] if trace.guesses else (),
        "Suppression": _cell(trace.cell) if trace.cell else (),
        "Dataset": _placement(trace.place) if trace.place else (),
        "As a passage": blocks_of.trial_blocks(trace.as_passage) if trace.as_passage is not None else (),
        "Derived again": [entries(map(line_of, trace.derived))] if trace.derived else (),
    }
    all_sections = (Section(title, tuple(content)) for title, content in blocks.items())
    return [section for section in all_sections if section.blocks]


def _outcomes(outcomes: tuple[records.StageOutcome, ...]) -> Table:
    rows = []
    for outcome in outcomes:
        detail = f" ({shortened(outcome.detail)})" if outcome.detail else ""
        why = ": ".join(filter(None, [outcome.reason, outcome.meaning])) + detail
        state = Segment(outcome.outcome.replace("-", " "), _OUTCOME_KINDS[outcome.outcome])
        rows.append((Segment(outcome.stage, "strong"), state, "; ".join(filter(None, [why, outcome.note]))))
    return table(("stage", "outcome", "why"), rows)


def _article(article: records.TracedArticle) -> Iterator[Block]:
    yield prose(f"{article.date}  {article.source}  {article.kind}  ", Segment(article.title, "strong"))
    if article.dateline:
        yield prose(Segment(f"dateline: {article.dateline}", "dim"))
    yield prose(article.first)
    yield prose(Segment(f"{article.paragraphs} paragraph{'s' * (article.paragraphs != 1)}", "dim"))


# ---- the first sentence ----------------------------------------------------------------------------------------------


def _sentence(sentence: records.TracedSentence) -> Iterator[Block]:
    """The sentence with its marks, the names, the tree, and the node on which the climb ended."""
    marks = [Mark(other.start, other.end, "person") for other in sentence.others]
    if sentence.blank:
        marks.append(Mark(sentence.blank.start, sentence.blank.end, "blank"))
    for mention in sentence.refused:
        marks += [Mark(*span, "refused") for span in find_name(sentence.sentence, mention.name)]
    yield prose(*segments(sentence.sentence, marks))
    if names := list(_names(sentence)):
        yield entries(names)
    climb = sentence.climb
    if sentence.tree:
        yield Verbatim(tree_lines(sentence.tree, climb.position if climb else None))
    if climb:
        node, deleted = (f"{start} to {end - 1}" for start, end in (climb.node_tokens, climb.deleted_tokens))
        warning = "" if climb.agrees else "; this version would delete other tokens: another version made the question"
        ended = f"the climb ended on > {climb.label}, tokens {node}; deleted: tokens {deleted}{warning}"
        yield prose(Segment(ended, "dim" if climb.agrees else "bad"))


def _names(sentence: records.TracedSentence) -> Iterator[Line]:
    if sentence.blank and sentence.name:
        yield line_of(Segment(sentence.name.text, "blank"), f"  deleted, in the phrase {sentence.blank.text!r}")
    for blank in sentence.more_blanks:
        yield line_of(Segment(blank.text, "person"), "  the phrase of another person who may be deleted")
    for other in sentence.others:
        yield line_of(Segment(other.text, "person"), "  another person in the sentence")
    for mention in sentence.refused:
        detail = f" ({mention.detail})" if mention.detail else ""
        yield line_of(Segment(mention.name, "refused"), f"  {mention.rule}: {mention.meaning}{detail}")


def tree_lines(bracketed: str, climbed: tuple[int, ...] | None) -> tuple[Line, ...]:
    """The tree in Penn brackets; a node that fits on one line is not broken up. ``climbed`` is the position of the node to mark."""
    return tuple(_tree_lines(parse_tree(bracketed), (), climbed, 0))


def _flat(node: Node) -> str:
    return f"({node.label} {node.word or ' '.join(map(_flat, node.children))})"


def _tree_lines(node: Node, position: tuple[int, ...], climbed: tuple[int, ...] | None, depth: int) -> list[Line]:
    is_climbed = position == climbed
    holds_climbed = climbed is not None and len(position) < len(climbed) and climbed[: len(position)] == position
    kind = "climbed" if is_climbed else ""
    margin = Segment(("> " if is_climbed else "  ") + "  " * depth, "climbed" if is_climbed else "dim")
    flat = _flat(node)
    if not holds_climbed and (len(flat) + 2 * depth <= _TREE_WIDTH or node.is_leaf):
        return [(margin, Segment(flat, kind))]
    lines: list[Line] = [(margin, Segment(f"({node.label}", kind))]
    for index, child in enumerate(node.children):
        lines += _tree_lines(child, (*position, index), climbed, depth + 1)
    lines[-1] = (*lines[-1], Segment(")", kind))
    return lines


# ---- from problem to dataset -----------------------------------------------------------------------------------------


def _duplicate(earlier: records.EarlierDuplicate) -> Iterator[Block]:
    shared = (
        f"shares {earlier.similarity:.2f} of the words of the shorter question; the threshold is {earlier.threshold:g}"
    )
    yield prose("duplicate of ", Segment(earlier.id, "id"), f" of {earlier.date}: {shared}")
    yield prose(earlier.sentence)


def _pseudonyms(trace: records.Trace) -> Iterator[Block]:
    """The code of each person."""
    yield table(
        ("person", "choice", "code"),
        (
            (
                Segment(person.name, "strong"),
                "" if person.choice is None else str(person.choice + 1),
                person.code,
            )
            for person in trace.pseudonyms
        ),
    )


def _predictions(guesses: tuple[records.BaselineGuess, ...]) -> Table:
    """The prediction and the scores of each baseline and adversary."""
    rows = (
        (
            Segment(guess.baseline, "strong"),
            Segment("right", "good") if guess.right else Segment("wrong", "bad"),
            guess.choice + (" (the first of tied choices)" if guess.tied else ""),
            "  ".join(f"{score:g}" for score in guess.scores),
        )
        for guess in guesses
    )
    return table(("name", "verdict", "prediction", "scores by choice"), rows)


def _cell(cell: records.SuppressionCell) -> Iterator[Block]:
    """The problem's cell, and the decision."""
    yield prose(f"cell {cell.pattern}, {cell.choices} choices: solved by {', '.join(cell.solved_by) or 'no baseline'}")
    yield prose(Segment(cell.level, "bad" if cell.level == "suppressed" else "good"), f": {cell.why}")


def _placement(place: records.DatasetPlacement) -> Iterator[Block]:
    draw = f"  (draw {place.draw:.4f} orders validation and test)"
    yield prose(Segment(f"{place.split}, {place.level}", "good"), draw)
    if place.files:
        yield entries(map(line_of, place.files))
