"""``explore``: pages over one run for the person at this machine: problems, rejections, traces.

All of them are for the owner: the person who started the server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response

from wdw_build.core.progress import Progress
from wdw_build.dataset import Run
from wdw_build.views.trace import trace
from wdw_build.views.trace.sections import TEMPLATES, page_values
from wdw_build.web.base import OWNER, Access, Application, Listener, Pages, create_app, require
from wdw_build.web.explore.catalogue import Catalogue, open_catalogue

_FILTERS = ("split", "level", "state", "choices", "window", "cell")
_FIELDS = frozenset({*_FILTERS, "text", "from", "to", "passage", "page", "stage", "reason"})


def make_app(run: Run, progress: Progress, access: Access, listener: Listener) -> Application:
    """The application over a run. The first call on a run reads its stages and writes the catalogue."""
    site = _Site(run, Catalogue(open_catalogue(run, progress)))
    return create_app(site.pages, [site.router()], access, port=listener.port, loopback=listener.loopback)


class _Site:
    def __init__(self, run: Run, catalogue: Catalogue) -> None:
        self._run, self._catalogue = run, catalogue
        self._menu = [(f"Run {run.name}", "/"), ("Problems", "/problems"), ("Rejections", "/rejections")]
        self.pages = Pages(Path(__file__).parent / "templates", TEMPLATES, menus={OWNER: self._menu})
        self.pages.templates.globals |= {"run": run.name, "link": _link, "address": _address}
        # The values that a filter offers are read once: outputs never change.
        self._values = {name: [str(value) for value in catalogue.values(name) if value != ""] for name in _FILTERS}

    def router(self) -> APIRouter:
        """The routes of all pages."""
        router = APIRouter(dependencies=[Depends(require(OWNER))], default_response_class=Response)
        for path, page in {
            "/": self._home,
            "/problems": self._problems,
            "/rejections": self._rejections,
            "/trace": self._trace,
        }.items():
            router.add_api_route(path, page, methods=["GET"], response_model=None)
        return router

    def _home(self, request: Request) -> Response:
        finished = [(table.stage, table.manifest) for table in self._run.tables.values() if table.exists]
        return self.pages.render(request, "home.html.j2", stages=finished)

    def _problems(self, request: Request) -> Response:
        asked = _asked(request)
        problems = self._catalogue.problems(asked)
        return self.pages.render(request, "problems.html.j2", result=problems, asked=asked, filters=self._values)

    def _rejections(self, request: Request) -> Response:
        asked = _asked(request)
        reason = asked.get("reason", "")
        return self.pages.render(
            request,
            "rejections.html.j2",
            result=self._catalogue.rejections(asked),
            asked=asked,
            reasons_by_stage=[
                (table.name, sorted(table.stage.all_reasons))
                for table in self._run.tables.values()
                if table.exists and table.stage.all_reasons
            ],
            meaning=self._run.meaning(reason) if reason else "",
            stage=asked.get("stage", ""),
            reason=reason,
        )

    def _trace(self, request: Request, id: str = "") -> Response:
        traced = trace(self._run, id.strip())
        same_passage = ("Problems with this passage", _address("problems", passage=traced.id))
        values: dict[str, Any] = page_values(traced, _link)
        return self.pages.render(request, "trace.html.j2", **values, menu=[*self._menu, same_passage])


def _asked(request: Request) -> dict[str, str]:
    """The fields of a search that are filled in."""
    return {name: value for name, value in request.query_params.items() if name in _FIELDS and value}


def _link(record_id: str) -> str:
    return _address("trace", id=record_id)


def _address(name: str, **fields: object) -> str:
    query = urlencode({key: str(value) for key, value in fields.items() if value not in ("", None)}, errors="replace")
    return f"/{name}" + (f"?{query}" if query else "")
