"""``explore``: a web page over one run, for the person at this machine: search problems, page through rejections, open traces."""

from wdw_build.explore.server import make_server, serve

__all__ = ["make_server", "serve"]
