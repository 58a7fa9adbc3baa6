"""Scores a reader's answers by the key of their sheet: accuracy with its 95 % interval, chance, and the baselines.

The interval is Wilson's (1927), which unlike the normal approximation is valid for small sheets and accuracies near 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from wdw_build.bench import statistics
from wdw_build.errors import UsageError
from wdw_build.views.quality.judgements import (
    CANNOT_TELL,
    FAULTS,
    Agreement,
    Answer,
    KeyLine,
    Miss,
    SavedAnswers,
    Score,
)
from wdw_build.views.quality.sheet import KEYS

_MOST_LISTED = 10


def find_key(folder: Path, sheet: str) -> list[KeyLine]:
    """The key of a sheet, searched for in ``folder``. Raises ``UsageError`` if ``folder`` has no key of the sheet."""
    known: list[str] = []
    for path in sorted(folder.glob(KEYS)):
        try:
            lines = [msgspec.json.decode(line, type=KeyLine) for line in path.read_bytes().splitlines()]
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise UsageError(
                f"{path} is not a key: {error}", hint="draw the sheet again with the same --seed"
            ) from error
        if lines and lines[0].sheet == sheet:
            return lines
        known += [line.sheet for line in lines[:1]]
    raise UsageError(
        f"the answers are for sheet {sheet[:40]!r}, which this run does not have (sheets: {', '.join(known) or 'none'})",
        hint="use the run that the sheet was drawn from; if the run has changed, draw a new sheet",
    )


def wilson(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of ``right`` out of ``count``, rounded to four decimals."""
    low, high = statistics.wilson(right, count)
    return round(low, 4), round(high, 4)


def score(saved: SavedAnswers, key: Sequence[KeyLine]) -> Score:
    """The score. Raises ``UsageError`` unless each problem of the sheet has exactly one answer."""
    answers = _matched(saved.answers, key)
    pairs = [(line, answers[line.number]) for line in key]
    decided = [(line, answer) for line, answer in pairs if answer.answer != CANNOT_TELL]
    right = sum(_is_right(line, answer) for line, answer in decided)
    return Score(
        sheet=saved.sheet,
        problems=len(pairs),
        answered=len(decided),
        right=right,
        cannot_tell=len(pairs) - len(decided),
        accuracy=_share(right, len(pairs)),
        interval=wilson(right, len(pairs)),
        accuracy_of_answered=_share(right, len(decided)),
        chance=round(sum(1 / len(line.choices) for line in key) / len(key), 4),
        faults=_faults(answers.values()),
        baselines={name: _agreement(name, pairs, decided) for name in key[0].guesses},
        missed=tuple(_miss(line, answer) for line, answer in pairs if not _is_right(line, answer)),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _is_right(line: KeyLine, answer: Answer) -> bool:
    return answer.answer == line.choices[line.answer]


def _faults(answers: Iterable[Answer]) -> dict[str, int]:
    counts = Counter(fault for answer in answers for fault in set(answer.faults))
    return {fault: counts[fault] for fault in FAULTS if counts[fault]}


def _agreement(
    name: str, pairs: Sequence[tuple[KeyLine, Answer]], decided: Sequence[tuple[KeyLine, Answer]]
) -> Agreement:
    return Agreement(
        accuracy=_share(sum(line.guesses[name] == line.answer for line, _ in pairs), len(pairs)),
        agreement=_share(
            sum(line.choices[line.guesses[name]] == answer.answer for line, answer in decided), len(decided)
        ),
    )


def _miss(line: KeyLine, answer: Answer) -> Miss:
    return Miss(line.number, line.id, answer.answer or "", line.choices[line.answer], answer.faults, answer.remarks)


def _matched(answers: Sequence[Answer], key: Sequence[KeyLine]) -> dict[int, Answer]:
    """The answers by number. Raises ``UsageError`` unless each problem has one answer: a choice or ``cannot tell``."""
    counts = Counter(answer.number for answer in answers)
    _refuse("answered twice", [number for number, count in counts.items() if count > 1])
    known = {line.number: line for line in key}
    _refuse("no such problem on the sheet", [number for number in counts if number not in known])
    missing = [line.number for line in key if line.number not in counts]
    _refuse("not answered", sorted([*missing, *(answer.number for answer in answers if answer.answer is None)]))
    for answer in answers:
        _check(answer, known[answer.number])
    return {answer.number: answer for answer in answers}


def _refuse(fault: str, numbers: Sequence[int]) -> None:
    if numbers:
        named = ", ".join(map(str, numbers[:_MOST_LISTED])) + (" …" if len(numbers) > _MOST_LISTED else "")
        raise UsageError(f"{fault}: {named}", hint=f"give each problem one answer: a choice, or {CANNOT_TELL!r}")


def _check(answer: Answer, line: KeyLine) -> None:
    if answer.answer not in (*line.choices, CANNOT_TELL):
        raise UsageError(
            f"problem {answer.number} has no choice {str(answer.answer)[:80]!r}",
            hint=f"choices: {', '.join(line.choices)}; or {CANNOT_TELL!r}",
        )
    unknown = [fault for fault in answer.faults if fault not in FAULTS]
    if unknown:
        raise UsageError(
            f"problem {answer.number}: unknown fault {unknown[0][:80]!r}", hint=f"faults: {', '.join(FAULTS)}"
        )
