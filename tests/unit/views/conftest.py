"""A toy run, made once, with its facts."""

from typing import NamedTuple

import pytest

from support.toy_pipeline import begun
from wdw_build.pipeline.config.settings import Config
from wdw_build.views.dataset import Facts, Run, facts


class Toy(NamedTuple):
    """A run with its configuration and its facts."""

    run: Run
    config: Config
    facts: Facts


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    made = begun(tmp_path_factory.mktemp("toy"))
    made.run()
    run = Run(made.run_folder, made.ready())
    return Toy(run, made.config, facts(run))
