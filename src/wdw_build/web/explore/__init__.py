"""``explore``: serves pages over one run to the person at this machine: problems, rejections, traces."""

from wdw_build.web.explore.server import make_server, serve

__all__ = ["make_server", "serve"]
