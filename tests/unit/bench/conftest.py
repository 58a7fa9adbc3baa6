"""A toy run and the systems of ``support.systems``."""

import shutil

import msgspec
import pytest

from support import systems
from support.toy_pipeline import begun
from wdw_bench.problems import FOLDER
from wdw_bench.results import RESULTS
from wdw_build.core.progress import Progress
from wdw_build.reading.settings import BenchConfig
from wdw_build.views.dataset import Run


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A complete toy pipeline; tests must leave its stages as they are."""
    built = begun(tmp_path_factory.mktemp("toy"))
    built.run()
    return built


@pytest.fixture
def run(toy, tmp_path):
    """The toy run without results of an earlier test."""
    (toy.run_folder / RESULTS).unlink(missing_ok=True)
    shutil.rmtree(toy.run_folder / FOLDER, ignore_errors=True)
    return Run(toy.run_folder, toy.ready())


@pytest.fixture(autouse=True)
def _toy_systems(monkeypatch):
    systems.use_only(monkeypatch)
    systems.Counting.fits.clear()


@pytest.fixture
def bench(toy, run, tmp_path):
    """Run ``bench`` with some systems and settings; trained systems are stored in the test's own folder."""
    from wdw_bench.run import bench as measure

    def benched(
        *names, predictions=(), runs=None, mode="quiet", seed=0, against=None, force=False, folds=None, **settings
    ):
        execution = msgspec.structs.replace(toy.config.execution, workers=settings.pop("workers", 1))
        section = BenchConfig(systems=names, **settings)
        changes = {"output_dir": str(tmp_path), "bench": section, "execution": execution, "seed": seed}
        config = msgspec.structs.replace(toy.config, **changes)
        return measure(config, runs or [run], Progress(mode), predictions, against, folds=folds, force=force)

    return benched
