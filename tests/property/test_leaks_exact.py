"""Leaks against brute force: the join finds all pairs, and of each group exactly one problem is left."""

from collections import Counter
from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from support import make
from wdw_build.similarity.leaks import Leak, left_out, questions_in_passages

WORDS = st.lists(st.sampled_from("ann bob cat dog elk fox".split()), min_size=3, max_size=8)
TEXTS = st.lists(WORDS, min_size=1, max_size=3)
PAIRS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=10)


def problem(number, question, passage, name, article):
    sentence = " ".join([name, *question])
    asked = make.question(f"q{number}", sentence, name)
    text = ". ".join(" ".join(sentence) for sentence in passage) + "."
    return make.problem(f"q{number}", asked, f"Tom Tarr. {text}", ["Tom Tarr"], 0, article_id=article)


def sentences(text):
    return text.split(".")


def holds(told, teller):
    bag = Counter(told.question.sentence.split())
    return any(
        len(words) >= 5 and 100 * (Counter(words) & bag).total() > 78 * len(words) and told.question.name.text in words
        for words in (sentence.casefold().split() for sentence in sentences(teller.passage.text))
    )


@settings(max_examples=60)
@given(st.lists(st.tuples(WORDS, TEXTS, st.sampled_from(["ann", "bob"]), st.sampled_from("pqr")), max_size=6))
def test_the_questions_in_passages_are_those_of_brute_force(drawn):
    # Problems with one article have one text.
    texts = {}
    problems = [
        problem(number, question, texts.setdefault(article, passage), name, article)
        for number, (question, passage, name, article) in enumerate(drawn)
    ]
    expected = {(told.id, teller.id) for told, teller in permutations(problems, 2) if holds(told, teller)}
    found = questions_in_passages(lambda: problems, lambda: problems, sentences)
    assert {(leak.told, leak.teller) for leak in found} == expected


def components(pairs):
    groups = []
    for one, other in pairs:
        touched = [group for group in groups if group & {one, other}]
        groups = [group for group in groups if group not in touched] + [set().union({one, other}, *touched)]
    return groups


@settings(max_examples=60)
@given(PAIRS, st.permutations("abcdefgh"))
def test_exactly_one_problem_of_each_group_is_left_and_every_other_leads_to_it(pairs, order):
    dropped = left_out((Leak(one, other, "r", "") for one, other in pairs), order.index)
    for group in components(pairs):
        kept = min(group, key=order.index)
        assert group - dropped.keys() == {kept}
        assert all(dropped[name][0] == kept and name in dropped[name][1][:2] for name in group - {kept})
