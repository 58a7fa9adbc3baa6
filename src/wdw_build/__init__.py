"""Build person-centred cloze reading-comprehension datasets from dated newswire (Onishi et al., EMNLP 2016)."""

__version__ = "0.1.0"
