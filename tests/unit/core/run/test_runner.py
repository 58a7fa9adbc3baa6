"""The runner: the same bytes however a stage is run, nothing lost, nothing half done under a final name."""

import random
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from support import toy_stages as toys
from wdw_build.core.progress import Progress
from wdw_build.core.run import runner
from wdw_build.core.run.staging import read_status
from wdw_build.core.store import output as store
from wdw_build.errors import CorpusError, StageError, UsageError

DOUBLED = toys.mapped(toys.double)
LOGGED = toys.mapped(toys.log_and_double)


@pytest.fixture
def marks(tmp_path, monkeypatch):
    """The folder where toy stages leave and look for marks."""
    folder = tmp_path / "marks"
    folder.mkdir()
    monkeypatch.setenv("TOYS", str(folder))
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The output of ``double`` from an undisturbed run with one worker."""
    return toys.contents(toys.chain(tmp_path_factory.mktemp("expected"), DOUBLED).folder)


def only_data(contents):
    """Without what names the stage: the records, the rejections and the keys."""
    return {name: content for name, content in contents.items() if name != "manifest.json"}


def job_of(root, stage, ports=None):
    """The job of a stage on the source, which is made."""
    return toys.job(stage, {"source": toys.make(root, toys.job(toys.source()))}, ports)


def resumed(root, workers=1):
    """The output of the stage ``LOGGED`` and the ids that it looks at."""
    before = len(toys.logged())
    return toys.chain(root, LOGGED, workers), toys.logged()[before:]


# --- What is written -------------------------------------------------------------------------------------------------


def test_every_input_is_a_record_or_a_rejection_in_order_and_text_that_json_must_escape_comes_back(tmp_path):
    output = toys.chain(tmp_path, DOUBLED)
    kept, refused = list(output.records()), list(output.rejections())
    assert [note.value for note in kept] == [2 * value for value in range(toys.MANY) if value % 3]
    assert [one.detail for one in refused] == [str(value) for value in range(toys.MANY) if value % 3 == 0]
    made = output.manifest
    assert (made.read, made.written, made.rejected) == (1000, 666, 334)
    assert made.reasons == {"third": 334}
    assert not list(output.folder.glob(".*"))
    assert output.find(toys.name(1)).text == 'tab\t "quote" \n line é 😀'


@pytest.mark.parametrize(("block", "workers"), [(64, 1), (128, 2), (512, 2), (1024, 1)])
def test_shards_of_any_size_and_any_workers_give_the_same_bytes(tmp_path, expected, block, workers):
    output = toys.chain(tmp_path, toys.mapped(toys.double, block=block), workers, shard_size=2048)
    assert toys.contents(output.folder) == expected


def test_results_that_depend_on_their_block_are_the_same_too(tmp_path):
    stage = toys.mapped(toys.by_blocks, block=128)
    made = [
        toys.contents(toys.chain(tmp_path / f"{workers}-{size}", stage, workers, shard_size=size).folder)
        for workers, size in ((1, 128), (1, 1024), (2, 256))
    ]
    assert made[0] == made[1] == made[2]


def test_a_step_withdraws_records_of_all_shards_and_the_output_has_its_rejections_instead(tmp_path):
    made = toys.chain(tmp_path / "1", toys.WITHDRAWING)
    manifest, withdrawn = made.manifest, {toys.name(number) for number in range(0, toys.MANY, 100)}
    assert (manifest.read, manifest.written, manifest.rejected) == (1000, 990, 10)
    assert manifest.reasons == {"hundredth": 10}
    assert {rejection.id for rejection in made.rejections()} == withdrawn
    assert not withdrawn & {note.id for note in made.records()}
    assert not (made.folder / "withdrawn.jsonl").exists()
    others = toys.chain(tmp_path / "2", toys.WITHDRAWING, workers=2, shard_size=128)
    assert others.manifest.content_hash == manifest.content_hash


def test_a_set_stage_runs_in_this_process_and_sees_all(tmp_path):
    stage = toys.mapped(toys.by_blocks, block=0)
    assert toys.chain(tmp_path, stage, workers=2).manifest.written == toys.MANY


def test_an_empty_input_gives_an_empty_output(tmp_path):
    output = toys.chain(tmp_path, DOUBLED, ports=toys.ToyPorts(count=0))
    assert (list(output.records()), output.manifest.read) == ([], 0)


def test_a_stage_finds_records_of_its_inputs_in_workers_too(tmp_path):
    output = toys.chain(tmp_path, toys.mapped(toys.swapped), workers=2)
    assert {note.text for note in output.records()} == {"found"}


# --- The fingerprint -------------------------------------------------------------------------------------------------


def test_content_stands_for_records_and_for_a_stage_with_files_of_its_own_for_its_fingerprint(tmp_path):
    def content(**changes):
        return toys.chain(tmp_path, toys.mapped(toys.double, **changes)).manifest.content_hash

    assert content() == content(version=2)
    steps = (toys.Step("none", toys.add_nothing, after=True, keeps=True),)
    assert content(steps=steps) != content(steps=steps, version=2)


# --- What is caught --------------------------------------------------------------------------------------------------


FAULTY_STAGES = [
    (toys.first_ten, "1000 read, but 10 written|64 read, but 10 written"),
    (toys.twice, "read, but (2000|128) written"),
    (toys.renamed, "the ids written and rejected are not the ids read"),
    (toys.repeated, "the ids written and rejected are not the ids read"),
    (toys.undeclared, "stage undeclared: undeclared rejection reason 'mood'"),
    (toys.wrong_type, "stage wrong_type yielded a Other"),
]


@pytest.mark.parametrize("block", [64, 0])
@pytest.mark.parametrize(("run", "fault"), FAULTY_STAGES)
def test_a_stage_that_loses_doubles_or_invents_is_stopped_and_nothing_is_committed(tmp_path, run, fault, block):
    with pytest.raises(StageError, match=fault):
        toys.chain(tmp_path, toys.mapped(run, block=block))
    assert [path for path in (tmp_path / "store" / run.__name__).iterdir() if path.name[0] != "."] == []
    assert not (tmp_path / "runs" / "toy" / run.__name__).exists()


def test_a_corrected_stage_does_not_resume_from_the_output_of_the_faulty_one(tmp_path, expected):
    with pytest.raises(StageError):
        toys.chain(tmp_path, toys.mapped(toys.first_ten, name="double"))
    assert toys.contents(toys.chain(tmp_path, DOUBLED).folder) == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_an_unexpected_exception_names_stage_record_place_and_the_command(tmp_path, workers):
    with pytest.raises(StageError) as caught:
        toys.chain(tmp_path, toys.mapped(toys.explode), workers)
    line = toys.explode.__code__.co_firstlineno + 3
    assert caught.value.message == (
        f"stage explode stopped at record 'n000700' (the last one read): ValueError: a bad\\nthing\\x1b[2J (toy_stages.py:{line})"
    )
    assert caught.value.hint.startswith("wdw-build run explode --only n000700 --config FILE")


JAVA_ERROR = "JVM exception occurred: java.lang.OutOfMemoryError: Java heap space"


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("run", "where", "error", "remedy"),
    [
        (toys.allocate, "", "MemoryError", "set fewer execution.workers"),
        (toys.exhaust_java, " in Java", f"RuntimeError: {JAVA_ERROR}", "set a larger execution.java_heap"),
    ],
)
def test_a_lack_of_memory_says_which_key_to_change(tmp_path, workers, run, where, error, remedy):
    with pytest.raises(StageError) as caught:
        toys.chain(tmp_path, toys.mapped(run), workers)
    said = f"stage {run.__name__} ran out of memory{where} after it had read 'n000700': {error}"
    assert caught.value.message == said
    assert caught.value.hint.startswith(remedy)


def test_a_set_stage_cannot_run_one_record_so_its_hint_shows_it(tmp_path):
    with pytest.raises(StageError) as caught:
        toys.chain(tmp_path, toys.mapped(toys.explode, block=0))
    assert caught.value.hint.startswith("wdw-build inspect source --id n000700 --config FILE")


def test_an_id_is_quoted_for_the_shell(tmp_path):
    def fails(inputs, config, context):
        list(inputs)
        raise ValueError

    job = replace(toys.job(toys.mapped(fails)), given=(toys.Note(id="a b;rm -rf /", value=1),))
    with pytest.raises(StageError) as caught:
        runner.run_alone(job, tmp_path, Progress("quiet"))
    assert "--only 'a b;rm -rf /' " in caught.value.hint


def test_an_error_with_a_hint_is_raised_unchanged(tmp_path):
    def small(inputs, config, context):
        raise CorpusError("too small", hint="get more")
        yield

    with pytest.raises(CorpusError, match="too small"):
        toys.chain(tmp_path, toys.mapped(small))


def test_the_manifest_says_where_models_computed_and_the_fingerprint_does_not(tmp_path):
    def made(folder, devices, workers=1):
        stage, ports = toys.mapped(toys.double, ports=("notes",)), toys.ToyPorts(devices=devices)
        return toys.make(tmp_path / folder, job_of(tmp_path / folder, stage, ports), workers).manifest

    cpu, gpu, shared = made("a", ("cpu",)), made("b", ("cuda",)), made("c", ("cuda",), workers=2)
    assert (cpu.devices, gpu.devices, shared.devices) == (("cpu",), ("cuda",), ("cuda",))
    assert cpu.fingerprint == gpu.fingerprint
    assert toys.chain(tmp_path, DOUBLED).manifest.devices == ()


def test_a_stage_that_was_resumed_on_another_device_names_both(tmp_path):
    def attempt(run, device):
        stage = toys.mapped(run, name="double", ports=("notes",))
        return toys.make(tmp_path, job_of(tmp_path, stage, toys.ToyPorts(devices=(device,))))

    with pytest.raises(StageError):
        attempt(toys.explode, "cpu")
    assert attempt(toys.double, "cuda").manifest.devices == ("cpu", "cuda")


# --- Killed and resumed ----------------------------------------------------------------------------------------------


def test_a_killed_stage_resumes_after_its_finished_shards_and_ends_in_the_same_bytes(tmp_path, marks, expected):
    (marks / "kill-n000500").touch()
    killed = toys.start(tmp_path, "log_and_double", 1)
    killed.communicate(timeout=300)
    assert killed.returncode == -signal.SIGKILL
    _, final = toys.places(tmp_path, job_of(tmp_path, LOGGED))
    assert not final.exists()
    (marks / "kill-n000500").unlink()
    output, again = resumed(tmp_path)
    assert only_data(toys.contents(output.folder)) == only_data(expected)
    # The eighth shard is the one that was cut short: it is done again, whole.
    assert again == [toys.name(number) for number in range(7 * 64, toys.MANY)]


def test_a_record_on_which_a_worker_dies_ends_the_run_which_names_the_shard_and_how_to_find_the_record(tmp_path, marks):
    (marks / "kill-n000500").touch()
    with pytest.raises(StageError) as caught:
        toys.chain(tmp_path, LOGGED, workers=2)
    assert "stage log_and_double: a worker process died" in caught.value.message
    assert f"{7 * 64:012d}-64" in caught.value.message
    assert "wdw-build run log_and_double --only ID" in caught.value.hint
    assert "fewer execution.workers" in caught.value.hint
    (marks / "kill-n000500").unlink()
    output, again = resumed(tmp_path, workers=2)
    assert len(again) < output.manifest.read == toys.MANY


def test_a_stage_killed_with_two_workers_can_resume_with_one(tmp_path, marks, expected):
    (marks / "wait-n000500").touch()
    killed = toys.start(tmp_path, "log_and_double", 2)
    toys.eventually((marks / "waiting-n000500").exists)
    worker = int((marks / "waiting-n000500").read_text())
    killed.kill()
    killed.communicate(timeout=300)
    toys.wait_for_end([worker])  # or it would write into the shards of the run that follows
    (marks / "wait-n000500").unlink()
    output, again = resumed(tmp_path)
    assert only_data(toys.contents(output.folder)) == only_data(expected)
    assert len(again) < toys.MANY


@pytest.mark.parametrize("moment", ["OutputWriter", "commit", "discard"])
def test_a_run_stopped_while_it_merges_or_commits_ends_in_the_same_bytes(tmp_path, expected, monkeypatch, moment):
    def stop(*_):
        raise KeyboardInterrupt

    job = job_of(tmp_path, DOUBLED)
    with monkeypatch.context() as patch:
        patch.setattr(runner, moment, stop)
        with pytest.raises(KeyboardInterrupt):
            toys.make(tmp_path, job)
    assert toys.contents(toys.chain(tmp_path, DOUBLED, shard_size=256).folder) == expected


def test_a_set_stage_that_was_killed_starts_again(tmp_path):
    made = job_of(tmp_path, toys.mapped(toys.double, block=0))
    staging, final = toys.places(tmp_path, made)
    (staging / ".output" / "model").mkdir(parents=True)
    (staging / ".output" / "model" / "half").touch()
    toys.make(tmp_path, made)
    assert not (final / "model").exists()


# --- Committing ------------------------------------------------------------------------------------------------------


def test_a_stage_appears_by_one_rename(tmp_path, monkeypatch):
    made = job_of(tmp_path, DOUBLED)
    staging, final = toys.places(tmp_path, made)
    renamed, rename = [], Path.rename

    def noted(path, target):
        if Path(target) == final:
            renamed.append((path, {entry.name for entry in path.iterdir()}))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", noted)
    toys.make(tmp_path, made)
    files = {"part-00000.jsonl", "index.sqlite", "rejections.jsonl", "manifest.json", "timing.json"}
    assert renamed == [(staging / ".output", files)]


def test_a_second_process_on_the_same_stage_is_refused(tmp_path, marks):
    (marks / "wait-n000300").touch()
    first = toys.start(tmp_path, "log_and_double", 1)
    toys.eventually((marks / "waiting-n000300").exists)
    with pytest.raises(UsageError, match="another wdw-build process is running stage log_and_double") as caught:
        toys.chain(tmp_path, LOGGED)
    assert caught.value.hint
    (marks / "go-n000300").touch()
    assert first.communicate(timeout=300)
    assert first.returncode == 0
    assert toys.chain(tmp_path, DOUBLED).manifest.written == 666


# --- What status sees ------------------------------------------------------------------------------------------------


def test_a_stopped_stage_shows_its_step_and_its_finished_shards_and_a_finished_one_nothing(tmp_path):
    with pytest.raises(StageError):
        toys.chain(tmp_path, toys.mapped(toys.explode))
    (folder,) = (tmp_path / "store" / "explode").glob(".*.staging")
    fingerprint = folder.name.split(".")[1]
    found = read_status(tmp_path, "explode", fingerprint)
    assert (found.step, found.done, found.tasks, found.is_alive) == ("run", 700 // 64, 16, False)
    with store.locked(tmp_path, "explode", fingerprint):
        assert read_status(tmp_path, "explode", fingerprint).is_alive
    made = toys.chain(tmp_path, DOUBLED)
    assert not list(made.folder.parent.glob(".*.staging"))
    assert read_status(tmp_path, "double", made.manifest.fingerprint) is None


def test_a_corpus_that_changes_while_it_is_read_is_refused_and_its_shards_are_not_kept(tmp_path):
    job = toys.job(toys.source(), ports=toys.ToyPorts(count=5))
    changed = replace(job, ports=toys.ToyPorts(count=4))
    with pytest.raises(CorpusError, match="the corpus was changed while it was read"):
        toys.make(tmp_path, changed)
    assert toys.make(tmp_path, job).manifest.written == 5


def test_killed_again_and_again_at_any_moment_it_still_ends_in_the_same_bytes(tmp_path, marks, expected):
    chance, kills = random.Random(0), 0
    # Each attempt gets more time, so that the work ends on a slow machine too.
    for attempt in range(60):
        process = toys.start(tmp_path, "slowly", 1)
        try:
            process.communicate(timeout=chance.uniform(0.3, 0.9) * 1.1**attempt)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
    assert process.returncode == 0
    assert kills
    output = toys.chain(tmp_path, toys.mapped(toys.slowly))
    assert only_data(toys.contents(output.folder)) == only_data(expected)
