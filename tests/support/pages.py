"""The code that pages of the documentation show."""

import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "howto"


def block(page, count=1):
    """The names that the first ``count`` Python blocks of a page define."""
    found = re.findall(r"^```python\n(.*?)^```", (PAGES / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    names = {"__name__": "example"}
    exec(compile("".join(found[:count]), page, "exec"), names)
    return names
