"""``explore``: a web page over one run, for the person at this machine: problems, rejections, traces."""

from wdw_build.web.explore.server import make_server, serve

__all__ = ["make_server", "serve"]
