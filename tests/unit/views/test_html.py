"""The environment of all pages: values are escaped, unknown names are errors, and there is one base template."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

import wdw_build
from wdw_build.views.pages import html_environment

TEMPLATES = sorted(Path(wdw_build.__file__).parent.rglob("*.html.j2"))


SHOWN = [
    ("<b>&\"'", "&lt;b&gt;&amp;&#34;&#39;"),
    ("a\x00\x1b\u202e\ud800z", "a\ufffd\ufffd\ufffd\ufffdz"),
    (Markup("<b>\x07</b>"), "<b>\ufffd</b>"),
    (3, "3"),
]


@pytest.mark.parametrize(("value", "shown"), SHOWN)
def test_a_value_cannot_become_markup_or_turn_the_text_around(value, shown):
    assert html_environment().from_string("{{ value }}").render(value=value) == shown


def test_a_name_that_a_template_does_not_know_is_an_error():
    with pytest.raises(UndefinedError):
        html_environment().from_string("{{ nothing }}").render()


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_only_the_base_template_has_a_head_a_style_or_a_policy(path):
    text = path.read_text(encoding="utf-8")
    is_base = path.name == "base.html.j2"
    assert ("<html" in text) == ("<style" in text) == ("Content-Security-Policy" in text) == is_base
    assert "|safe" not in text.replace(" ", "")
    assert "autoescape" not in text
