"""requirements.lock: the versions of constraints.txt, each with hashes."""

import re
from pathlib import Path

# setuptools builds the package itself; pip needs no constraint for it.
_NOT_PINNED = {"setuptools"}


def versions(name, *, hashed):
    """Versions by name; with ``hashed``, each must be followed by a hash."""
    pattern = r"^([\w.-]+)==([^\s;]+)" + (r"[^\n]*\\\n    --hash=sha256:[0-9a-f]{64}" if hashed else "")
    text = (Path(__file__).parents[2] / name).read_text(encoding="utf-8")
    found = {re.sub(r"[-_.]+", "-", match[1].lower()): match[2] for match in re.finditer(pattern, text, re.MULTILINE)}
    assert len(found) == len(re.findall(r"^\w", text, re.MULTILINE))
    return found


def test_the_lock_has_hashes_for_the_pinned_versions():
    locked, pinned = versions("requirements.lock", hashed=True), versions("constraints.txt", hashed=False)
    assert {name: version for name, version in locked.items() if pinned.get(name) != version}.keys() == _NOT_PINNED
    assert "torch" not in locked
