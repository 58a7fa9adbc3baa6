"""Laws of the evidence: the order of articles says nothing, it is read as it was written, more evidence never refuses."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from support.tagged_words import tagged_words
from wdw_build.text.names.evidence import TABLES, NameCounter, NameEvidence
from wdw_build.text.names.mention_repair import repair_mentions

WORDS = st.sampled_from("Ann Lake Yuan Judicial Mr. Chen Shui-bian said de Clinton U.S. -".split())
KEY = st.lists(WORDS, min_size=1, max_size=3).map(lambda words: " ".join(words).lower())
TABLE = st.dictionaries(KEY, st.integers(min_value=1, max_value=9), max_size=6)
EVIDENCE = st.builds(NameEvidence, person=TABLE, other=TABLE, titled=TABLE)


def evidence_of(articles):
    counter = NameCounter()
    for words, names in articles:
        counter.add(words, names)
    return NameEvidence(**counter.tables)


@given(st.lists(tagged_words(WORDS), max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_the_articles_changes_nothing(articles, random):
    mixed = list(articles)
    random.shuffle(mixed)
    assert list(evidence_of(articles).rows()) == list(evidence_of(mixed).rows())


@given(EVIDENCE)
def test_evidence_that_is_written_and_read_is_the_same(evidence):
    rows = list(evidence.rows())
    assert NameEvidence.from_rows(rows) == evidence
    assert rows == sorted(rows, key=lambda row: (list(TABLES).index(row[0]), row[1]))


@given(st.lists(st.tuples(WORDS, st.booleans()), min_size=1, max_size=9), st.data())
def test_mended_mentions_stand_in_order_and_hold_a_letter(tokens, data):
    spans, at = [], 0
    for word, space in tokens:
        spans.append((at, at + len(word)))
        at += len(word) + space
    words = [word for word, _ in tokens]
    edges = sorted(data.draw(st.sets(st.integers(min_value=0, max_value=len(words)), max_size=6)))
    mended = repair_mentions(words, spans, list(zip(edges[::2], edges[1::2], strict=False)))
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(mended))
    assert all(any(ch.isalpha() for word in words[start:end] for ch in word) for start, end in mended)
