"""The base of every served page: who may see it, the security of requests, the shared look, and the server."""

from wdw_build.web.base.access import OWNER, READER, Access, form_of, require, session_of
from wdw_build.web.base.app import Application, Pages, create_app
from wdw_build.web.base.server import Listener, running, serve

__all__ = [
    "OWNER",
    "READER",
    "Access",
    "Application",
    "Listener",
    "Pages",
    "create_app",
    "form_of",
    "require",
    "running",
    "serve",
    "session_of",
]
