"""The pages of ``explore``: an address becomes a page, by templates that escape everything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from wdw_build.dataset import Run
from wdw_build.errors import UsageError, WdwError
from wdw_build.views.trace import trace
from wdw_build.views.trace.page import environment, page
from wdw_build.web.explore.search import Catalogue

_FILTERS = ("split", "level", "state", "choices", "window", "cell")


class Site:
    """The pages of one run under the address ``base`` (which ends in a slash)."""

    def __init__(self, run: Run, catalogue: Path, base: str) -> None:
        self._run, self._catalogue, self._base = run, Catalogue(catalogue), base
        self._templates = environment(Path(__file__).parent / "templates")
        self._templates.globals.update(base=base, run=run.name, link=self._link, address=self._address)
        # The values that filters offer do not change while the run is looked at.
        self._values = {
            name: [str(value) for value in self._catalogue.values(name) if value != ""] for name in _FILTERS
        }

    def _link(self, record_id: str) -> str:
        return self._address("trace", id=record_id)

    def _address(self, name: str, **asked: object) -> str:
        given = {key: str(value) for key, value in asked.items() if value not in ("", None)}
        return f"{self._base}{name}" + (f"?{urlencode(given, errors='replace')}" if given else "")

    def answer(self, name: str, asked: Mapping[str, str]) -> tuple[int, str]:
        """The status and the page of an address below ``base``."""
        pages = {"": self._home, "problems": self._problems, "rejections": self._rejections, "trace": self._trace}
        if name not in pages:
            return 404, self.error("There is no such page.")
        try:
            return 200, pages[name](asked)
        except UsageError as error:
            return 404, self.error(error.message)
        except WdwError as error:
            return 500, self.error(f"{error.message}; {error.hint}")

    def error(self, message: str) -> str:
        """A page that says what went wrong."""
        return str(self._templates.get_template("error.html").render(message=message))

    def _render(self, template: str, **values: Any) -> str:
        return str(self._templates.get_template(template).render(**values))

    def _home(self, asked: Mapping[str, str]) -> str:
        outputs = self._run.outputs
        made = [(stage, outputs[stage.name].manifest) for stage in self._run.stages if stage.name in outputs]
        return self._render("home.html", stages=made)

    def _problems(self, asked: Mapping[str, str]) -> str:
        found = self._catalogue.problems(asked)
        return self._render("problems.html", found=found, asked=dict(asked), filters=self._values)

    def _rejections(self, asked: Mapping[str, str]) -> str:
        found = self._catalogue.rejections(asked)
        stage, reason = asked.get("stage", ""), asked.get("reason", "")
        known = [
            (one.name, sorted(one.reasons)) for one in self._run.stages if one.reasons and one.name in self._run.outputs
        ]
        return self._render(
            "rejections.html",
            found=found,
            asked=dict(asked),
            known=known,
            meaning=self._run.meaning(reason) if reason else "",
            stage=stage,
            reason=reason,
        )

    def _trace(self, asked: Mapping[str, str]) -> str:
        found = trace(self._run, asked.get("id", "").strip())
        menu = [
            (f"Run {self._run.name}", self._base),
            ("Problems", self._address("problems")),
            ("Rejections", self._address("rejections")),
            ("Problems with this passage", self._address("problems", passage=found.id)),
        ]
        return page(found, self._link, self._templates, menu)
