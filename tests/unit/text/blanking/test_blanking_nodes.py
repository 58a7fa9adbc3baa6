"""Trees in Penn brackets: tokens, words and paths of the nodes, and what is no tree."""

import pytest

from wdw_build.text.blanking.nodes import parse_tree

TREE = "(ROOT (S (NP (NNP Ann)) (VP (VBD met) (NP (-LRB- -LRB-) (NNP Bo)))))"


def test_nodes_know_their_tokens_words_and_paths():
    nodes = list(parse_tree(TREE).subtrees())
    assert [(node.label, node.start, node.end, node.word) for node in nodes] == [
        ("ROOT", 0, 4, ""),
        ("S", 0, 4, ""),
        ("NP", 0, 1, ""),
        ("NNP", 0, 1, "Ann"),
        ("VP", 1, 4, ""),
        ("VBD", 1, 2, "met"),
        ("NP", 2, 4, ""),
        ("-LRB-", 2, 3, "-LRB-"),
        ("NNP", 3, 4, "Bo"),
    ]
    for node in nodes:
        found = nodes[0]
        for index in node.position:
            found = found.children[index]
        assert found is node


def test_a_root_without_a_label_is_a_tree():
    root = parse_tree("( (NP (NNP Ann)) )")
    assert (root.label, [child.label for child in root.children]) == ("", ["NP"])


@pytest.mark.parametrize("text", ["", "Ann", "(NP (NNP Ann)", "(NP (NNP Ann)))", "(NP) (VP)", "(NP (NNP Ann)) Ann"])
def test_unmatched_brackets_are_an_error(text):
    with pytest.raises(ValueError, match="no tree"):
        parse_tree(text)
