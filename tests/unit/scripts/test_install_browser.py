"""``scripts/install_browser.sh`` never fails, and says in one line why there is no browser."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "install_browser.sh"
TIMEOUT = '#!/bin/sh\nshift\nexec "$@"\n'
USER, ROOT = "#!/bin/sh\necho 1000\n", "#!/bin/sh\necho 0\n"
FAILS = "#!/bin/sh\necho 'E: no network' >&2\nexit 100\n"


MACHINES = [
    ({"chromium": "#!/bin/sh\n"}, ""),
    ({"google-chrome": "#!/bin/sh\n"}, ""),
    ({}, "browser: no Chromium, and no apt-get to install it"),
    ({"apt-get": FAILS, "id": USER}, "browser: no Chromium (apt-get install chromium needs root)"),
    ({"apt-get": FAILS, "id": ROOT}, "browser: apt-get could not install chromium"),
]


@pytest.mark.parametrize(("commands", "line"), MACHINES)
def test_a_missing_browser_is_one_line_and_no_failure(tmp_path, commands, line):
    for name, script in {"timeout": TIMEOUT, **commands}.items():
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    how = {"capture_output": True, "text": True, "timeout": 300, "check": True}
    done = subprocess.run(["/bin/bash", SCRIPT], env={"PATH": str(tmp_path)}, **how)
    assert done.stdout == ""
    assert done.stderr == (f"{line}; the tests in tests/browser are skipped\n" if line else "")
