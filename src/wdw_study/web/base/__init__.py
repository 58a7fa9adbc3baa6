"""The base of every served page: who may see it, the security of requests, the shared look, and the server."""

from wdw_study.web.base.access import OWNER, READER, Access, require
from wdw_study.web.base.app import Application, Pages, create_app
from wdw_study.web.base.server import Listener, running, serve

__all__ = ["OWNER", "READER", "Access", "Application", "Listener", "Pages", "create_app", "require", "running", "serve"]
