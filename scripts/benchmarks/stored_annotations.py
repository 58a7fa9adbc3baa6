"""Look-ups of stored annotations compared with look-ups in SQLite, in which earlier versions stored them.

Half of the keys are stored. The same annotations are in 1, 20 and 200 segments: about as many as one process, a workstation
and a cluster leave before they are merged.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks.measure import Figure, Goal, speeds, times_faster
from benchmarks.setting import Line, Setting
from wdw_build.core.store.segments import Segments

_VALUE = b'{"persons":"%s"}' % (b"x" * 3000)


def _keys(count: int, first: int = 0) -> list[str]:
    return [hashlib.sha256(b"%d" % number).hexdigest() for number in range(first, first + count)]


def _segments(folder: Path, keys: Sequence[str], count: int) -> Segments:
    shutil.rmtree(folder, ignore_errors=True)
    for number in range(count):
        Segments(folder).load((key, _VALUE) for key in sorted(keys[number::count]))
    return Segments(folder)


def _database(path: Path, keys: Iterable[str]) -> sqlite3.Connection:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE annotations (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        connection.executemany("INSERT INTO annotations VALUES (?, ?)", ((key, _VALUE) for key in keys))
    return connection


def _looking_up(find: Callable[[str], object], keys: Sequence[str]) -> Callable[[], None]:
    def run() -> None:
        for key in keys:
            find(key)

    return run


def measure(setting: Setting) -> Sequence[Figure]:
    """Measure the look-ups in a second, as a multiple of SQLite's."""
    size = setting.size(50_000, 500)
    keys = _keys(size)
    asked = [key for pair in zip(keys[:: max(1, size // 2000)], _keys(size, size), strict=False) for key in pair]
    folder = setting.work / LINE.name
    folder.mkdir(parents=True, exist_ok=True)
    figures = []
    with contextlib.closing(_database(folder / "yardstick.sqlite", keys)) as connection:
        query = "SELECT value FROM annotations WHERE key = ?"
        yardstick = _looking_up(lambda key: connection.execute(query, (key,)).fetchone(), asked)
        for count in (1, 20, 200):
            ours = _looking_up(_segments(folder / str(count), keys, count).find, asked)
            ours()
            timed = setting.in_turn(f"{LINE.name}-{count}", ours, yardstick)
            figures.append(
                Figure(
                    f"{LINE.name}-{count}",
                    f"look-ups/s in {count} segments, times SQLite's",
                    times_faster(timed),
                    "x",
                    Goal("≥", 0.1),
                    f"{size} annotations, {len(asked)} look-ups, half of them successful",
                    speeds(timed, len(asked), "look-ups"),
                )
            )
    return figures


LINE = Line("stored-annotations", "look-ups of stored annotations : SQLite", measure)
