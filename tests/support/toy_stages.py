"""Toy stages, a toy corpus and a harness for the runner's tests. Module level, so that spawned workers find them.

``main`` runs the toy chain in a process of its own, for the tests that kill one. Stages leave marks in the folder that
TOYS names: a line in ``log`` for each record, and they stop, wait or die where a file there says so.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from wdw_build.core.engine.engines import MODELS, LocalEngine
from wdw_build.core.progress import Progress
from wdw_build.core.rule import Rule
from wdw_build.core.run.runner import Runner
from wdw_build.core.run.task import Job
from wdw_build.core.section import Section
from wdw_build.core.stage import RUN, WITHDRAWN, Stage, Step, blocks
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import final_folder, link, staging_folder
from wdw_build.errors import WdwError
from wdw_build.records import Record, Rejection

MANY = 1000


class Note(Record, frozen=True, kw_only=True):
    value: int
    text: str = ""


class ToyConfig(Section, frozen=True):
    factor: int = 2


def name(number):
    return f"n{number:06d}"


@dataclass(frozen=True)
class ToyReader:
    count: int

    def read(self):
        return (Note(id=name(number), value=number) for number in range(self.count))


@dataclass(frozen=True)
class ToyPorts:
    """``PortSource``: a reader of ``count`` notes."""

    count: int = MANY
    devices: tuple[str, ...] = ()

    def get(self, port):
        return ToyReader(self.count)

    def identity(self, port):
        return f"{port} {self.count}"

    def check(self, port):
        self.identity(port)

    def take_devices(self, ports):
        return self.devices if ports else ()


# --- Marks on the outside --------------------------------------------------------------------------------------------


def _marks():
    return Path(os.environ["TOYS"])


def logged():
    """The ids that the stage ``logged`` has looked at so far, in order."""
    return (_marks() / "log").read_text().split() if (_marks() / "log").exists() else []


def eventually(holds, seconds=300.0):
    """Wait until this is true."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)


def _obey(record_id):
    """Do what the marks ask for at this record."""
    if (_marks() / f"kill-{record_id}").exists():
        os.kill(os.getpid(), signal.SIGKILL)
    if (_marks() / f"wait-{record_id}").exists():
        beside = _marks() / f"beside-{record_id}"
        beside.write_text(str(os.getpid()))
        beside.rename(_marks() / f"waiting-{record_id}")
        eventually((_marks() / f"go-{record_id}").exists)


# --- Stages ----------------------------------------------------------------------------------------------------------


def copy(inputs, config, context):
    yield from inputs


def double(inputs, config, context):
    """Every third is refused; the others are multiplied, with texts that JSON must escape."""
    for note in inputs:
        if note.value % 3 == 0:
            yield Rejection(id=note.id, reason="third", detail=str(note.value))
        else:
            yield Note(id=note.id, value=note.value * config.factor, text='tab\t "quote" \n line é 😀')


def log_and_double(inputs, config, context):
    for note in inputs:
        with (_marks() / "log").open("a") as stream:
            stream.write(note.id + "\n")
        _obey(note.id)
        yield from double(iter([note]), config, context)


def slowly(inputs, config, context):
    for note in inputs:
        time.sleep(0.001)
        yield from double(iter([note]), config, context)


def by_blocks(inputs, config, context):
    """A result depends on the block it is in, as with batches of a model."""
    for block in blocks(inputs, 128):
        total = sum(note.value for note in block)
        yield from (Note(id=note.id, value=total) for note in block)


def first_ten(inputs, config, context):
    yield from list(inputs)[:10]


def twice(inputs, config, context):
    for note in inputs:
        yield note
        yield note


def renamed(inputs, config, context):
    for note in inputs:
        yield Note(id=f"{note.id}x", value=note.value)


def repeated(inputs, config, context):
    """As many as went in, but one twice and one not at all."""
    notes = list(inputs)
    yield from [notes[0], *notes[:-1]]


def undeclared(inputs, config, context):
    for note in inputs:
        yield Rejection(id=note.id, reason="mood")


def wrong_type(inputs, config, context):
    for note in inputs:
        yield msgspec.structs.replace(Other(id=note.id))


class Other(Record, frozen=True, kw_only=True):
    pass


def explode(inputs, config, context):
    for note in inputs:
        if note.value == 700:
            raise ValueError("a bad\nthing\x1b[2J")
        yield note


def allocate(inputs, config, context):
    """Needs more memory than any process may have."""
    for note in inputs:
        if note.value == 700:
            bytearray(1 << 62)
        yield note


def exhaust_java(inputs, config, context):
    """Raises the error of a JVM without room."""
    for note in inputs:
        if note.value == 700:
            raise RuntimeError("JVM exception occurred: java.lang.OutOfMemoryError: Java heap space\\n\\tat X")
        yield note


def swapped(inputs, config, context):
    """Every record is looked up in the other input."""
    for note in inputs:
        yield msgspec.structs.replace(context.find("source", note.id), text="found")


def add_nothing(records, config, context):
    """Writes no file."""


def add_up(records, config, context):
    (context.folder / "sum").write_text(str(sum(note.value for note in records)))


def die_at_the_first(records, config, context):
    if next(records).value == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def add_sums(records, config, context):
    assert list(records) == []
    total = sum(int((folder / "sum").read_text()) for folder in context.results("part sums"))
    (context.folder / "total").write_text(str(total))


def share(inputs, config, context):
    """Every value with the total, which a step has added up before."""
    (folder,) = context.results("total")
    total = int((folder / "total").read_text())
    (context.folder / "seen").write_text("in this shard")
    for note in inputs:
        yield Note(id=note.id, value=note.value, text=str(total))


def count_shards(records, config, context):
    folders = context.results(RUN)
    assert all((folder / "seen").read_text() == "in this shard" for folder in folders)
    (context.folder / f"rest-{next(records)}").write_text(str(len(folders)))


def list_rests(records, config, context):
    names = [path.name for folder in context.results("rests") for path in folder.glob("rest-*")]
    (context.folder / "rests").write_text(" ".join(names))


def partitions_of(count):
    return count // 300


@dataclass(frozen=True)
class BlockReader:
    """A corpus of values in blocks."""

    corpus: tuple[tuple[int, ...], ...]

    def blocks(self):
        return range(len(self.corpus))

    def read(self, block=None):
        wanted = self.corpus if block is None else self.corpus[block : block + 1]
        return (Note(id=name(value), value=value) for values in wanted for value in values)


@dataclass(frozen=True)
class BlockPorts(ToyPorts):
    corpus: tuple[tuple[int, ...], ...] = ()

    def get(self, port):
        return BlockReader(self.corpus)


def source(**changes):
    made = Stage(name="source", version=1, reads=(), writes=Note, config=ToyConfig, run=copy, ports=("notes",), block=0)
    return replace(made, **changes)


def mapped(run, **changes):
    """A map stage in blocks of 64, so that a thousand records are many shards."""
    third = {"third": Rule("a multiple of three")}
    made = Stage(
        name=run.__name__, version=1, reads=("source",), writes=Note, config=ToyConfig, run=run, block=64, reasons=third
    )
    return replace(made, **changes)


# A stage with steps before and after: sums of shards, their total, and partitions.
WITH_STEPS = mapped(
    share,
    steps=(
        Step("part sums", add_up, over="source"),
        Step("total", add_sums),
        Step("rests", count_shards, over=partitions_of, after=True),
        Step("list", list_rests, after=True),
    ),
)


# --- Running ---------------------------------------------------------------------------------------------------------


def _withdraw_hundredths(_, config, context):
    with (context.folder / WITHDRAWN).open("wb") as stream:
        for number in range(0, MANY, 100):
            stream.write(jsonl.encode(Rejection(id=name(number), reason="hundredth")))


_STEP = Step("withdraw", _withdraw_hundredths, over=1, after=True, withdraws=True)
# A stage that copies the notes, and then withdraws every hundredth of them.
WITHDRAWING = mapped(copy, steps=(_STEP,), reasons={"hundredth": Rule("a multiple of a hundred")})


def job(stage, inputs=None, ports=None, section=None):
    ports, section = ports or ToyPorts(), section or ToyConfig()
    ingredients = Ingredients(
        stage=stage.name,
        version=stage.version,
        config=msgspec.to_builtins(section),
        seed=0,
        inputs={key: output.manifest.content_hash for key, output in (inputs or {}).items()},
        backends={port: ports.identity(port) for port in stage.ports},
    )
    return Job(stage=stage, section=section, ingredients=ingredients, inputs=inputs or {}, ports=ports)


def make(root, made, workers=1, shard_size=64, run="toy"):
    with LocalEngine(workers) as engine:
        output = Runner(Path(root), shard_size, Progress("quiet"), engine).make(made)
    link(Path(root) / "runs" / run / made.stage.name, output.folder)
    return output


def chain(root, stage, workers=1, ports=None, shard_size=64):
    """The source and one stage on it."""
    return make(root, job(stage, {"source": make(root, job(source(), ports=ports))}, ports), workers, shard_size)


def places(root, made):
    """(staging folder, final folder) of a job."""
    key = made.stage.name, made.ingredients.fingerprint
    return staging_folder(Path(root), *key), final_folder(Path(root), *key)


def contents(folder):
    """Every file of a committed output that must be the same whenever it is made."""
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name != "timing.json"}


# --- Tasks of the engine -----------------------------------------------------------------------------------------------


def square(number):
    return number * number, os.getpid()


def die(number):
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def divide(number):
    """Twelve by the number; never ends for a negative one."""
    if number < 0:
        time.sleep(600)
    return 12 // number


prepared = []


def prepare():
    prepared.append(os.getpid())


def prepare_slowly():
    (_marks() / f"sitting-{os.getpid()}").touch()
    time.sleep(20)


def prepared_by(_):
    return prepared, os.getppid()


def fail(number):
    raise WdwError(f"no {number}", hint="count again")


def threads(_):
    ignored = [signal.getsignal(number) is signal.SIG_IGN for number in (signal.SIGINT, signal.SIGHUP)]
    return os.environ.get("OMP_NUM_THREADS"), *ignored


def sit(seconds):
    (_marks() / f"sitting-{os.getpid()}").touch()
    time.sleep(seconds)


def start(root, *arguments, **environment):
    """``main`` in a process group of its own."""
    path = f"{Path(__file__).parents[1]}:{os.environ.get('PYTHONPATH', '')}"
    command = [sys.executable, "-c", "from support import toy_stages; toy_stages.main()", root, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path} | environment, **pipes)


def main():
    """``toys.main`` ROOT STAGE WORKERS: the chain in this process; an error as the command line shows it."""
    root, stage, workers = sys.argv[1:]
    try:
        if stage == "sit":
            with LocalEngine(int(workers)) as engine:
                list(engine.map(sit, [600.0] * int(workers)))
        elif stage == "prepare":
            with LocalEngine(int(workers)) as engine:
                engine.start(prepare_slowly)
                list(engine.map(sit, [600.0]))
        elif stage == "models":
            with LocalEngine(int(workers)) as engine:
                engine.start(prepare)
                assert [loaded for loaded, _ in engine.map(prepared_by, range(4))] == [[]] * 4
                print("nothing is loaded for tasks before them")
                found = list(engine.map(prepared_by, range(4), needs=(MODELS,)))
                assert all(loaded == [server] for loaded, server in found)
                assert len({server for _, server in found}) == 1
                print("one process loaded for all workers, and forked them")
                engine.retire()
                assert list(engine.map(prepared_by, range(4))) == found
                print("it also forks the workers for tasks after them")
        else:
            chain(root, mapped(globals()[stage]), int(workers))
    except WdwError as error:
        sys.exit(f"{error.message} | {error.hint}")


def alive(pid):
    """Whether a process runs (a zombie does not)."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for_end(pids):
    """Wait until all these processes have ended."""
    eventually(lambda: not any(map(alive, pids)))
