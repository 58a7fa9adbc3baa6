"""Finds the record of a shard on which worker processes die, and leaves it out.

Each shard has a journal, an append-only file in the staging folder, because a killed process can report nothing. A process
that finds the journal of a killed one reads on from there:

1. A shard that was killed is examined record by record, and the number of each record is noted before it is tried.
2. If that is killed, too, the noted record is tried alone, by a process that has done nothing else.
3. If it kills again, the record is quarantined: it becomes a rejection with the reason ``worker-died``.

Then the shard runs as usual, without the quarantined records. A record is thus tried three times.

A process may also be killed for another reason: a host fails, or a job reaches its time limit. Loading models takes much
longer than one record, so a process first tries another record and notes that it warms up: a death before the noted record
is tried blames no record. Once a noted record has passed alone, processes are known to die for other reasons: from then on,
a record is quarantined only if it kills alone twice.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from wdw_build.errors import StageError

_TRY, _OVER, _WARM, _LOOK, _ALONE = "try", "over", "warm", "look", "alone"
_CLEAR, _OUT, _EXAMINED = "clear", "out", "examined"
_MOST_TRIES = 3
_MOST_ALONE = 2
# Other lines are ignored: a process was killed while it wrote them.
_LINE = re.compile(r"(try|over|warm|examined)|(look|alone|clear|out) \d+")


class Journal:
    """What the processes that tried a shard noted: lines of a word and, for most words, the number of a record."""

    def __init__(self, path: Path, shard: str, say: Callable[[str], None]) -> None:
        self._path, self._shard, self._say = path, shard, say
        self._lines = [tuple(line.split()) for line in _read(path) if _LINE.fullmatch(line)]

    def _note(self, word: str, number: int | None = None) -> None:
        line = (word,) if number is None else (word, str(number))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="ascii") as stream:
            stream.write(" ".join(line) + "\n")
        self._lines.append(line)

    @property
    def quarantined(self) -> frozenset[int]:
        """The numbers of the quarantined records within the shard."""
        return frozenset(int(line[1]) for line in self._lines if line[0] == _OUT)

    @contextlib.contextmanager
    def trying(self, records: Callable[[], Iterable[Any]], attempt: Callable[[Any], None]) -> Iterator[frozenset[int]]:
        """Examine the shard if it was killed before; then yield the numbers of the quarantined records for the usual run.

        ``attempt`` runs the stage on one record. Raises ``StageError`` if the shard kills its workers although each of its
        records passes alone.
        """
        last = next((line for line in reversed(self._lines) if line[0] != _WARM), (_OVER,))
        try:
            if last[0] not in (_OVER, _EXAMINED):
                self._examine(last, records, attempt)
            self._note(_TRY)
            yield self.quarantined
        except BaseException:
            # Ctrl-C or an error of the stage, not a kill: the next run begins as usual.
            self._note(_OVER)
            raise

    def _examine(
        self, last: tuple[str, ...], records: Callable[[], Iterable[Any]], attempt: Callable[[Any], None]
    ) -> None:
        self._say("a worker process died on this shard")
        if last[0] == _TRY and (_EXAMINED,) in self._lines:
            self._check()
            return
        start = 0
        if last[0] != _TRY:
            suspect = int(last[1])
            if last[0] in (_LOOK, _ALONE):
                self._judge(suspect, last[0], records, attempt)
            start = suspect + 1
        self._say(f"tries the records from {start} on one by one")
        self._warm_up(start, records, attempt)
        for number, record in enumerate(itertools.islice(records(), start, None), start):
            self._note(_LOOK, number)
            attempt(record)
        self._note(_EXAMINED)

    def _judge(
        self, suspect: int, word: str, records: Callable[[], Iterable[Any]], attempt: Callable[[Any], None]
    ) -> None:
        """Try a record on which the last process died alone, or quarantine it if it was tried alone already."""
        if word == _ALONE and not self._may_be_chance(suspect):
            self._note(_OUT, suspect)
            self._say(f"record {suspect} of the shard is quarantined: three worker processes died on it")
            return
        self._warm_up(suspect, records, attempt)
        self._note(_ALONE, suspect)
        for record in itertools.islice(records(), suspect, suspect + 1):
            attempt(record)
        self._note(_CLEAR, suspect)

    def _may_be_chance(self, number: int) -> bool:
        """Whether a record that killed alone is tried again: an earlier suspect passed, so something else kills, too."""
        return any(line[0] == _CLEAR for line in self._lines) and self._lines.count((_ALONE, str(number))) < _MOST_ALONE

    def _warm_up(self, number: int, records: Callable[[], Iterable[Any]], attempt: Callable[[Any], None]) -> None:
        """Load the models by a record before ``number``, which passed, or after it if there is none.

        After some deaths in a row, this record may be the killer: then it is left to its own turn.
        """
        if self._lines[-_MOST_TRIES:] == [(_WARM,)] * _MOST_TRIES:
            return
        before = (other for other in range(number - 1, -1, -1) if other not in self.quarantined)
        other = next(before, number + 1)
        self._note(_WARM)
        for record in itertools.islice(records(), other, other + 1):
            attempt(record)

    def _check(self) -> None:
        words = [line[0] for line in self._lines]
        deaths = sum(pair[0] == _TRY and pair[1] != _OVER for pair in itertools.pairwise([*words, ""]))
        if deaths > _MOST_TRIES:
            raise StageError(
                f"{self._shard}: the worker process died {deaths} times, although each record passes alone",
                hint="the machine probably has too little memory: set fewer execution.workers, or a smaller "
                "execution.shard_size; then run the same command again",
            )


def close_journals(folder: Path) -> None:
    """Note in all journals of a folder that no record is to blame for the end of the workers."""
    for path in folder.glob("*"):
        with path.open("a", encoding="ascii") as stream:
            # The line that a killed process was writing ends here.
            stream.write(f"\n{_OVER}\n")


def _read(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        return []
    # A line without its newline was being written when the process was killed.
    return text.split("\n")[:-1]
