"""The code that pages of the documentation show."""

import re
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "howto"


def blocks(page):
    """The Python blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def block(page, number=1):
    """The names that one Python block of a page defines, which a user may put into a file of its own."""
    found = blocks(PAGES / page)
    names = {"__name__": "example"}
    exec(compile(found[number - 1], page, "exec"), names)
    return names
