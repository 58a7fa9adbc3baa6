"""The system ``api``: a chat model behind an HTTP endpoint."""

from __future__ import annotations

from typing import Literal

from wdw_build.api import EndpointConfig, check_endpoint
from wdw_build.reading import System, SystemEntry, TrainingContext

NAME = "api"


class ApiConfig(EndpointConfig, frozen=True):
    """Settings of ``api``."""

    method: Literal["names", "letters"] = "names"
    """Answer to ask for: a name, or its letter."""


def _backends(settings: ApiConfig, workspace: TrainingContext) -> dict[str, str]:
    """Nothing. Raises as ``check_endpoint``."""
    check_endpoint(settings)
    return {}


def _make(settings: ApiConfig) -> System:
    from wdw_bench.systems.endpoint.system import Endpoint

    return Endpoint(settings)


API = SystemEntry(
    name=NAME,
    title="Chat model behind an endpoint",
    source="Brown et al. (2020), section 2.4",
    group="today",
    make=_make,
    version=2,
    settings=ApiConfig,
    backends=_backends,
    configured=lambda settings: bool(settings.url and settings.model),
    operational=frozenset({"key_variable", "parallel", "retries", "timeout"}),
)
