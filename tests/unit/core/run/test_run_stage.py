"""The contract: blocks, and what a stage may ask of its context."""

import pytest

from support import toy_stages as toys
from wdw_build.core.progress import Progress
from wdw_build.core.stage import Context, Step, blocks


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 30])
def test_blocks_hold_everything_in_order(count):
    found = list(blocks(range(count), 10))
    assert [value for block in found for value in block] == list(range(count))
    assert all(len(block) == 10 for block in found[:-1])
    assert all(found)


def test_a_stage_whose_tasks_would_share_folders_is_refused():
    with pytest.raises(ValueError, match="different names"):
        toys.mapped(toys.copy, steps=(Step("sum", print),) * 2)
    with pytest.raises(ValueError, match="none may be 'run'"):
        toys.mapped(toys.copy, steps=(Step("run", print, after=True),))


@pytest.fixture
def context(tmp_path):
    source = toys.make(tmp_path, toys.job(toys.source(), ports=toys.ToyPorts(count=5)))
    rest = {"seed": 0, "folder": tmp_path, "progress": Progress(), "results": lambda _: ()}
    return Context(inputs={"source": source}, ports=toys.ToyPorts(count=2), **rest)


def test_a_context_gives_ports_and_records(context):
    assert len(list(context.port("notes").read())) == 2
    assert [note.value for note in context.read("source")] == [0, 1, 2, 3, 4]
    assert context.find("source", toys.name(3)).value == 3


def test_an_id_that_is_not_there_is_a_defect_of_the_stage(context):
    with pytest.raises(KeyError, match="source has no record nobody"):
        context.find("source", "nobody")
