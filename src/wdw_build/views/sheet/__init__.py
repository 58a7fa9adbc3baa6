"""A sheet of problems as one HTML page that needs no server. The content security policy allows the page's script by its hash.

The script keeps the answers in the browser and saves them as JSON in the form of ``SavedAnswers``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup

from wdw_build.reading import BLANK
from wdw_build.views.html import environment
from wdw_build.views.marks import marked_question
from wdw_study.offline_forms import SheetLine
from wdw_study.sheets import CANNOT_TELL, offered_faults

_TEMPLATES = Path(__file__).parent / "templates"


def page(lines: Sequence[SheetLine]) -> str:
    """The page of a sheet."""
    script = (_TEMPLATES / "sheet.js").read_text(encoding="utf-8")
    template = environment(_TEMPLATES).get_template("sheet.html.j2")
    with_passages = any(line.passage for line in lines)
    return template.render(
        sheet=lines[0].sheet,
        lines=lines,
        with_passages=with_passages,
        question=marked_question,
        blank=BLANK,
        cannot_tell=CANNOT_TELL,
        faults=offered_faults(with_passages),
        script=Markup(script),  # noqa: S704 (a file of this package)
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
