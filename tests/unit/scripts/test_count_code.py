"""Lines of code are counted without comments, docstrings and blank lines, and stay within the budgets."""

import pytest

from count_code import BUDGETS, ROOT, count, lines_of_code


def test_comments_docstrings_and_blank_lines_do_not_count():
    text = '"""Module."""\n\n# why\nX = (  # here\n    1,\n)\n\n\ndef f():\n    """Do."""\n    return """a\nb"""\n'
    assert lines_of_code(text) == 6
    assert lines_of_code("") == 0


@pytest.mark.parametrize("folder", BUDGETS)
def test_the_code_stays_within_its_budget(folder):
    lines, _ = count(ROOT / folder)
    assert lines <= BUDGETS[folder], f"{folder}: remove something, or say in CHANGELOG what the lines are for"
