"""For ``dask worker --preload-nanny wdw_build.preload``: the workers of one command share libraries and models.

Dask's nannies start the workers, and all nannies of a command run in one process. When dask imports this module there, it
starts the server from which the workers are forked. The server loads what the configuration file in ``WDW_CONFIG`` needs.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

from click import ClickException

from wdw_build.adapters.dask.preloaded import fork_workers
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError, WdwError
from wdw_build.pipeline import Pipeline
from wdw_build.ports import Preloaded

_VARIABLE = "WDW_CONFIG"


def _start() -> None:
    """Start the server. Raises ``ConfigError`` or, for a missing model, ``MissingResourceError``."""
    if not os.environ.get(_VARIABLE):
        raise ConfigError(
            f"{__name__} needs the configuration file of the run, and the variable {_VARIABLE} is not set",
            hint=f"export {_VARIABLE}=FILE",
        )
    pipeline = Pipeline(load_config(Path(os.environ[_VARIABLE])), Progress("quiet"))
    ports = pipeline.shared_ports(pipeline.stages)
    for port in ports:
        if isinstance(pipeline.ports.get(port), Preloaded):
            pipeline.ports.check(port)
    fork_workers(functools.partial(pipeline.ports.preload, ports))


try:
    _start()
except WdwError as error:
    # The command prints it without a traceback, and starts no worker.
    raise ClickException(f"{error.message}\n  try: {error.hint}") from error
