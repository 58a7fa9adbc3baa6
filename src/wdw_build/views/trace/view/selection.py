"""Alternatives, duplicate, pseudonyms, baselines, adversaries, suppression and dataset as blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wdw_build.views.marks import Segment
from wdw_build.views.trace.records import Trace, TracedAlternative
from wdw_build.views.trace.view.blocks import Block, Entries, Line, Prose, Table, line_of

_OUTCOMES = {
    "selected": ("selected", "good"),
    "not-selected": ("not selected", "dim"),
    "excluded": ("excluded: an adversary solves it", "bad"),
    "": ("", ""),
}


def alternative_entries(alternatives: Iterable[TracedAlternative]) -> Entries:
    """One line per alternative; an asterisk follows the number of the selected one."""
    return Entries(tuple((_alternative(alternative),) for alternative in alternatives))


def _alternative(alternative: TracedAlternative) -> Line:
    is_selected = alternative.outcome == "selected"
    event = "" if alternative.event is None else f", event {alternative.event:.2f}"
    parts: list[str | Segment] = [
        f"{alternative.number}{'*' * is_selected}  ",
        Segment(alternative.deleted, "strong"),
        " in ",
        Segment(alternative.passage, "id"),
        f", {alternative.window} d{event}, {alternative.choice_set}:",
    ]
    for number, name in enumerate(alternative.choices):
        is_answer = number == alternative.answer
        parts += [" ", Segment(name, "answer" if is_answer else "choice", f"{number + 1}{'*' * is_answer}")]
    if alternative.solved_by is not None:
        parts.append(f"  solved by {', '.join(alternative.solved_by) or 'no baseline'}")
    words, kind = _OUTCOMES[alternative.outcome]
    if is_selected:
        words += f": {alternative.level}, cell {alternative.cell}"
    if words:
        parts += ["  ", Segment(words, kind)]
    return line_of(*parts)


def duplicate_blocks(trace: Trace) -> Iterator[Block]:
    """The earlier question of which the problem is a duplicate."""
    if earlier := trace.duplicate:
        shared = f"shares {earlier.similarity:.2f} of the words of the shorter question; the threshold is {earlier.threshold:g}"
        yield Prose(line_of("duplicate of ", Segment(earlier.id, "id"), f" of {earlier.date}: {shared}"))
        yield Prose(line_of(earlier.sentence))


def pseudonym_blocks(trace: Trace) -> Iterator[Block]:
    """The code and the surrogate of each person, and the places that may tell who a person is."""
    if not trace.pseudonyms:
        return
    rows = (
        (
            line_of(Segment(person.name, "strong")),
            line_of("" if person.choice is None else str(person.choice + 1)),
            line_of(person.code),
            line_of(person.surrogate),
        )
        for person in trace.pseudonyms
    )
    yield Table(("person", "choice", "code", "surrogate"), tuple(rows))
    if trace.leaks:
        yield Prose(line_of("may tell who a person is: ", "; ".join(trace.leaks)))


def prediction_table(trace: Trace) -> Table:
    """The prediction and the scores of each baseline and adversary."""
    rows = (
        (
            line_of(Segment(guess.baseline, "strong")),
            line_of(Segment("right", "good") if guess.right else Segment("wrong", "bad")),
            line_of(guess.choice + (" (the first of tied choices)" if guess.tied else "")),
            line_of("  ".join(f"{score:g}" for score in guess.scores)),
        )
        for guess in trace.guesses
    )
    return Table(("name", "verdict", "prediction", "scores by choice"), tuple(rows))


def _rate(rate: float | None) -> str:
    return "not stored" if rate is None else f"{rate:.4f}"


def cell_blocks(trace: Trace) -> Iterator[Block]:
    """The problem's cell, its keep rates and its draw if there are any, and the decision."""
    if cell := trace.cell:
        solved = ", ".join(cell.solved_by) or "no baseline"
        yield Prose(line_of(f"cell {cell.pattern}, {cell.choices} choices: solved by {solved}"))
        if cell.has_rates:
            rates = f"keep rate strict {_rate(cell.strict_rate)}, relaxed {_rate(cell.relaxed_rate)}"
            yield Prose(line_of(f"{rates}; draw {cell.draw:.4f}"))
        yield Prose(line_of(Segment(cell.level, "bad" if cell.level == "suppressed" else "good"), f": {cell.why}"))


def placement_blocks(trace: Trace) -> Iterator[Block]:
    """The problem's split, level and files."""
    if place := trace.place:
        draw = f"  (draw {place.draw:.4f} orders validation and test)"
        yield Prose(line_of(Segment(f"{place.split}, {place.level}", "good"), draw))
        if place.files:
            yield Entries(tuple((line_of(file),) for file in place.files))
