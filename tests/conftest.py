"""Ctrl-C reaches the tests, property tests have the same examples in every run, and tests that share a run run together."""

import os
import signal

import pytest
from hypothesis import settings

from wdw_build.core.engine import execution

# A suite started in the background has Ctrl-C ignored, and its children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A random example must not turn an unrelated change red. `make test-nightly` looks for new ones.
settings.register_profile("same-every-run", max_examples=50, derandomize=True, deadline=None)
settings.register_profile("random", max_examples=500, deadline=None, print_blob=True)
settings.load_profile("same-every-run")


@pytest.fixture(scope="session", autouse=True)
def _one_worker_and_no_wait_for_the_disk():
    """Runs in a test's process have one worker, unless they ask for more: test processes use the cores already.

    Nor does it wait until its files are on the disk; the tests of durability look at the calls alone.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(execution, "usable_cores", lambda: 1)
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Tests of one file run in one process, and so do all of tests/cli: they share a run, its models and its JVM."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return "tests/cli" if nodeid.startswith("tests/cli/") else super()._split_scope(nodeid)

    return Scheduling(config, log)
