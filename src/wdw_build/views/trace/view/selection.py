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


def alternative_table(alternatives: Iterable[TracedAlternative]) -> Table:
    """One row per alternative; the selected one has an asterisk. The answer is marked among the choices."""
    head = (
        "number",
        "passage",
        "window",
        "event score",
        "choices",
        "solved by",
        "outcome",
        "deleted person and choices",
    )
    return Table(head, tuple(map(_alternative, alternatives)))


def _alternative(alternative: TracedAlternative) -> tuple[Line, ...]:
    solved = "" if alternative.solved_by is None else ", ".join(alternative.solved_by) or "no baseline"
    words, kind = _OUTCOMES[alternative.outcome]
    is_selected = alternative.outcome == "selected"
    details = f": {alternative.level}, cell {alternative.cell}" if is_selected else ""
    choices: list[str | Segment] = [Segment(alternative.deleted, "strong"), " in"]
    for number, name in enumerate(alternative.choices):
        is_answer = number == alternative.answer
        choices += [" ", Segment(name, "answer" if is_answer else "choice", f"{number + 1}{'*' * is_answer}")]
    return (
        line_of(f"{alternative.number}{'*' * is_selected}"),
        line_of(Segment(alternative.passage, "id")),
        line_of(f"within {alternative.window} d"),
        line_of("" if alternative.event is None else f"event {alternative.event:.2f}"),
        line_of(alternative.choice_set),
        line_of(f"solved by {solved}" if solved else ""),
        line_of(Segment(f"{words}{details}", kind)),
        line_of(*choices),
    )


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
