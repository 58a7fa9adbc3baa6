"""Tables: the three forms of one value, and that no cell of any of them becomes markup."""

import pytest

from wdw_build.views.pages import Markdown, html_environment, markdown_environment, plain
from wdw_build.views.pages import table as markdown
from wdw_build.views.table import Cell, Table, terminal

NASTY = "<b>|`*x*\x1b[31m"
ROWS = [("chance", 1, 2, ".5"), "probe", (Cell("first", "name"), 1234, ".30*", Cell(".1", "strong"))]
GROUPED = Table(("system", "before", "after", "before"), ROWS, over=("", "passage", "passage", "without"))


def html(table):
    page = html_environment().from_string('{% from "macros.html.j2" import table %}{{ table(data) }}')
    return page.render(data=table)


def test_a_terminal_has_columns_with_groups_and_common_heads():
    assert terminal(GROUPED).splitlines() == [
        "              passage  without",
        "system   before after   before",
        "chance        1     2       .5",
        "[probe]                       ",
        "  first    1234  .30*       .1",
    ]


def test_markdown_has_a_column_of_groups_and_one_for_each_common_head():
    assert markdown(GROUPED).splitlines() == [
        "| system | group | passage: before / after | without: before |",
        "| --- | --- | ---: | ---: |",
        "| chance |  | 1 / 2 | .5 |",
        "| first | probe | 1,234 / .30\\* | .1 |",
    ]


def test_html_has_heads_of_groups_and_of_columns():
    shown = html(GROUPED)
    assert '<th scope="col" rowspan="2">system</th><th scope="colgroup" colspan="2">passage</th>' in shown
    assert '<th colspan="4" scope="rowgroup">probe</th>' in shown
    assert "<td><code>first</code></td><td>1,234</td>" in shown
    assert "<td>.30*</td><td><b>.1</b></td>" in shown


@pytest.mark.parametrize("cell", [NASTY, *(Cell(NASTY, kind) for kind in ("", "code", "name", "strong"))])
def test_no_text_of_a_table_becomes_markup(cell):
    nasty = Table((NASTY, "b"), [NASTY, (cell, cell)])
    for table in (nasty, nasty._replace(over=("", NASTY))):
        assert "<b>|" not in html(table)
        assert "\x1b" not in html(table) + markdown(table) + terminal(table)
        for line in markdown(table).splitlines():
            assert line.replace("\\|", "").count("|") == 4, "no cell ends early"
    if isinstance(cell, str):
        assert "<b>" not in markdown(nasty)


ESCAPED = [
    (NASTY, "&lt;b&gt;\\|\\`\\*x\\*\\\\x1b\\[31m"),
    ("+1", "\\+1"),
    ("a+1", "a+1"),
    (3, "3"),
    (Markdown("*x*"), "*x*"),
]


@pytest.mark.parametrize(("value", "shown"), ESCAPED)
def test_a_markdown_page_escapes_every_value_once(value, shown):
    page = markdown_environment().from_string("{{ value }} {{ [value] | first }}")
    assert page.render(value=value) == f"{shown} {shown}"
    assert plain(plain(value)) == shown
