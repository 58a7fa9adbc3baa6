"""How a run is executed: the section ``execution``. Only ``device`` can affect the output."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.section import NonNegativeInt, PositiveInt, Section

AUTO: Literal["auto"] = "auto"


class DaskConfig(Section, frozen=True):
    """The cluster of ``engine: dask``: a running one (``scheduler`` or ``scheduler_file``), or else one on this machine."""

    scheduler: Annotated[str, Meta(pattern=r"^([a-z]+://.+)?$(?!\n)")] = ""
    """Address of a running scheduler, such as tcp://head:8786. Empty: use scheduler_file."""
    scheduler_file: str = ""
    """File of a running scheduler (`dask scheduler --scheduler-file FILE`). Empty: start a cluster on this machine."""
    workers: NonNegativeInt = 0
    """Number of worker processes for a cluster on this machine; 0: `execution.workers`."""
    wait_seconds: PositiveInt = 600
    """Seconds to wait for the scheduler, or for the first worker, before the run stops."""
    gpu_resource: Annotated[str, Meta(min_length=1)] = "GPU"
    """Resource that GPU workers offer (`dask worker --resources GPU=1`), for `device: cuda`."""
    tls_ca_file: str = ""
    """PEM file with the certificate authority of a scheduler with TLS (tls://...)."""
    tls_certificate: str = ""
    """PEM file with the TLS certificate of this process."""
    tls_key: str = ""
    """PEM file with the private key of `tls_certificate`."""

    def __post_init__(self) -> None:
        """Check that the keys name one cluster. Raises ``ValueError``."""
        named = [name for name in ("scheduler", "scheduler_file", "workers") if getattr(self, name)]
        if len(named) > 1:
            raise ValueError(f"{' and '.join(named)} exclude each other")

    @property
    def joins(self) -> bool:
        """Whether the run joins a cluster that is running already."""
        return bool(self.scheduler or self.scheduler_file)


class ExecutionConfig(Section, frozen=True):
    """How to run. Of these keys, only ``device`` can affect the output (see docs/howto/use-a-gpu.md)."""

    engine: Literal["local", "dask"] = "local"
    """Where tasks run: in processes on this machine, or on a cluster (see docs/howto/cluster.md)."""
    workers: PositiveInt | Literal["auto"] = AUTO
    """Number of worker processes on this machine. `auto`: the cores that this process may use, as far as memory allows."""
    dask: DaskConfig = DaskConfig()
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Device for the models. `auto`: a GPU if torch finds one, otherwise the CPU."""
    shard_size: Annotated[int, Meta(ge=512, multiple_of=512)] = 2048
    """Records per shard, but at least 2048 in `index`."""
    java_heap: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}[mg]$(?!\n)")] = "1g"
    """JVM heap size, such as 1g."""
    lm_memory: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,5}[MG]$(?!\n)")] = "1G"
    """Memory for sorting in lmplz, such as 1G."""
