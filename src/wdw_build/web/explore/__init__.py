"""``explore``: pages over one run for the person at this machine: problems, rejections, traces.

All of them are for the owner: the person who started the server.
"""

from __future__ import annotations

from pathlib import Path
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
    catalogue = Catalogue(open_catalogue(run, progress))
    menu = [(f"Run {run.name}", "/"), ("Problems", "/problems"), ("Rejections", "/rejections")]
    pages = Pages(Path(__file__).parent / "templates", TEMPLATES, menus={OWNER: menu})
    pages.templates.globals |= {"run": run.name, "meaning": run.meaning, "link": _link, "address": _address}
    # The values that a filter offers are read once: outputs never change.
    filters = {name: [str(value) for value in catalogue.values(name) if value != ""] for name in _FILTERS}
    made = [table for table in run.tables.values() if table.exists]
    router = APIRouter(dependencies=[Depends(require(OWNER))])

    @router.get("/")
    def home(request: Request) -> Response:
        return pages.render(request, "home.html.j2", stages=[(table.stage, table.manifest) for table in made])

    @router.get("/problems")
    def problems(request: Request) -> Response:
        asked = _asked(request)
        return pages.render(request, "problems.html.j2", result=catalogue.problems(asked), asked=asked, filters=filters)

    @router.get("/rejections")
    def rejections(request: Request) -> Response:
        asked = _asked(request)
        reason = asked.get("reason", "")
        return pages.render(
            request,
            "rejections.html.j2",
            result=catalogue.rejections(asked),
            asked=asked,
            reasons_by_stage=[(table.name, sorted(table.stage.reasons)) for table in made if table.stage.reasons],
            meaning=run.meaning(reason) if reason else "",
            stage=asked.get("stage", ""),
            reason=reason,
        )

    @router.get("/trace")
    def show_trace(request: Request, id: str = "") -> Response:
        traced = trace(run, id.strip())
        same_passage = ("Problems with this passage", _address("problems", passage=traced.id))
        return pages.render(request, "trace.html.j2", **page_values(traced, _link), menu=[*menu, same_passage])

    return create_app(pages, [router], access, port=listener.port, loopback=listener.loopback)


def _asked(request: Request) -> dict[str, str]:
    """The fields of a search that are filled in."""
    return {name: value for name, value in request.query_params.items() if name in _FIELDS and value}


def _link(record_id: str) -> str:
    return _address("trace", id=record_id)


def _address(name: str, **fields: object) -> str:
    query = urlencode({key: str(value) for key, value in fields.items() if value not in ("", None)}, errors="replace")
    return f"/{name}" + (f"?{query}" if query else "")
