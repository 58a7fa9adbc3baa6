"""The form of the gold set and the witness set: what is measured with them would otherwise mean nothing."""

from collections import Counter

import pytest

from quality.gold import SETS, TAGS, read_gold
from wdw_build.stages.questions import STAGE

GOLD = read_gold()


@pytest.fixture(params=SETS)
def golds(request):
    """The sentences of each set."""
    return read_gold(SETS[request.param].sentences)


def test_each_sentence_stands_once(golds):
    assert max(Counter(gold.id for gold in golds).values()) == 1
    assert max(Counter(gold.sentence for gold in golds).values()) == 1


def test_every_offset_points_at_its_text(golds):
    for gold in golds:
        for span in (*gold.persons, *filter(None, (gold.blank, gold.name))):
            assert gold.sentence[span.start : span.end] == span.text, gold.id
            assert span.text == span.text.strip()
            assert span.text


def test_persons_stand_in_order_and_do_not_overlap(golds):
    for gold in golds:
        ends = [0, *(person.end for person in gold.persons)]
        assert all(end <= person.start for end, person in zip(ends, gold.persons, strict=False)), gold.id


def test_a_sentence_has_a_blank_with_its_name_or_a_reason(golds):
    for gold in golds:
        assert (gold.blank is None) == (gold.name is None) == bool(gold.reason), gold.id
        if gold.blank and gold.name:
            assert gold.name in gold.persons
            assert gold.blank.start <= gold.name.start
            assert gold.name.end <= gold.blank.end


def test_every_reason_is_one_of_the_stage():
    assert {gold.reason for gold in GOLD} - {""} <= STAGE.reasons.keys()


@pytest.mark.parametrize("tag", sorted(TAGS))
def test_every_tag_has_at_least_eight_sentences(tag):
    assert sum(tag in gold.tags for gold in GOLD) >= 8


def test_no_tag_is_unknown_or_repeated():
    for gold in GOLD:
        assert set(gold.tags) <= TAGS
        assert len(set(gold.tags)) == len(gold.tags) > 0
