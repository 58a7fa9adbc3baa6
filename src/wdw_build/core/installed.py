"""The installed versions of libraries, looked up without importing them."""

from __future__ import annotations

import importlib.metadata

from wdw_build.errors import MissingResourceError


def installed_version(package: str, user: str, hint: str = "") -> str:
    """The version of a package that ``user`` needs. Raises ``MissingResourceError`` if it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingResourceError(
            f"{package} is not installed; {user} needs it", hint=hint or f"pip install -c constraints.txt {package}"
        ) from error


def extra_versions(extra: str, *packages: str) -> str:
    """``name version`` of the packages in an optional extra. Raises ``MissingResourceError`` if one is missing."""
    hint = f"pip install 'wdw-build[{extra}]'"
    return ", ".join(f"{name} {installed_version(name, 'this corpus', hint)}" for name in packages)
