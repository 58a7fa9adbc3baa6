"""The pages of ``explore``: maps each address below the base to a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from wdw_build.dataset import Run
from wdw_build.errors import UsageError, WdwError
from wdw_build.views.html import environment
from wdw_build.views.trace import trace
from wdw_build.views.trace.page import TEMPLATES, page
from wdw_build.web.explore.search import Catalogue

_FILTERS = ("split", "level", "state", "choices", "window", "cell")


class Site:
    """The pages of one run under the address ``base``, which ends in a slash."""

    def __init__(self, run: Run, catalogue: Path, base: str) -> None:
        self._run, self._catalogue, self._base = run, Catalogue(catalogue), base
        self._menu = [
            (f"Run {run.name}", base),
            ("Problems", self._address("problems")),
            ("Rejections", self._address("rejections")),
        ]
        self._templates = environment(Path(__file__).parent / "templates", TEMPLATES)
        self._templates.globals |= {"base": base, "run": run.name, "link": self._link, "address": self._address}
        self._templates.globals["menu"] = self._menu
        # The values that a filter offers are read once: outputs never change.
        self._values = {
            name: [str(value) for value in self._catalogue.values(name) if value != ""] for name in _FILTERS
        }

    def _link(self, record_id: str) -> str:
        return self._address("trace", id=record_id)

    def _address(self, name: str, **asked: object) -> str:
        fields = {key: str(value) for key, value in asked.items() if value not in ("", None)}
        return f"{self._base}{name}" + (f"?{urlencode(fields, errors='replace')}" if fields else "")

    def answer(self, name: str, asked: Mapping[str, str]) -> tuple[int, str]:
        """The HTTP status and the page of the address ``name`` below the base; ``asked`` are its query fields."""
        pages = {"": self._home, "problems": self._problems, "rejections": self._rejections, "trace": self._trace}
        if name not in pages:
            return self._error(404, "There is no such page.")
        try:
            return 200, pages[name](asked)
        except UsageError as error:
            return self._error(404, error.message)
        except WdwError as error:
            return self._error(500, "; ".join(filter(None, [error.message, error.hint])))

    def _render(self, template: str, **values: Any) -> str:
        return self._templates.get_template(template).render(**values)

    def _error(self, status: int, message: str) -> tuple[int, str]:
        heading = "Not found" if status == 404 else "This page could not be made"
        return status, self._render("error.html.j2", heading=heading, message=message)

    def _home(self, asked: Mapping[str, str]) -> str:
        finished = [(table.stage, table.manifest) for table in self._run.tables.values() if table.exists]
        return self._render("home.html.j2", stages=finished)

    def _problems(self, asked: Mapping[str, str]) -> str:
        problems = self._catalogue.problems(asked)
        return self._render("problems.html.j2", result=problems, asked=dict(asked), filters=self._values)

    def _rejections(self, asked: Mapping[str, str]) -> str:
        reason = asked.get("reason", "")
        return self._render(
            "rejections.html.j2",
            result=self._catalogue.rejections(asked),
            asked=dict(asked),
            reasons_by_stage=[
                (table.name, sorted(table.stage.reasons))
                for table in self._run.tables.values()
                if table.exists and table.stage.reasons
            ],
            meaning=self._run.meaning(reason) if reason else "",
            stage=asked.get("stage", ""),
            reason=reason,
        )

    def _trace(self, asked: Mapping[str, str]) -> str:
        traced = trace(self._run, asked.get("id", "").strip())
        same_passage = ("Problems with this passage", self._address("problems", passage=traced.id))
        return page(traced, self._link, self._templates, [*self._menu, same_passage])
