"""Query, candidates, persons, alternatives and passage as blocks; ``inspect`` shows alternatives and passages, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wdw_build.views.marks import Mark, Segment, segments
from wdw_build.views.trace import records
from wdw_build.views.trace.terminal import Block, Entries, Line, entries, line_of, prose, table

_OUTCOMES = {
    "selected": ("selected", "good"),
    "not-selected": ("not selected", "dim"),
    "excluded": ("excluded: an adversary solves it", "bad"),
    "": ("", ""),
}


def query_blocks(query: records.IndexQuery) -> Iterator[Block]:
    """The search of ``retrieve`` in words."""
    names, windows = ", ".join(map(repr, query.names)), ", ".join(map(str, query.windows))
    required = f"{names} as a phrase" if query.match == "phrase" else f"one of {names}"
    words = f"all words of the sentence; must contain {required}; within {windows} days in turn"
    yield prose(f"{words}; not the question's own article")
    if query.more_names:
        more = "; ".join(", ".join(map(repr, names)) for names in query.more_names)
        yield prose(f"searched again for the other persons who may be deleted: {more}")


def _scores(scored: records.TracedCandidate | records.PassageTrial) -> str:
    return f"BM25 {scored.score:.2f}" + ("" if scored.event is None else f"  event {scored.event:.2f}")


def candidate_entry(candidate: records.TracedCandidate) -> tuple[Line, ...]:
    """A candidate: its rank and scores, its title, the verdict, and the results of the tests."""
    counted = f"{candidate.alternatives} alternative{'s' * (candidate.alternatives != 1)}"
    verdict = Segment(counted if candidate.alternatives else "valid, not needed", "dim")
    if candidate.passage:
        verdict = Segment("passage", "answer")
    if candidate.rule:
        verdict = Segment(f"refused by {candidate.stage}: {candidate.rule}", "bad")
    deleted = f"  for {candidate.deleted}" if candidate.blank else ""
    numbers = f"{deleted}  {candidate.date}  within {candidate.window} d  {_scores(candidate)}  "
    lines = [line_of(f"{candidate.rank}. ", Segment(candidate.article, "id"), numbers, verdict)]
    if candidate.title:
        lines.append(line_of(Segment(candidate.title, "strong")))
    if candidate.rule:
        lines.append(line_of(f"{candidate.meaning}: ", Segment(candidate.detail, "bad")))
    if candidate.tests:
        lines += _tests(candidate.tests, nearest=not candidate.rule)
    if candidate.note:
        lines.append(line_of(Segment(candidate.note, "bad")))
    return tuple(lines)


def _tests(tests: records.CandidateTests, *, nearest: bool) -> Iterator[Line]:
    contexts = [
        f"contains the {side} context {words!r}"
        for side, words in (("left", tests.left_context), ("right", tests.right_context))
        if words
    ]
    numbers = [
        f"overlap {tests.overlap:.2f}",
        *(contexts or ["contains neither context"]),
        f"8-grams {tests.reprint:.2f}",
        f"figures {tests.figures:.2f}",
        f"other persons: {', '.join(tests.other_persons) or 'none'}",
    ]
    yield line_of(Segment("  ".join(numbers), "dim"))
    if nearest and tests.overlap_sentence:
        yield line_of(Segment(f'nearest sentence: "{tests.overlap_sentence}"', "dim"))


def trial_blocks(trials: tuple[records.PassageTrial, ...]) -> Iterator[Block]:
    """The questions that tried the article as their passage."""
    if trials:
        yield entries(map(_trial, trials))
    else:
        yield prose("no question tried this article")


def _trial(trial: records.PassageTrial) -> Line:
    verdict = Segment(f"{trial.rule}: {trial.detail}", "bad")
    if trial.chosen:
        verdict = Segment("the passage", "answer")
    elif trial.alternatives:
        verdict = Segment(f"{trial.alternatives} of the alternatives, not selected", "dim")
    blank = f", blank {trial.blank}" if trial.blank else ""
    numbers = f"  rank {trial.rank}{blank}, within {trial.window} d, {_scores(trial)}  "
    return line_of(Segment(trial.question, "id"), numbers, verdict)


def person_blocks(persons: records.PassagePersons) -> Iterator[Block]:
    """The persons of one candidate, and its tagged names that are not persons."""
    verdict = Segment(persons.rule or "the passage", "bad" if persons.rule else "answer")
    detail = f": {persons.detail}" if persons.rule and persons.detail else ""
    yield prose(Segment(persons.article, "id"), "  ", verdict, detail)
    if persons.persons:
        yield table(("person", "part", "written (times)"), map(_person, persons.persons))
    if persons.no_persons:
        yield entries(
            line_of(Segment(name.name, "refused"), f"  no person: {name.detail}") for name in persons.no_persons
        )


def _person(person: records.PassagePerson) -> tuple[str | Segment, ...]:
    kind = "answer" if person.answer else "choice" if person.number else "dim"
    part = "answer" if person.answer else f"choice {person.number}" if person.number else person.left_out or "-"
    label = _label(person.number, answer=person.answer) if person.number else ""
    forms = ", ".join(f"{name.form} ({name.count})" for name in person.written)
    return Segment(person.name, kind, label), part, forms


def _label(number: int, *, answer: bool) -> str:
    return f"{number}*" if answer else str(number)


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


def passage_blocks(passage: records.TracedPassage, answer: int) -> Iterator[Block]:
    """The passage with its marked choices; ``answer`` is the number of the answer."""
    origin = f"  {passage.date}  {passage.source}  "
    yield prose(Segment(passage.article, "id"), origin, Segment(passage.title, "strong"))
    for line in reading_lines(passage.text, passage.mentions, answer):
        yield prose(*line)
    yield prose(Segment(f"{passage.tokens} tokens", "dim"))


def alternative_entries(alternatives: Iterable[records.TracedAlternative]) -> Entries:
    """One line per alternative; an asterisk follows the number of the selected one."""
    return entries(map(_alternative, alternatives))


def _alternative(alternative: records.TracedAlternative) -> Line:
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
