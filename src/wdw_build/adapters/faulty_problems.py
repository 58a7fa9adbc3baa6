"""The backend of the ports ``faulty_problems`` and ``omitted_problems``: files with the problems that people found faulty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.hashing import digest
from wdw_build.core.text_files import read_lines
from wdw_build.errors import ConfigError, MissingResourceError

_FORM = '{"id": "…", "reason": "wrong-span"}'


class FaultyProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file of ``corpus.faulty_problems`` or ``corpus.omitted_problems``."""

    id: str
    """Id of the problem."""
    reason: str
    """What is wrong with it: labels of faults, or other words."""


@dataclass(frozen=True)
class FaultyProblemFiles:
    """``FaultyProblems`` of the registry. The files are read at each call, because they change while studies go on.

    ``key``: the key of the configuration that lists the files, for messages.
    """

    files: Sequence[Path]
    key: str = "corpus.faulty_problems"

    @property
    def identity(self) -> str:
        """See ``FaultyProblems.identity``: the ids and reasons count, not the names of the files."""
        reasons = self.reasons()
        return f"{len(reasons)} problems {digest(reasons)[:16]}" if reasons else "no problems"

    def reasons(self) -> dict[str, str]:
        """See ``FaultyProblems.reasons``."""
        reasons: dict[str, dict[str, None]] = {}
        for path in self.files:
            for line in _lines(path, self.key):
                reasons.setdefault(line.id, {})[line.reason] = None
        return {name: "; ".join(sorted(of_problem)) for name, of_problem in reasons.items()}


def _lines(path: Path, key: str) -> Iterator[FaultyProblem]:
    try:
        lines = read_lines(path)
    except OSError as error:
        raise MissingResourceError(
            f"{key}: cannot read {path}: {error.strerror}",
            hint="wdw-build annotate apply writes such a file",
        ) from error
    for number, line in lines:
        try:
            yield msgspec.json.decode(line, type=FaultyProblem)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise ConfigError(f"{key}: {path}:{number}: {error}", hint=f"a line is {_FORM}") from error
