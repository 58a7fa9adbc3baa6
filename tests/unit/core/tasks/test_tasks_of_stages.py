"""Steps around ``run``, blocks of a corpus, duplicates: the same bytes however the work is cut."""

import errno
import itertools
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import toy_stages
from wdw_build.core.hashing import id_sum
from wdw_build.core.progress import Progress
from wdw_build.core.rule import Rule
from wdw_build.core.run.run_alone import run_alone
from wdw_build.core.stage import RUN, Step
from wdw_build.core.store import jsonl
from wdw_build.core.store import output as store
from wdw_build.core.tasks import merging
from wdw_build.core.tasks.merging import DuplicatesTask, part_tasks
from wdw_build.core.tasks.shards import CorpusBlock
from wdw_build.core.tasks.stage_tasks import IDS, RECORDS, step_folder
from wdw_build.core.tasks.task import perform
from wdw_build.errors import StageError

STEPS = toy_stages.with_steps()
TOTAL = sum(range(toy_stages.MANY))


@pytest.mark.parametrize(("workers", "size"), [(1, 64), (1, 1024), (2, 128)])
def test_steps_see_all_records_and_the_results_of_the_steps_before_them(tmp_path, workers, size):
    output = toy_stages.chain(tmp_path, STEPS, workers, shard_size=size)
    assert {note.text for note in output.records()} == {str(TOTAL)}
    assert (output.folder / "total").read_text() == str(TOTAL)
    assert (output.folder / "rests").read_text() == "rest-0 rest-1 rest-2"


def test_a_run_stopped_while_it_moved_its_files_ends_in_the_same_bytes_with_other_shards(tmp_path, monkeypatch):
    expected = toy_stages.contents(toy_stages.chain(tmp_path / "whole", STEPS).folder)
    moved, move_files = [], merging.move_files

    def stop_at_the_fourth(folder, destination):
        moved.append(folder)
        if len(moved) == 4:
            raise KeyboardInterrupt
        move_files(folder, destination)

    source = toy_stages.make(tmp_path, toy_stages.job(toy_stages.source()))
    with monkeypatch.context() as patch:
        patch.setattr(merging, "move_files", stop_at_the_fourth)
        with pytest.raises(KeyboardInterrupt):
            toy_stages.make(tmp_path, toy_stages.job(STEPS, {"source": source}))
    assert toy_stages.contents(toy_stages.chain(tmp_path, STEPS, shard_size=256).folder) == expected


def test_files_of_divided_steps_and_of_shards_are_not_kept(tmp_path):
    folder = toy_stages.chain(tmp_path, STEPS).folder
    assert {path.name for path in folder.iterdir()} == {
        "files.json",
        "manifest.json",
        "timing.json",
        "part-00000.jsonl",
        "records.keys",
        "rejections.jsonl",
        "rejections.keys",
        "total",
        "rests",
    }


def test_a_stage_with_steps_runs_alone_on_one_record(tmp_path):
    first = toy_stages.make(tmp_path, toy_stages.job(toy_stages.source()))
    job = toy_stages.job(STEPS, {"source": first})
    (tmp_path / "alone").mkdir()
    counter, results = run_alone(job, iter([first.find("n000005")]), tmp_path / "alone", Progress("quiet"))
    assert [(note.id, note.text) for note in results] == [("n000005", str(TOTAL))]
    assert counter.tally.written == 1
    assert (tmp_path / "alone" / "rests").exists()


def fails_in_step(records, config, context):
    for note in records:
        if note.value == 700:
            raise ValueError("seven hundred")


def test_an_exception_in_a_step_names_stage_step_and_record(tmp_path):
    stage = toy_stages.mapped(
        toy_stages.double, setup_steps=(toy_stages.Step("part sums", fails_in_step, over="source"),)
    )
    with pytest.raises(StageError, match=r"stage double \(part sums\) stopped at record 'n000700'"):
        toy_stages.chain(tmp_path, stage)


def finds_no_room(records, config, context):
    next(records)
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_the_fault_of_no_record_and_names_the_folder(tmp_path):
    stage = toy_stages.mapped(toy_stages.double, setup_steps=(toy_stages.Step("sums", finds_no_room, over="source"),))
    with pytest.raises(
        StageError, match=rf"stage double \(sums\) cannot write to {tmp_path}.*: No space left"
    ) as caught:
        toy_stages.chain(tmp_path, stage)
    assert "make room" in caught.value.hint


# --- Corpus blocks and duplicates -------------------------------------------------------------------------------------


def ingested(root, corpus, **changes):
    stage = toy_stages.source(
        scope="map", duplicates="again", reasons={"again": Rule("the id was there before")}, **changes
    )
    return toy_stages.make(root, toy_stages.job(stage, ports=toy_stages.BlockPorts(corpus=corpus)))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 12), max_size=8), min_size=1, max_size=5), st.integers(1, 4))
def test_the_first_record_of_an_id_is_kept_and_the_blocks_do_not_matter(tmp_path_factory, corpus, size):
    values = list(itertools.chain.from_iterable(corpus))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "PART_RECORDS", size)
        output = ingested(tmp_path_factory.mktemp("blocks"), tuple(map(tuple, corpus)))
    assert [note.value for note in output.records()] == list(dict.fromkeys(values))
    assert all(part.records == size for part in output.manifest.parts[:-1])
    first = [value not in values[:number] for number, value in enumerate(values)]
    again = [value for value, is_first in zip(values, first, strict=True) if not is_first]
    assert [one.id for one in output.rejections()] == [toy_stages.name(value) for value in again]
    assert output.manifest.read == len(values)
    assert output.manifest.rejected == len(again)


def test_duplicates_are_found_again_if_a_stopped_merge_resumes_with_other_shards(tmp_path):
    names = ("first", "second", "all")
    for name, values in zip(names, ([1, 2], [2], [1, 2, 2]), strict=True):
        folder = step_folder(tmp_path, RUN) / name
        folder.mkdir(parents=True)
        ids = [toy_stages.name(value) for value in values]
        (folder / IDS).write_bytes(array("Q", map(id_sum, ids)).tobytes())
        (folder / RECORDS).write_bytes(b"".join(jsonl.encode(toy_stages.Note(id=one, value=0)) for one in ids))
    for shards, found in ((names[:2], {"second": 1}), (names[:2], {"second": 1}), (names[2:], {"all": 1})):
        merging.begin_merge(tmp_path, shards)
        assert perform(DuplicatesTask(tmp_path, shards)) == found


def test_parts_are_cut_at_the_same_records_whatever_the_shards(monkeypatch, tmp_path):
    monkeypatch.setattr(store, "PART_RECORDS", 10)
    shards = [CorpusBlock(number, None) for number in range(3)]
    names = [shard.name for shard in shards]
    tasks = part_tasks(tmp_path, shards, {names[0]: 7, names[1]: 3, names[2]: 12}, {names[0]: 1, names[2]: 1})
    assert [[(piece.shard, piece.skip, piece.count) for piece in task.slices] for task in tasks] == [
        [(names[0], 0, 6), (names[1], 0, 3), (names[2], 0, 1)],
        [(names[2], 1, 10)],
    ]


def test_a_step_that_kills_its_workers_is_named_with_its_shard(tmp_path):
    deadly = toy_stages.mapped(
        toy_stages.double, setup_steps=(Step("count", toy_stages.die_at_the_first, over="source"),)
    )
    with pytest.raises(StageError, match=r"died .* at stage double, step count, shard 000000000000-64(?m:$)"):
        toy_stages.chain(tmp_path, deadly, workers=2)
