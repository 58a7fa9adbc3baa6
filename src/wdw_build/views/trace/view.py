"""A trace as sections of blocks, which the terminal and the page show each in its own way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wdw_build.views.marks import Mark, Piece, marked, places
from wdw_build.views.trace.steps import (
    AsPassage,
    CandidateLine,
    Lead,
    Measured,
    PassagePersons,
    Reading,
    StageOutcome,
    Trace,
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
    """A list: a head line each, and lines that belong to it."""

    entries: tuple[tuple[Line, ...], ...]


class Verbatim(NamedTuple):
    """Lines whose spaces count."""

    lines: tuple[Line, ...]


Block = Prose | Table | Entries | Verbatim


class Section(NamedTuple):
    """Blocks under a title."""

    title: str
    blocks: tuple[Block, ...]


def _line(*parts: str | Piece) -> Line:
    return tuple(Piece(part) if isinstance(part, str) else part for part in parts)


def shortened(text: str, most: int = 80) -> str:
    """A text, its end cut off where it is long."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def sections(trace: Trace) -> list[Section]:
    """Every section that has something to say, in the order of the stages."""
    return [section for section in _all(trace) if section.blocks]


def _all(trace: Trace) -> Iterator[Section]:
    yield Section("Stages", (_stations(trace.stations),))
    yield Section("Article", tuple(_article(trace)))
    yield Section("First sentence", tuple(_lead(trace.lead)) if trace.lead else ())
    yield Section("Query", tuple(_query(trace)))
    yield Section("Candidates", (Entries(tuple(map(_candidate, trace.candidates))),) if trace.candidates else ())
    yield Section("Persons of the candidates tried", tuple(block for cast in trace.casts for block in _cast(cast)))
    yield Section("Passage", tuple(_reading(trace.passage, _answer(trace))) if trace.passage else ())
    yield Section("Duplicate", tuple(_duplicate(trace)))
    yield Section("Baselines", (_guesses(trace),) if trace.guesses else ())
    yield Section("Suppression", tuple(_cell(trace)))
    yield Section("Dataset", tuple(_place(trace)))
    yield Section("As a passage", tuple(_as_passage(trace.as_passage)))
    yield Section("Derived again", (Entries(tuple((_line(one),) for one in trace.derived)),) if trace.derived else ())


_OUTCOMES = {"written": "good", "rejected": "bad", "not-reached": "dim", "not-run": "dim"}


def _stations(stations: tuple[StageOutcome, ...]) -> Table:
    rows = []
    for one in stations:
        why = ": ".join(filter(None, [one.reason, one.meaning])) + (f" ({shortened(one.detail)})" if one.detail else "")
        rows.append(
            (
                _line(Piece(one.stage, "strong")),
                _line(Piece(one.outcome.replace("-", " "), _OUTCOMES[one.outcome])),
                _line("; ".join(filter(None, [why, one.note]))),
            )
        )
    return Table(("stage", "outcome", "why"), tuple(rows))


def _article(trace: Trace) -> Iterator[Block]:
    article = trace.article
    if article is None:
        return
    yield Prose(_line(f"{article.date}  {article.source}  {article.kind}  ", Piece(article.title, "strong")))
    if article.dateline:
        yield Prose(_line(Piece(f"dateline: {article.dateline}", "dim")))
    yield Prose(_line(article.first))
    yield Prose(_line(Piece(f"{article.paragraphs} paragraphs", "dim")))


def _lead(lead: Lead) -> Iterator[Block]:
    marks = [Mark(one.start, one.end, "person") for one in lead.others]
    if lead.blank:
        marks.append(Mark(lead.blank.start, lead.blank.end, "blank"))
    for one in lead.refused:
        marks += [Mark(*span, "refused") for span in places(lead.sentence, one.name)]
    yield Prose(marked(lead.sentence, marks))
    entries: list[tuple[Line, ...]] = []
    if lead.blank and lead.name:
        entries.append((_line(Piece(lead.name.text, "blank"), f"  deleted, in the phrase {lead.blank.text!r}"),))
    entries += [(_line(Piece(one.text, "person"), "  another person of the sentence"),) for one in lead.others]
    for tried in lead.refused:
        why = f"  {tried.rule}: {tried.meaning}" + (f" ({tried.detail})" if tried.detail else "")
        entries.append((_line(Piece(tried.name, "refused"), why),))
    if entries:
        yield Entries(tuple(entries))
    if lead.tree:
        yield Verbatim(tree_lines(lead.tree, lead.climb.position if lead.climb else None))
    if lead.climb:
        climb = lead.climb
        odd = "" if climb.agrees else "; the installed program would not delete the same: another version made it"
        yield Prose(
            _line(
                Piece(
                    f"the climb ended on > {climb.label}, tokens {_span(climb.node_tokens)}; deleted: tokens "
                    f"{_span(climb.deleted_tokens)}{odd}",
                    "dim" if climb.agrees else "bad",
                )
            )
        )


def _span(tokens: tuple[int, int]) -> str:
    return f"{tokens[0]} to {tokens[1] - 1}"


def _query(trace: Trace) -> Iterator[Block]:
    query = trace.query
    if query is None:
        return
    wanted = ", ".join(repr(name) for name in query.names)
    yield Prose(
        _line(
            f"all words of the sentence; must hold {wanted} as a phrase; within "
            f"{', '.join(map(str, query.windows))} days in turn; not the article itself"
        )
    )


def _scores(one: CandidateLine | AsPassage) -> str:
    return f"BM25 {one.score:.2f}" + ("" if one.event is None else f"  event {one.event:.2f}")


def _candidate(one: CandidateLine) -> tuple[Line, ...]:
    verdict = Piece("passage", "answer") if one.passage else Piece("valid, not needed", "dim")
    if one.rule:
        verdict = Piece(f"refused by {one.stage}: {one.rule}", "bad")
    lines = [
        _line(
            f"{one.rank}. ",
            Piece(one.article, "id"),
            f"  {one.date}  within {one.window} d  {_scores(one)}  ",
            verdict,
        )
    ]
    if one.title:
        lines.append(_line(Piece(one.title, "strong")))
    if one.rule:
        lines.append(_line(f"{one.meaning}: ", Piece(one.detail, "bad")))
    if one.tests:
        lines += _tests(one.tests, nearest=not one.rule)
    return (*lines, _line(Piece(one.note, "bad"))) if one.note else tuple(lines)


def _tests(tests: Measured, *, nearest: bool) -> list[Line]:
    held = [
        f"holds {side} context {words!r}"
        for side, words in (("left", tests.left_context), ("right", tests.right_context))
        if words
    ]
    numbers = [
        f"overlap {tests.overlap:.2f}",
        *(held or ["holds neither context"]),
        f"8-grams {tests.reprint:.2f}",
        f"figures {tests.figures:.2f}",
        f"other persons: {', '.join(tests.other_persons) or 'none'}",
    ]
    sentence = f'nearest sentence: "{tests.overlap_sentence}"' if nearest and tests.overlap_sentence else ""
    return [_line(Piece(one, "dim")) for one in ("  ".join(numbers), sentence) if one]


def _cast(cast: PassagePersons) -> Iterator[Block]:
    yield Prose(
        _line(
            Piece(cast.article, "id"),
            "  ",
            Piece(cast.rule or "the passage", "bad" if cast.rule else "answer"),
            f": {cast.detail}" if cast.rule and cast.detail else "",
        )
    )
    rows = []
    for person in cast.persons:
        kind = "answer" if person.answer else "choice" if person.number else "dim"
        forms = ", ".join(f"{one.form} ({one.count})" for one in person.written)
        part = "answer" if person.answer else f"choice {person.number}" if person.number else person.left_out or "-"
        label = f"{person.number}{'*' if person.answer else ''}" if person.number else ""
        rows.append((_line(Piece(person.name, kind, label)), _line(part), _line(forms)))
    if rows:
        yield Table(("person", "part", "written (times)"), tuple(rows))
    if cast.no_persons:
        yield Entries(
            tuple((_line(Piece(one.name, "refused"), f"  no person: {one.detail}"),) for one in cast.no_persons)
        )


def _answer(trace: Trace) -> int:
    return next((one.number for cast in trace.casts for one in cast.persons if one.answer), 0)


def reading_lines(text: str, mentions: tuple[tuple[int, int, int], ...], answer: int) -> Iterator[Line]:
    """The paragraphs of a passage, the choices' mentions marked with the number of the choice (from 1)."""
    at = 0
    for paragraph in text.split("\n\n"):
        end = at + len(paragraph)
        inside = [
            Mark(
                low - at,
                high - at,
                "answer" if number == answer else "choice",
                f"{number}{'*' if number == answer else ''}",
            )
            for low, high, number in mentions
            if at <= low and high <= end
        ]
        yield marked(paragraph, inside)
        at = end + 2


def _reading(reading: Reading, answer: int) -> Iterator[Block]:
    yield Prose(
        _line(Piece(reading.article, "id"), f"  {reading.date}  {reading.source}  ", Piece(reading.title, "strong"))
    )
    for line in reading_lines(reading.text, reading.mentions, answer):
        yield Prose(line)
    yield Prose(_line(Piece(f"{reading.tokens} tokens", "dim")))


def _duplicate(trace: Trace) -> Iterator[Block]:
    if one := trace.duplicate:
        yield Prose(
            _line(
                "beaten by ",
                Piece(one.id, "id"),
                f" of {one.date}: {one.similarity:.2f} of the shorter one's words are shared, "
                f"the threshold is {one.threshold:g}",
            )
        )
        yield Prose(_line(one.sentence))


def _guesses(trace: Trace) -> Table:
    return Table(
        ("baseline", "verdict", "its guess", "numbers, choice by choice"),
        tuple(
            (
                _line(Piece(one.baseline, "strong")),
                _line(Piece("right", "good") if one.right else Piece("wrong", "bad")),
                _line(one.choice + (" (tied: the earlier)" if one.tied else "")),
                _line("  ".join(f"{value:g}" for value in one.scores)),
            )
            for one in trace.guesses
        ),
    )


def _rate(rate: float | None) -> str:
    return "not stored" if rate is None else f"{rate:.4f}"


def _cell(trace: Trace) -> Iterator[Block]:
    if one := trace.cell:
        solved = ", ".join(one.solved_by) or "no baseline"
        yield Prose(_line(f"cell {one.pattern}, {one.choices} choices: solved by {solved}"))
        yield Prose(
            _line(f"keep rate strict {_rate(one.strict_rate)}, relaxed {_rate(one.relaxed_rate)}; draw {one.draw:.4f}")
        )
        yield Prose(_line(Piece(one.level, "bad" if one.level == "suppressed" else "good"), f": {one.why}"))


def _place(trace: Trace) -> Iterator[Block]:
    if one := trace.place:
        yield Prose(
            _line(Piece(f"{one.split}, {one.level}", "good"), f"  (draw {one.draw:.4f} orders validation and test)")
        )
        if one.files:
            yield Entries(tuple((_line(file),) for file in one.files))


def _as_passage(tried: tuple[AsPassage, ...] | None) -> Iterator[Block]:
    if tried is None:
        return
    if not tried:
        yield Prose(_line("no question looked at it"))
        return
    yield Entries(
        tuple(
            (
                _line(
                    Piece(one.question, "id"),
                    f"  rank {one.rank}, within {one.window} d, {_scores(one)}  ",
                    Piece("the passage", "answer") if one.chosen else Piece(f"{one.rule}: {one.detail}", "bad"),
                ),
            )
            for one in tried
        )
    )
