"""``explore``: pages over one run for the person at this machine: problems, rejections, traces."""

from wdw_build.web.explore.site import make_app

__all__ = ["make_app"]
