"""Signs that the articles of a corpus are not as expected."""

import datetime as dt
import textwrap

import pytest

from support.make import article
from wdw_build.stages.ingest.entries import Oddities

PLAIN = "Ann Ames met Bob Beck in the old town on Monday, and they left it together."
GERMAN = "Die Fähre verließ den Hafen gegen Mittag, sagte Kapitän Beck der Zeitung gestern."


def lines(*texts):
    """The lines on as many articles."""
    oddities = Oddities()
    for number, text in enumerate(texts):
        oddities.count(article(f"x{number}", text, date=dt.date(2014, 3, 1) + dt.timedelta(number)))
    return oddities.lines


def test_plain_articles_have_no_sign():
    assert lines(PLAIN, PLAIN) == []


SIGNS = [
    (f"Friday, January 4, 2019\n\n{PLAIN}", "have fewer than 10 words, such as 'Friday, January 4, 2019' (x1)"),
    (PLAIN.rstrip("."), "do not end like a sentence"),
    (f"<p>{PLAIN}</p>", "contain HTML tags"),
    (GERMAN, "do not look like English"),
    (PLAIN.lower(), "have no capital letters, so names cannot be found"),
]


@pytest.mark.parametrize(("text", "sign"), SIGNS)
def test_each_sign_is_counted_with_its_first_article(text, sign):
    (line,) = [line for line in lines(PLAIN, text) if sign in line]
    assert line.startswith("1 of 2 ")


@pytest.mark.parametrize("width", [40, 60, 80])
def test_wrapped_lines_are_one_sign_and_not_short_or_unfinished_paragraphs(width):
    (line,) = lines(textwrap.fill(" ".join([PLAIN] * 4), width).replace("\n", "\n\n"))
    assert line.startswith("1 of 1 texts are wrapped, and each line is a paragraph (docs/howto/your-format.md")
    assert "row_function" in line


def test_short_paragraphs_are_no_wrapped_lines():
    assert lines("\n\n".join(f"{PLAIN} {'It rained. ' * n}".strip() for n in (0, 3, 1, 2, 0))) == []


def test_a_sign_that_few_articles_have_is_not_mentioned():
    assert lines(*[PLAIN] * 19, GERMAN) == []


@pytest.mark.parametrize("rest", ["\ufffdld", "oldÕs", "old¡±"])
def test_a_single_lost_character_is_mentioned(rest):
    (line,) = lines(*[PLAIN] * 19, f"{PLAIN}\n\n{PLAIN} {PLAIN.replace('old', rest)}")
    assert "could not be decoded (set corpus.options.encoding), such as" in line
    assert rest in line
