"""Records, plans and summaries as text. Text of articles is escaped: what a terminal would obey is shown, not sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from wdw_build.core.run.progress import printable
from wdw_build.core.store.causes import AnyCause, Forced
from wdw_build.records import (
    Article,
    BaselinePredictions,
    Candidate,
    Choice,
    Problem,
    Question,
    Record,
    Rejection,
    Retrieval,
    SplitAssignment,
    SuppressionDecision,
)
from wdw_build.views.causes import sentence
from wdw_build.views.marks import Mark, Piece, marked
from wdw_build.views.trace.view import reading_lines

if TYPE_CHECKING:
    from wdw_build.pipeline import Step
    from wdw_build.rebuild import ArticleMismatch
    from wdw_build.verify import Report
    from wdw_build.views.quality import Score, Written
    from wdw_build.views.summary import Summary
    from wdw_build.views.trace.terminal import Terminal

_RULED = "-" * 72


class StepRow(msgspec.Struct, frozen=True):
    """A stage's state as shown: whether it would run, and why (``reasons`` are ``typed_causes`` in words)."""

    stage: str
    would_run: bool
    reasons: tuple[str, ...]
    output: str
    typed_causes: tuple[AnyCause, ...]


def step_row(step: Step, *, forced: bool) -> StepRow:
    """A step as a row."""
    name, output = step.stage.name, str(step.output.folder) if step.output else ""
    causes = (Forced(stage=name),) if forced else step.causes
    return StepRow(name, bool(causes), tuple(map(sentence, causes)), output, causes)


def plan(rows: Iterable[StepRow]) -> str:
    """One line a stage."""
    return "\n".join(
        f"{row.stage:<10} " + (f"would run: {'; '.join(row.reasons)}" if row.would_run else "up to date")
        for row in rows
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns of one width; the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


def summary(found: Summary) -> str:
    """The whole summary."""
    return "\n\n".join(
        [
            _funnel(found),
            _rejections(found),
            _refused(found),
            _table2(found),
            _table3(found),
            *_event_scores(found),
            _costs(found),
            _answers(found),
        ]
    )


def _funnel(found: Summary) -> str:
    rows = []
    for name, value in found.funnel.items():
        if isinstance(value, dict):
            rows += [[f"{name.replace('_', ' ')}, {key}", str(count)] for key, count in value.items()]
        else:
            rows.append([name.replace("_", " "), str(value)])
    return "Funnel\n" + table(rows)


def _rejections(found: Summary) -> str:
    rows = [
        [stage, reason, str(count)]
        for stage, reasons in found.rejections.items()
        for reason, count in sorted(reasons.items(), key=lambda pair: -pair[1])
    ]
    return "Rejections\n" + (table(rows) if rows else "none")


def _refused(found: Summary) -> str:
    rows = [[stage, rule, str(count)] for stage, rules in found.refused.items() for rule, count in rules.items()]
    return "Candidates refused\n" + (table(rows) if rows else "none")


def _table2(found: Summary) -> str:
    head = ["Table 2: accuracy", "before", "strict", "relaxed"]
    rows = [("chance", found.table2.chance), *found.table2.baselines.items()]
    return table(
        [
            head,
            *([name, f"{row.before:.3f}", f"{row.after.strict:.3f}", f"{row.after.relaxed:.3f}"] for name, row in rows),
        ]
    )


def _table3(found: Summary) -> str:
    head = ["Table 3: split", "problems", "choices", "passage tokens", "vocabulary"]
    return table(
        [
            head,
            *(
                [
                    name,
                    str(row.problems),
                    f"{row.average_choices:.2f}",
                    f"{row.average_passage_tokens:.1f}",
                    str(row.vocabulary),
                ]
                for name, row in found.table3.items()
            ),
        ]
    )


def _event_scores(found: Summary) -> list[str]:
    """Problems by event score, from the highest tenth down, with the sum so far; nothing if no scorer ran."""
    rows, so_far = [["Event score", "problems", "this or higher"]], 0
    for band, count in reversed(found.event_scores.items()):
        so_far += count
        rows.append([band, str(count), str(so_far)])
    return [table(rows)] if so_far else []


def _costs(found: Summary) -> str:
    rows = [["Stage", "seconds", "peak MB", "workers"]]
    rows += [[name, f"{cost.seconds:.1f}", str(cost.peak_mb), str(cost.workers)] for name, cost in found.stages.items()]
    return table(rows) + _devices(found)


def _devices(found: Summary) -> str:
    """A line if a GPU computed; a warning if its scores and the CPU's stand side by side."""
    used = sorted({device for devices in found.devices.values() for device in devices})
    if used in ([], ["cpu"]):
        return ""
    line = "; ".join(f"{name} on {' and '.join(devices)}" for name, devices in found.devices.items())
    mixed = "\nWARNING: a mixed run: the same labels, but where two were all but equal, hang on the device"
    return f"\nComputed: {line}{mixed if len(used) > 1 else ''}"


def _answers(found: Summary) -> str:
    persons = found.persons
    name, share = found.most_common_answer
    warning = "  WARNING: more than a fifth of all answers" if share > 0.2 else ""
    return (
        f"Persons: {persons.question_mentions} mentions in questions, {persons.choice_mentions} of choices in passages, "
        f"{persons.distinct_choices} distinct choices, {persons.distinct_answers} distinct answers\n"
        f"Most common answer: {printable(name)} ({100 * share:.1f} %){warning}"
    )


def checks(report: Report) -> str:
    """One line a check, and examples of what fails."""
    lines = []
    for check in report.checks:
        lines.append(f"{'ok  ' if not check.failures else 'FAIL'} {check.name:<28} {check.checked:>8}  {check.promise}")
        lines += [f"       {printable(example)}" for example in check.examples]
    return "\n".join(lines)


def sheet(found: Written) -> str:
    """A sheet that was written."""
    return (
        f"sheet {found.sheet}: {found.problems} problems\n"
        f"for readers:  {found.page}\nfor machines: {found.lines}\nkey:          {found.key}"
    )


def score(found: Score) -> str:
    """A reader's score."""
    low, high = found.interval
    rows = [
        ["sheet", found.sheet],
        ["problems", str(found.problems)],
        ["answered", str(found.answered)],
        ["right", str(found.right)],
        ["cannot tell", str(found.cannot_tell)],
        ["accuracy", f"{found.accuracy:.3f} (95 %: {low:.3f} to {high:.3f})"],
        ["accuracy of answered", f"{found.accuracy_of_answered:.3f}"],
        ["chance", f"{found.chance:.3f}"],
    ]
    width = max(len(name) for name, _ in rows)
    faults = [[name, str(count)] for name, count in found.faults.items()]
    baselines = [[name, f"{one.accuracy:.3f}", f"{one.agreement:.3f}"] for name, one in found.baselines.items()]
    missed = [
        f"  {one.number}. {printable(one.id)}: {printable(one.given)}, not {printable(one.answer)}  "
        f"{' '.join(one.faults)}  {printable(one.remarks)}".rstrip()
        for one in found.missed
    ]
    return "\n\n".join(
        [
            "\n".join(f"{name:<{width}}  {value}" for name, value in rows),
            "Faults\n" + (table(faults) if faults else "none"),
            table([["Baseline", "accuracy", "same as reader"], *baselines]),
            "Not right (given, answer)\n" + ("\n".join(missed) or "none"),
        ]
    )


def _paragraphs(text: str) -> str:
    return "\n".join(printable(line) for line in text.split("\n"))


def question(found: Question, out: Terminal) -> str:
    """A question with its blank, the other persons marked."""
    others = ", ".join(printable(other.text) for other in found.others)
    pieces: list[Piece] = []
    for offset, side in ((0, found.left), (found.blank.end, found.right)):
        inside = [other for other in found.others if offset <= other.start and other.end <= offset + len(side)]
        pieces += marked(side, [Mark(other.start - offset, other.end - offset, "person") for other in inside])
        if not offset:
            pieces.append(Piece("XXX", "blank"))
    return (
        f"{out.line(pieces)}\n"
        f"deleted: {printable(found.blank.text)}  name: {printable(found.name.text)}  others: {others}"
    )


def _candidate(found: Candidate) -> str:
    verdict = f"refused: {found.rule} ({printable(found.detail)})" if found.rule else "valid"
    place = f"{found.date} within {found.window} d, {_scores(found.score, found.event)}"
    return f"  {found.rank:>3}. {printable(found.article)} {place}  {verdict}"


def _scores(bm25: float, event: float | None) -> str:
    return f"{bm25:.2f}" if event is None else f"{bm25:.2f}, event {event:.2f}"


def _passage(found: Problem, out: Terminal) -> str:
    spans = ((span.start, span.end, at) for at, choice in enumerate(found.choices, 1) for span in choice.mentions)
    lines = reading_lines(found.passage.text, tuple(sorted(spans)), found.answer + 1)
    return "\n\n".join("\n".join(out.line(part) for part in _split(line)) for line in lines)


def _split(line: Iterable[Piece]) -> list[list[Piece]]:
    """The lines of a paragraph in pieces."""
    lines: list[list[Piece]] = [[]]
    for piece in line:
        first, *others = piece.text.split("\n")
        lines[-1].append(piece._replace(text=first))
        lines += [[piece._replace(text=other)] for other in others]
    return lines


def _problem(found: Problem, out: Terminal) -> str:
    choices = "\n".join(
        f"  {'*' if at == found.answer else ' '} {at + 1} {printable(choice.name)} ({len(choice.mentions)} mentions)"
        for at, choice in enumerate(found.choices)
    )
    return "\n".join(
        [
            question(found.question, out),
            f"passage {printable(found.passage.article)} {found.passage.date} "
            f"(within {found.window} d, {_scores(found.score, found.event_score)}): "
            f"{printable(found.passage.title)}",
            _passage(found, out),
            choices,
            *([f"drawn from {len(found.persons)} persons: {_names(found.persons)}"] if found.persons else []),
            *(_candidate(candidate) for candidate in found.refused),
        ]
    )


def _names(choices: Sequence[Choice]) -> str:
    return ", ".join(printable(choice.name) for choice in choices)


def _rejection(found: Rejection) -> str:
    lines = [f"rejected: {found.reason}  {printable(found.detail)}"]
    lines += [f"  {printable(one.name)}: {one.rule} ({printable(one.detail)})" for one in found.refused]
    return "\n".join(lines + [_candidate(candidate) for candidate in found.candidates])


def _article(found: Article) -> str:
    return f"{found.source} ({found.kind}) {printable(found.title)}\n{printable(found.dateline)}\n{_paragraphs(found.text)}"


def _guesses(found: BaselinePredictions) -> str:
    rows = [
        f"  {name:<14} choice {guess} {'right' if guess == found.answer else 'wrong'}  {list(found.scores[name])}"
        for name, guess in found.guesses.items()
    ]
    return "\n".join([f"{found.choices} choices, answer {found.answer}", *rows])


def record(found: Record, out: Terminal) -> str:
    """Any record, readable, with what is marked in brackets (and in colour where there is one)."""
    day = getattr(found, "date", "")
    head = f"{_RULED}\n{printable(found.id)} {day}".rstrip()
    match found:
        case Article():
            body = _article(found)
        case Question():
            body = question(found, out)
        case Retrieval():
            body = "\n".join(_candidate(candidate) for candidate in found.candidates)
        case Problem():
            body = _problem(found, out)
        case BaselinePredictions():
            body = _guesses(found)
        case SuppressionDecision():
            body = (
                f"cell {found.cell}, {found.choices} choices, draw {found.draw:.4f}, rates strict {found.strict_rate:.4f}, "
                f"relaxed {found.relaxed_rate:.4f}: {'strict' if found.strict else 'relaxed'}"
            )
        case SplitAssignment():
            body = f"{found.split}, {found.level}"
        case Rejection():
            body = _rejection(found)
        case _:
            plain = msgspec.to_builtins(found)
            body = "  ".join(f"{key} {printable(str(value))}" for key, value in plain.items() if key != "id")
    return f"{head}\n{body}"


def lacking(found: ArticleMismatch) -> str:
    """A line for each article that is missing or differs."""
    rows = [("missing", name) for name in found.missing] + [("differs", name) for name in found.differs]
    return "\n".join(f"{what}  {printable(name)}" for what, name in rows)
