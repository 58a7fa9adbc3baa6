"""Lines of code are counted without comments, docstrings and blank lines."""

from count_code import lines_of_code


def test_comments_docstrings_and_blank_lines_do_not_count():
    text = '"""Module."""\n\n# why\nX = (  # here\n    1,\n)\n\n\ndef f():\n    """Do."""\n    return """a\nb"""\n'
    assert lines_of_code(text) == 6
    assert lines_of_code("") == 0
