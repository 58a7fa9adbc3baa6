"""A trace as sections of blocks. ``terminal`` and ``page`` each show the same sections in their own way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from wdw_build.views.marks import Mark, Segment, find_name, segments
from wdw_build.views.trace.records import (
    CandidateTests,
    PassagePerson,
    PassagePersons,
    PassageTrial,
    StageOutcome,
    Trace,
    TracedCandidate,
    TracedPassage,
    TracedSentence,
)
from wdw_build.views.trace.tree import Line, tree_lines


class Prose(NamedTuple):
    """Running text."""

    line: Line


class Table(NamedTuple):
    """Rows under a head; the last column may be long."""

    head: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]


class Entries(NamedTuple):
    """A list: each entry is a head line and the lines that belong to it."""

    entries: tuple[tuple[Line, ...], ...]


class Verbatim(NamedTuple):
    """Lines whose spaces are kept."""

    lines: tuple[Line, ...]


Block = Prose | Table | Entries | Verbatim


class Section(NamedTuple):
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]


def _line(*parts: str | Segment) -> Line:
    return tuple(Segment(part) if isinstance(part, str) else part for part in parts)


def shortened(text: str, most: int = 80) -> str:
    """The text, cut to ``most`` characters with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def sections(trace: Trace) -> list[Section]:
    """The sections that are not empty, in the order of the stages."""
    blocks: dict[str, Iterable[Block]] = {
        "Stages": (_outcomes(trace.stations),),
        "Article": _article(trace),
        "First sentence": _first_sentence(trace.lead) if trace.lead else (),
        "Query": _query(trace),
        "Candidates": (Entries(tuple(map(_candidate, trace.candidates))),) if trace.candidates else (),
        "Persons of the candidates tried": (block for persons in trace.casts for block in _persons(persons)),
        "Passage": _passage(trace.passage, _answer(trace)) if trace.passage else (),
        "Duplicate": _duplicate(trace),
        "Baselines": (_guesses(trace),) if trace.guesses else (),
        "Suppression": _cell(trace),
        "Dataset": _placement(trace),
        "As a passage": _trials(trace.as_passage),
        "Derived again": (Entries(tuple((_line(part),) for part in trace.derived)),) if trace.derived else (),
    }
    all_sections = (Section(title, tuple(content)) for title, content in blocks.items())
    return [section for section in all_sections if section.blocks]


_OUTCOME_KINDS = {"written": "good", "rejected": "bad", "not-reached": "dim", "not-run": "dim"}


def _outcomes(outcomes: tuple[StageOutcome, ...]) -> Table:
    rows = []
    for outcome in outcomes:
        detail = f" ({shortened(outcome.detail)})" if outcome.detail else ""
        why = ": ".join(filter(None, [outcome.reason, outcome.meaning])) + detail
        rows.append(
            (
                _line(Segment(outcome.stage, "strong")),
                _line(Segment(outcome.outcome.replace("-", " "), _OUTCOME_KINDS[outcome.outcome])),
                _line("; ".join(filter(None, [why, outcome.note]))),
            )
        )
    return Table(("stage", "outcome", "why"), tuple(rows))


def _article(trace: Trace) -> Iterator[Block]:
    article = trace.article
    if article is None:
        return
    yield Prose(_line(f"{article.date}  {article.source}  {article.kind}  ", Segment(article.title, "strong")))
    if article.dateline:
        yield Prose(_line(Segment(f"dateline: {article.dateline}", "dim")))
    yield Prose(_line(article.first))
    yield Prose(_line(Segment(f"{article.paragraphs} paragraphs", "dim")))


# ---- the first sentence -----------------------------------------------------------------------------------------------


def _first_sentence(sentence: TracedSentence) -> Iterator[Block]:
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
        warning = "" if climb.agrees else "; the installed program would delete other tokens: another version made it"
        kind = "dim" if climb.agrees else "bad"
        yield Prose(_line(Segment(f"the climb ended on > {climb.label}, {tokens}{warning}", kind)))


def _names(sentence: TracedSentence) -> Iterator[tuple[Line, ...]]:
    if sentence.blank and sentence.name:
        yield (_line(Segment(sentence.name.text, "blank"), f"  deleted, in the phrase {sentence.blank.text!r}"),)
    for other in sentence.others:
        yield (_line(Segment(other.text, "person"), "  another person of the sentence"),)
    for mention in sentence.refused:
        detail = f" ({mention.detail})" if mention.detail else ""
        yield (_line(Segment(mention.name, "refused"), f"  {mention.rule}: {mention.meaning}{detail}"),)


def _span(tokens: tuple[int, int]) -> str:
    return f"{tokens[0]} to {tokens[1] - 1}"


# ---- candidates -------------------------------------------------------------------------------------------------------


def _query(trace: Trace) -> Iterator[Block]:
    query = trace.query
    if query is None:
        return
    names, windows = ", ".join(map(repr, query.names)), ", ".join(map(str, query.windows))
    words = f"all words of the sentence; must hold {names} as a phrase; within {windows} days in turn"
    yield Prose(_line(f"{words}; not the article itself"))


def _scores(scored: TracedCandidate | PassageTrial) -> str:
    return f"BM25 {scored.score:.2f}" + ("" if scored.event is None else f"  event {scored.event:.2f}")


def _candidate(candidate: TracedCandidate) -> tuple[Line, ...]:
    verdict = Segment("passage", "answer") if candidate.passage else Segment("valid, not needed", "dim")
    if candidate.rule:
        verdict = Segment(f"refused by {candidate.stage}: {candidate.rule}", "bad")
    numbers = f"  {candidate.date}  within {candidate.window} d  {_scores(candidate)}  "
    lines = [_line(f"{candidate.rank}. ", Segment(candidate.article, "id"), numbers, verdict)]
    if candidate.title:
        lines.append(_line(Segment(candidate.title, "strong")))
    if candidate.rule:
        lines.append(_line(f"{candidate.meaning}: ", Segment(candidate.detail, "bad")))
    if candidate.tests:
        lines += _tests(candidate.tests, nearest=not candidate.rule)
    if candidate.note:
        lines.append(_line(Segment(candidate.note, "bad")))
    return tuple(lines)


def _tests(tests: CandidateTests, *, nearest: bool) -> Iterator[Line]:
    contexts = [
        f"holds {side} context {words!r}"
        for side, words in (("left", tests.left_context), ("right", tests.right_context))
        if words
    ]
    numbers = [
        f"overlap {tests.overlap:.2f}",
        *(contexts or ["holds neither context"]),
        f"8-grams {tests.reprint:.2f}",
        f"figures {tests.figures:.2f}",
        f"other persons: {', '.join(tests.other_persons) or 'none'}",
    ]
    yield _line(Segment("  ".join(numbers), "dim"))
    if nearest and tests.overlap_sentence:
        yield _line(Segment(f'nearest sentence: "{tests.overlap_sentence}"', "dim"))


def _trials(trials: tuple[PassageTrial, ...] | None) -> Iterator[Block]:
    if trials is None:
        return
    if not trials:
        yield Prose(_line("no question tried it"))
        return
    yield Entries(tuple((_trial(trial),) for trial in trials))


def _trial(trial: PassageTrial) -> Line:
    verdict = Segment("the passage", "answer") if trial.chosen else Segment(f"{trial.rule}: {trial.detail}", "bad")
    numbers = f"  rank {trial.rank}, within {trial.window} d, {_scores(trial)}  "
    return _line(Segment(trial.question, "id"), numbers, verdict)


# ---- persons and passage ----------------------------------------------------------------------------------------------


def _persons(persons: PassagePersons) -> Iterator[Block]:
    verdict = Segment(persons.rule or "the passage", "bad" if persons.rule else "answer")
    detail = f": {persons.detail}" if persons.rule and persons.detail else ""
    yield Prose(_line(Segment(persons.article, "id"), "  ", verdict, detail))
    if persons.persons:
        yield Table(("person", "part", "written (times)"), tuple(map(_person, persons.persons)))
    if persons.no_persons:
        refused = (
            (_line(Segment(name.name, "refused"), f"  no person: {name.detail}"),) for name in persons.no_persons
        )
        yield Entries(tuple(refused))


def _person(person: PassagePerson) -> tuple[Line, ...]:
    kind = "answer" if person.answer else "choice" if person.number else "dim"
    part = "answer" if person.answer else f"choice {person.number}" if person.number else person.left_out or "-"
    label = _label(person.number, answer=person.answer) if person.number else ""
    forms = ", ".join(f"{name.form} ({name.count})" for name in person.written)
    return _line(Segment(person.name, kind, label)), _line(part), _line(forms)


def _label(number: int, *, answer: bool) -> str:
    return f"{number}*" if answer else str(number)


def _answer(trace: Trace) -> int:
    return next((person.number for persons in trace.casts for person in persons.persons if person.answer), 0)


def reading_lines(text: str, mentions: tuple[tuple[int, int, int], ...], answer: int) -> Iterator[Line]:
    """The paragraphs of a passage; every mention of a choice is marked with the choice's number (from 1).

    ``mentions`` are (start, end, number of the choice), in characters of ``text``.
    """
    offset = 0
    for paragraph in text.split("\n\n"):
        end = offset + len(paragraph)
        marks = [
            Mark(
                start - offset,
                stop - offset,
                "answer" if number == answer else "choice",
                _label(number, answer=number == answer),
            )
            for start, stop, number in mentions
            if offset <= start and stop <= end
        ]
        yield segments(paragraph, marks)
        offset = end + 2


def _passage(passage: TracedPassage, answer: int) -> Iterator[Block]:
    origin = f"  {passage.date}  {passage.source}  "
    yield Prose(_line(Segment(passage.article, "id"), origin, Segment(passage.title, "strong")))
    for line in reading_lines(passage.text, passage.mentions, answer):
        yield Prose(line)
    yield Prose(_line(Segment(f"{passage.tokens} tokens", "dim")))


# ---- from problem to dataset ------------------------------------------------------------------------------------------


def _duplicate(trace: Trace) -> Iterator[Block]:
    if earlier := trace.duplicate:
        shared = (
            f"{earlier.similarity:.2f} of the shorter one's words are shared, the threshold is {earlier.threshold:g}"
        )
        yield Prose(_line("duplicate of ", Segment(earlier.id, "id"), f" of {earlier.date}: {shared}"))
        yield Prose(_line(earlier.sentence))


def _guesses(trace: Trace) -> Table:
    rows = (
        (
            _line(Segment(guess.baseline, "strong")),
            _line(Segment("right", "good") if guess.right else Segment("wrong", "bad")),
            _line(guess.choice + (" (tied: the earlier)" if guess.tied else "")),
            _line("  ".join(f"{score:g}" for score in guess.scores)),
        )
        for guess in trace.guesses
    )
    return Table(("baseline", "verdict", "its guess", "numbers, choice by choice"), tuple(rows))


def _rate(rate: float | None) -> str:
    return "not stored" if rate is None else f"{rate:.4f}"


def _cell(trace: Trace) -> Iterator[Block]:
    if cell := trace.cell:
        solved = ", ".join(cell.solved_by) or "no baseline"
        yield Prose(_line(f"cell {cell.pattern}, {cell.choices} choices: solved by {solved}"))
        rates = f"keep rate strict {_rate(cell.strict_rate)}, relaxed {_rate(cell.relaxed_rate)}"
        yield Prose(_line(f"{rates}; draw {cell.draw:.4f}"))
        yield Prose(_line(Segment(cell.level, "bad" if cell.level == "suppressed" else "good"), f": {cell.why}"))


def _placement(trace: Trace) -> Iterator[Block]:
    if place := trace.place:
        draw = f"  (draw {place.draw:.4f} orders validation and test)"
        yield Prose(_line(Segment(f"{place.split}, {place.level}", "good"), draw))
        if place.files:
            yield Entries(tuple((_line(file),) for file in place.files))
