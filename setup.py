"""What pyproject.toml cannot say: the description for a package index, which has no files for relative links to lead to."""

import re
from pathlib import Path

from setuptools import setup


def description() -> str:
    """README.md without pictures of the repository, and with the text alone of links to files of the repository."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)


setup(long_description=description(), long_description_content_type="text/markdown")
