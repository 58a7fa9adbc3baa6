"""A toy run, made once, with its facts."""

from types import SimpleNamespace

import pytest

from support.toy_pipeline import begun
from wdw_build.views.dataset import Run, facts


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A run with its configuration and its facts."""
    made = begun(tmp_path_factory.mktemp("toy"))
    made.run()
    run = Run(made.run_folder, made.ready())
    return SimpleNamespace(run=run, config=made.config, facts=facts(run))
