"""Leaks between problems: each relation on planted pairs, and the problems that are left out of each group."""

from support import make
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.similarity.leaks import Leak, leaks, shared_passages

SENTENCES = PunktSplitter().sentences
ASKED = "Rosalind Peake sold the old island ferry to Joseph Banda on Monday ."


def problem(name, sentence=None, blank=None, *, passage=None, article=None, number=0):
    """A problem about persons of its own, unless the sentence is given."""
    blank = blank or f"Ann A{name}"
    sentence = sentence or f"{blank} met Bob B{name} at a fair for w{name} ."
    others = [f"Bob B{name}"] if f"Bob B{name}" in sentence else ["Joseph Banda"]
    asked = make.question(name, sentence, blank, others=others, date=make.day(number))
    text = f"{blank} came. Tom T{name} left." + (f" {passage}" if passage else "")
    return make.problem(name, asked, text, [blank, f"Tom T{name}"], 0, article_id=article)


def found(*problems, days=1):
    return {(leak.told, leak.teller, leak.relation): leak.evidence for leak in leaks(lambda: problems, SENTENCES, days)}


def in_passage(sentence):
    return found(problem("a", ASKED, "Rosalind Peake"), problem("b", passage=sentence))


def test_unrelated_problems_do_not_leak():
    assert found(problem("a"), problem("b"), problem("c")) == {}


def test_a_passage_with_the_question_sentence_leaks_and_names_the_sentence():
    evidence = {("a", "b", "question-in-passage"): "rosalind peake sold the old island ferry"}
    assert in_passage("Rosalind Peake sold the old island ferry.") == evidence


def test_the_sentence_must_share_more_than_78_percent_of_its_words():
    # 11 of 14 words are 78.6%, 7 of 9 are 77.8%.
    assert in_passage("Rosalind Peake sold the old island ferry to Joseph Banda on x1 x2 x3.")
    assert in_passage("Rosalind Peake sold the old island ferry x1 x2.") == {}


def test_the_article_of_a_question_as_passage_of_another_leaks():
    evidence = {("a", "b", "question-in-passage"): "the passage is the article a"}
    assert found(problem("a"), problem("b", article="a")) == evidence


def test_all_problems_with_the_passage_tell_the_answer():
    others = [problem(name, passage="Rosalind Peake sold the old island ferry.", article="p") for name in "bc"]
    told = {("a", name, "question-in-passage") for name in "bc"}
    assert set(found(problem("a", ASKED, "Rosalind Peake"), *others)) == {*told, ("c", "b", "shared-passage")}


def test_questions_that_tell_each_other_leak_in_both_directions_within_the_days():
    one = problem("a", ASKED, "Rosalind Peake")
    sentence = "Joseph Banda bought the ferry of the island from Rosalind Peake ."
    asked = make.question("b", sentence, "Joseph Banda", others=["Rosalind Peake"], date=make.day(2))
    other = make.problem("b", asked, "Joseph Banda came. Tim Tarr left.", ["Joseph Banda", "Tim Tarr"], 0)
    assert found(one, other) == {}
    assert set(found(one, other, days=2)) == {("a", "b", "answer-told"), ("b", "a", "answer-told")}


def test_problems_with_one_passage_are_paired_with_the_one_before():
    pairs = [Leak("b", "a", "shared-passage", "p"), Leak("c", "b", "shared-passage", "p")]
    assert list(shared_passages([problem(name, article="p") for name in "cab"])) == pairs
