"""Laws of the blank: whatever tree a parser makes of a sentence, the blank holds the whole name and no clause."""

import hypothesis.strategies as st
from hypothesis import given

from support.blanking import tokens_of
from wdw_build.text.blanking.select_blank import select_blank
from wdw_build.text.blanking.trees import FINITE, Sentence
from wdw_build.text.blanking.words import is_date
from wdw_build.text.settings import QuestionsConfig

WORDS = (
    "NNP President|NNP Cork|NN moderator|NN theory|NN today|NNP Monday|NNP March|CD 19|CD 2004|JJ late|DT the|DT no|PRP he|"
    "WP who|VBD met|VBZ hopes|MD will|VBN fired|VBG leading|IN of|IN by|TO to|IN that|, ,|POS 's|CC nor|NNS tariffs|HYPH -|"
    "RB then|NNP Beck|NN heir|NNP Dr.|NNP Lady"
)
LEAVES = st.sampled_from([f"({word})" for word in WORDS.split("|")])
LABELS = st.sampled_from(["NP", "VP", "S", "SBAR", "PP"])


def node(label, children):
    return f"({label} {' '.join(children)})"


NODES = st.recursive(LEAVES, lambda some: st.builds(node, LABELS, st.lists(some, min_size=1, max_size=4)), max_leaves=6)
NAME = "(NNP Bob) (NNP Beck)"


@st.composite
def trees(draw):
    """A tree around a name, which is a noun phrase of its own or part of a flat one."""
    before, within, after = (draw(st.lists(NODES, max_size=3)) for _ in range(3))
    inner = f"(NP {' '.join(within)} {NAME})" if draw(st.booleans()) else f"(NP {' '.join(within)} (NP {NAME}))"
    outer = f"({draw(LABELS)} {' '.join(before)} {inner} {' '.join(after)})"
    return f"(ROOT (S {draw(LEAVES)} {outer} (. .)))"


def read(tree, repair):
    """The sentence of a tree, its tokens and the place of the name."""
    sentence = Sentence(tree, repair)
    start = sentence.words.index("Bob")
    return sentence, tokens_of(sentence), (start, start + 2)


@given(trees(), st.booleans())
def test_a_blank_holds_the_whole_name_and_no_clause_or_date_beside_it(tree, repair):
    sentence, tokens, name = read(tree, repair)
    found = select_blank(sentence, tokens, name, QuestionsConfig())
    assert found.start <= name[0] < name[1] <= found.end, "no word of the name is cut, even if the person is refused"
    if found.rule:
        return
    before = range(found.start, name[0])
    assert not {sentence.tags[index] for index in before} & (FINITE | {"PRP", "WP", "CC"})
    assert not any(is_date(sentence, index) for index in (*before[-1:], *before[:1]))
    assert sentence.words[found.end - 1] != "today"


@given(trees(), st.booleans())
def test_a_kept_title_is_a_part_of_the_phrase_without_a_word_of_the_name(tree, repair):
    sentence, tokens, name = read(tree, repair)
    whole = select_blank(sentence, tokens, name, QuestionsConfig())
    short = select_blank(sentence, tokens, name, QuestionsConfig(titles="keep"))
    assert (short.rule, short.detail, short.end) == (whole.rule, whole.detail, whole.end)
    assert whole.start <= short.start <= name[0]
    if short.start > whole.start:
        assert not {"Bob", "Beck"} & {*tokens.words[: short.start], *tokens.words[short.end :]}
        assert sentence.tags[short.start - 1] not in {"DT", "POS", "CC", ","}


@given(trees())
def test_the_papers_blank_is_a_phrase_of_the_tree(tree):
    off = ("refuse_cut_phrase", "extend_titles", "extend_tail", "trim_phrase", "climb_only_of")
    sentence, tokens, name = read(tree, repair=False)
    found = select_blank(sentence, tokens, name, QuestionsConfig(**dict.fromkeys(off, False)))
    # The possessive clitic stays in the question.
    ends = {(node.start, node.end) for node in sentence.tree.subtrees()}
    whole = {(found.start, found.end), (found.start, found.end + 1)} & ends
    assert whole or found.rule or (found.start, found.end) == name
