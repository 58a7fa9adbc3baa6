"""Tables as LaTeX: every character of a cell survives, groups and common heads are kept."""

import pytest

from wdw_build.views.table import Cell, Table, escaped, latex

GROUPED = Table(("system", "test"), [("chance", ".25"), "table 4", (Cell('a,"b"', "name"), ".5*"), ("c & d_e", 1234)])
JOINED = Table(("system", "before", "after"), [("x", ".1", ".2")], over=("", "passage", "passage"))


def test_latex_has_the_rules_of_booktabs_and_a_row_for_each_group():
    assert latex(GROUPED).splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & test \\",
        r"\midrule",
        r"chance & .25 \\",
        r"\multicolumn{2}{l}{\textit{table 4}} \\",
        r"a,\textquotedbl{}b\textquotedbl{} & .5* \\",
        r"c \& d\_e & 1234 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    common, rule = latex(JOINED).splitlines()[2:4]
    assert common == r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{passage} \\"
    assert rule == r"\cmidrule(lr){2-3}"


ESCAPED = [
    ("95%", r"95\%"),
    ("$x_1^2$ #{}", r"\$x\_1\textasciicircum{}2\$ \#\{\}"),
    (r"a\b~c", r"a\textbackslash{}b\textasciitilde{}c"),
    ("<b>|", r"\textless{}b\textgreater{}\textbar{}"),
    ("a\x1b\nb", r"a\textbackslash{}x1b\textbackslash{}nb"),
]


@pytest.mark.parametrize(("text", "shown"), ESCAPED)
def test_no_character_is_a_command_in_latex(text, shown):
    assert escaped(text) == shown


def test_a_cell_that_begins_with_a_bracket_is_no_argument_of_the_line_break():
    assert "{}[x]" in latex(Table(("system",), [("[x]",)]))
