"""read = written + rejected, id by id: whatever a stage loses, doubles or invents is caught."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages as toys
from support.make import raw
from wdw_build.core.run.accounting import Counter, Tally, input_id
from wdw_build.errors import StageError
from wdw_build.records import Rejection, Unreadable


def notes(names):
    return [toys.Note(id=name, value=0) for name in names]


def counted(inputs, outputs):
    counter = Counter(toys.mapped(toys.double))
    for value in inputs:
        counter.read(value)
    for result in outputs:
        counter.write(result)
    return counter.tally


NAMES = st.lists(st.text(max_size=4), max_size=20)


@settings(deadline=None)
@given(NAMES, st.randoms())
def test_the_same_ids_in_any_order_pass(names, chance):
    out = notes(names)
    chance.shuffle(out)
    counted(notes(names), out).check("toy")


@settings(deadline=None)
@given(NAMES, NAMES)
def test_a_stage_that_changes_ids_is_stopped(names, others):
    tally = counted(notes(names), notes(others))
    if sorted(names) != sorted(others):
        with pytest.raises(StageError, match="stage toy"):
            tally.check("toy")


def test_counts_of_shards_add_up():
    total = Tally()
    for name in "abc":
        total.add(counted(notes(name), [Rejection(id=name, reason="third")]))
    total.check("toy")
    assert (total.read, total.rejected, total.reasons) == (3, 3, {"third": 3})


def test_accounting_ignores_which_shard_an_id_is_in_but_not_a_lost_id():
    total = counted(notes("ab"), notes("ac"))
    total.add(counted(notes("cd"), notes("bd")))
    total.check("toy")
    total.add(counted(notes("e"), notes("f")))
    with pytest.raises(StageError, match="not the ids read"):
        total.check("toy")


def test_an_entry_without_an_id_is_accounted_for_by_its_place():
    assert input_id(raw("x")) == "x"
    assert input_id(raw("", place="a.jsonl:1")) == "a.jsonl:1"
    assert input_id(Unreadable(place="a.jsonl:2", error="bad")) == "a.jsonl:2"
    assert input_id(toys.Note(id="n", value=1)) == "n"
