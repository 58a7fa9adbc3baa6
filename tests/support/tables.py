"""Tables of cases, written as text: a row for each case, cells between bars."""

import re

import pytest


def rows(text):
    """The cells of each row. A line that begins with a bar goes on with the row above it."""
    lines = re.sub(r"\n +\|", " |", text.strip()).splitlines()
    return [[cell.strip() for cell in re.split(r" \|(?= |$)", line)] for line in lines]


def cases(text):
    """The rows as parameters of a test; the first cell names the case."""
    return [pytest.param(*cells, id=name) for name, *cells in rows(text)]
