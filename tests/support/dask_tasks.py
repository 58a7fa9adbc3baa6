"""Functions that run on the workers of a dask cluster. Module level, so that workers find them."""

import os
import signal
from pathlib import Path

from support.toy_stages import Note, ToyConfig
from wdw_build.errors import CorpusError


def square(number):
    return number**2, os.getpid()


def die_always(path):
    with Path(path).open("a") as stream:
        stream.write("x")
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(number):
    raise CorpusError(f"number {number} is odd", hint="take another")


def blocked_signals(_):
    return signal.pthread_sigmask(signal.SIG_BLOCK, ())


def threads(_):
    from distributed import get_worker

    return os.environ["OMP_NUM_THREADS"], get_worker().state.nthreads


def die_twice(inputs, config, context):
    """A stage whose worker dies at two of the records, once each, if ``marks`` is a folder."""
    for note in inputs:
        mark = Path(config.marks) / str(note.value)
        if note.value in {200, 600} and config.marks and not mark.exists():
            mark.write_text("killed")
            os.kill(os.getpid(), signal.SIGKILL)
        yield Note(id=note.id, value=note.value * 2)


class MarksConfig(ToyConfig, frozen=True):
    marks: str = ""
