"""Converts marked sentences to lines of the gold set, with the offsets counted.

A marked line is ``tag,tag | reason | President {Aldo Ferrante} met <Foreign Minister {Kirsten Holm}> in Geneva.`` Braces
enclose the names of persons, and angle brackets the span to delete; with such a span, the reason is empty.
``python scripts/quality/mark_gold.py own- 322 < marked.txt >> tests/gold/sentences.jsonl`` numbers the sentences from 322.
``--unmark`` converts lines of the gold set back to marked lines.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

if __name__ == "__main__":  # a script does not find its own package
    sys.path.insert(0, str(Path(__file__).parents[1]))

from quality.gold import Gold
from wdw_build.records import Mention

_OPEN, _CLOSE = "{<", "}>"


def marked(line: str, name: str) -> Gold:
    """Convert a marked line to a sentence of the gold set. Raises ``ValueError`` if the marks are not balanced."""
    tags, reason, text = (part.strip() for part in line.split(" | ", 2))
    sentence, spans = _take_marks(text)
    mentions = {kind: [_mention(sentence, *span) for span in found] for kind, found in spans.items()}
    blank = mentions["<"][0] if mentions["<"] else None
    if len(mentions["<"]) > 1 or bool(blank) == bool(reason):
        raise ValueError(f"either one blank or a reason: {line}")
    persons = tuple(mentions["{"])
    return Gold(
        id=name,
        sentence=sentence,
        persons=persons,
        blank=blank,
        name=_name(persons, blank),
        reason=reason,
        tags=tuple(tags.split(",")),
    )


def unmarked(gold: Gold) -> str:
    """Convert a sentence of the gold set to a marked line."""
    marks = [(person.start, 1, "{") for person in gold.persons] + [(person.end, -2, "}") for person in gold.persons]
    if gold.blank:
        marks += [(gold.blank.start, 0, "<"), (gold.blank.end, -1, ">")]
    text = gold.sentence
    for at, _, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    return f"{','.join(gold.tags)} | {gold.reason} | {text}"


def _take_marks(text: str) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    plain: list[str] = []
    spans: dict[str, list[tuple[int, int]]] = {"{": [], "<": []}
    opened: list[tuple[str, int]] = []
    for ch in text:
        if ch in _OPEN:
            opened.append((ch, len(plain)))
        elif ch in _CLOSE:
            mark, start = opened.pop()
            if _CLOSE[_OPEN.index(mark)] != ch:
                raise ValueError(f"marks cross: {text}")
            spans[mark].append((start, len(plain)))
        else:
            plain.append(ch)
    if opened:
        raise ValueError(f"a mark is not closed: {text}")
    return "".join(plain), spans


def _mention(sentence: str, start: int, end: int) -> Mention:
    return Mention(start=start, end=end, text=sentence[start:end])


def _name(persons: tuple[Mention, ...], blank: Mention | None) -> Mention | None:
    """The deleted person: the last name in the blank ("Ann Poole's brother Tom Reed")."""
    if blank is None:
        return None
    inside = [person for person in persons if blank.start <= person.start and person.end <= blank.end]
    return inside[-1]


def main() -> None:
    """Run the command: convert stdin to stdout."""
    if sys.argv[1:] == ["--unmark"]:
        for line in sys.stdin:
            print(unmarked(msgspec.json.decode(line, type=Gold)))
        return
    prefix, number = sys.argv[1], int(sys.argv[2])
    for at, line in enumerate(filter(str.strip, sys.stdin)):
        print(msgspec.json.encode(marked(line, f"{prefix}{number + at:03}")).decode())


if __name__ == "__main__":
    main()
