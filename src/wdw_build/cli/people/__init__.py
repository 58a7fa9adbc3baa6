"""The commands for people in the loop: ``annotate``, ``collect`` and ``quality``. They need the extra ``study``."""

from importlib.util import find_spec

from wdw_build.errors import MissingResourceError

_LIBRARIES = ("fastapi", "itsdangerous", "krippendorff", "python_multipart", "scipy", "uvicorn")
if _missing := [name for name in _LIBRARIES if find_spec(name) is None]:
    raise MissingResourceError(f"not installed: {', '.join(_missing)}", hint="pip install 'wdw-build[study]'")
