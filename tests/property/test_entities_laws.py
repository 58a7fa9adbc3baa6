"""Laws of the grouping: every mention has one owner, owners are distinct persons, in the order of the text."""

import itertools

from hypothesis import example, given
from hypothesis import strategies as st

from wdw_build.records import Mention
from wdw_build.text.names.compare import compare
from wdw_build.text.names.name import parse
from wdw_build.text.names.persons import group
from wdw_build.text.names.settle import join_adjacent, settle
from wdw_build.text.names.unmarked import with_unmarked

PARTS = "John Mary Ann Smith Bush De La J. J.P. al-Assad Jr. III Hoya".split()
WORDS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4).map(" ".join)
NAMES = st.tuples(st.sampled_from(["", "", "", "President ", "Mrs. "]), WORDS).map("".join)
GAPS = st.sampled_from([" ", ", ", " met ", "'s ", ".\n\n", " and the "])
PIECES = st.lists(st.tuples(NAMES, GAPS), max_size=10)


def article(pieces):
    text, mentions = "", []
    for name, gap in pieces:
        mentions.append(Mention(start=len(text), end=len(text) + len(name), text=name))
        text += name + gap
    return text, mentions


@given(PIECES)
@example([("John", " "), ("Mary Mary Mary", ", "), ("Mary Mary Mary", " "), ("John", " ")])
def test_joined_mentions_cover_the_same_text_and_touch_no_more(pieces):
    text, mentions = article(pieces)
    joined = join_adjacent(mentions, text)
    assert all(text[one.start : one.end] == one.text for one in joined)
    # Names that share a word stay apart, and so does a full name ("Sirhan Sirhan" is one) that stands alone elsewhere.
    starts, ends = {one.start for one in mentions}, {one.end for one in mentions}
    alone = {
        one.text
        for one in mentions
        if len(parse(one.text).core) > 1
        and not (one.end + 1 in starts and text[one.end] == " ")
        and not (one.start - 1 in ends and text[one.start - 1] == " ")
    }
    assert all(text[one.end : other.start] != " " or one.text in alone for one, other in itertools.pairwise(joined))
    for mention in mentions:
        assert sum(one.start <= mention.start and mention.end <= one.end for one in joined) == 1
    assert join_adjacent(joined, text) == joined


@given(PIECES)
def test_no_mention_belongs_to_a_relative_where_relatives_are_kept_apart(pieces):
    text, mentions = article(pieces)
    found = group(mentions, apart=True)
    for entity in found:
        assert not any(compare(text[one.start : one.end], entity.name).is_relative for one in entity.mentions)
    owned = sorted((one.start, one.end) for entity in found for one in entity.mentions)
    assert owned == [(one.start, one.end) for one in mentions if set(parse(parse(one.text).bare).core)]


@given(PIECES)
def test_settled_and_unmarked_mentions_are_in_order_apart_and_of_the_text(pieces):
    text, mentions = article(pieces)
    settled = settle(join_adjacent(mentions, text), text)
    for found in (settled, with_unmarked(settled, [], text)):
        assert all(text[one.start : one.end] == one.text for one in found)
        assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    covered = {(one.start, one.end) for one in with_unmarked(settled, [], text)}
    assert all(any(start <= one.start and one.end <= end for start, end in covered) for one in settled)
