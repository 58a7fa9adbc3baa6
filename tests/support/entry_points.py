"""Entry points of a package that is not installed."""

import importlib.metadata
from typing import NamedTuple


class Point(NamedTuple):
    """An entry point; one whose object is an exception cannot be loaded."""

    name: str
    value: str
    loaded: object

    def load(self):
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


def provide(monkeypatch, wanted, *points):
    """Let these entry points be all of a group; other groups have those of the installed packages."""
    installed = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda *, group: points if group == wanted else installed(group=group)
    )
