"""Steps around ``run``, blocks of a corpus, duplicates: the same bytes however the work is cut."""

import errno
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages as toys
from wdw_build.core.progress import Progress
from wdw_build.core.rule import Rule
from wdw_build.core.run.runner import run_alone
from wdw_build.core.stage import Step
from wdw_build.core.store import output as store
from wdw_build.errors import StageError

TOTAL = sum(range(toys.MANY))


@pytest.mark.parametrize(("workers", "size"), [(1, 64), (1, 1024), (2, 128)])
def test_steps_see_all_records_and_the_steps_before_them_and_not_all_their_files_are_kept(tmp_path, workers, size):
    output = toys.chain(tmp_path, toys.WITH_STEPS, workers, shard_size=size)
    assert {note.text for note in output.records()} == {str(TOTAL)}
    assert (output.folder / "total").read_text() == str(TOTAL)
    assert (output.folder / "rests").read_text() == "rest-0 rest-1 rest-2"
    # The files of divided steps and of shards are gone.
    files = {"manifest.json", "timing.json", "part-00000.jsonl", "index.sqlite", "rejections.jsonl", "total", "rests"}
    assert {path.name for path in output.folder.iterdir()} == files


def test_a_stage_with_steps_runs_alone_on_one_record_or_on_all_and_gives_the_files_of_its_steps(tmp_path):
    first = toys.make(tmp_path, toys.job(toys.source()))
    job = toys.job(toys.WITH_STEPS, {"source": first})
    output = run_alone(replace(job, given=(first.find("n000005"),)), tmp_path / "one", Progress("quiet"))
    assert [(note.id, note.text) for note in output.records()] == [("n000005", str(TOTAL))]
    assert output.manifest.written == 1
    assert run_alone(job, tmp_path / "all", Progress("quiet")).own_files == ("rests", "total")


def fails_in_step(records, config, context):
    for note in records:
        if note.value == 700:
            raise ValueError("seven hundred")


def test_an_exception_in_a_step_names_stage_step_and_record(tmp_path):
    stage = toys.mapped(toys.double, steps=(Step("part sums", fails_in_step, over="source"),))
    with pytest.raises(StageError, match=r"stage double \(part sums\) stopped at record 'n000700'"):
        toys.chain(tmp_path, stage)


NO_ROOM = "No space left on device"
OF_JAVA = RuntimeError(f"JVM exception occurred: java.io.IOException: {NO_ROOM}")


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, NO_ROOM), OF_JAVA])
def test_a_full_disk_is_the_fault_of_no_record_and_names_the_folder(tmp_path, error):
    def fails(records, config, context):
        next(records)
        raise error

    stage = toys.mapped(toys.double, steps=(Step("sums", fails, over="source"),))
    with pytest.raises(StageError, match=rf"stage double \(sums\) cannot write to {tmp_path}.*No space left") as caught:
        toys.chain(tmp_path, stage)
    assert "make room" in caught.value.hint


# --- Corpus blocks and duplicates -------------------------------------------------------------------------------------


def ingested(root, corpus, **changes):
    stage = toys.source(block=512, reasons={"duplicate-id": Rule("the id was there before")}, **changes)
    return toys.make(root, toys.job(stage, ports=toys.BlockPorts(corpus=corpus)))


@settings(max_examples=12, deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), max_size=8), min_size=1, max_size=5), st.integers(1, 4))
def test_the_first_record_of_an_id_is_kept_and_the_blocks_do_not_matter(tmp_path_factory, corpus, size):
    values = [value for block in corpus for value in block]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", size)
        output = ingested(tmp_path_factory.mktemp("blocks"), tuple(map(tuple, corpus)))
    assert [note.value for note in output.records()] == list(dict.fromkeys(values))
    assert all(part.records == size for part in output.manifest.parts[:-1])
    first = [value not in values[:number] for number, value in enumerate(values)]
    again = [value for value, is_first in zip(values, first, strict=True) if not is_first]
    assert [one.id for one in output.rejections()] == [toys.name(value) for value in again]
    assert output.manifest.read == len(values)
    assert output.manifest.rejected == len(again)


def test_a_step_that_kills_its_workers_is_named_with_its_shard(tmp_path):
    deadly = toys.mapped(toys.double, steps=(Step("count", toys.die_at_the_first, over="source"),))
    words = r"stage double \(count\): a worker process died .* shards were computed: 000000000000-64"
    with pytest.raises(StageError, match=words):
        toys.chain(tmp_path, deadly, workers=2)
