"""The pages of ``collect``: people write questions about passages, answer those of others, and label what they need."""

from wdw_build.web.collect.site import collect_app

__all__ = ["collect_app"]
