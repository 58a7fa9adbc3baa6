"""How a run is executed: the section ``execution``. Only ``device`` can affect the output."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from wdw_build.core.config.section import Section


class DaskConfig(Section, frozen=True):
    """The cluster of ``engine: dask``: a running one (``scheduler`` or ``scheduler_file``), or else one on this machine."""

    scheduler: Annotated[
        str,
        Meta(
            pattern="^([a-z]+://.+)?$",
            description="Address of a running scheduler, such as tcp://head:8786. Empty: see scheduler_file.",
        ),
    ] = ""
    scheduler_file: Annotated[
        str,
        Meta(
            description="File that a running scheduler wrote (dask scheduler --scheduler-file FILE). Empty: a cluster on "
            "this machine, which ends with the run."
        ),
    ] = ""
    workers: Annotated[
        int, Meta(ge=0, description="Worker processes of a cluster on this machine; 0: execution.workers.")
    ] = 0
    wait_seconds: Annotated[
        int,
        Meta(
            ge=1,
            description="How long a run waits for a scheduler that does not answer, or for a first worker, before it stops.",
        ),
    ] = 600
    local_folder: Annotated[
        str,
        Meta(
            description="Folder on a local disk of every worker's host, to which the index is copied once a host. Empty: "
            "workers search the index in output_dir."
        ),
    ] = ""
    gpu_resource: Annotated[
        str,
        Meta(
            min_length=1,
            description="Resource that workers with a GPU offer (dask worker --resources GPU=1). With device: cuda, tasks "
            "that run models ask for one.",
        ),
    ] = "GPU"
    tls_ca_file: Annotated[
        str, Meta(description="Certificate authority of a scheduler with TLS (tls://...), as a PEM file.")
    ] = ""
    tls_certificate: Annotated[str, Meta(description="Certificate of this process for TLS, as a PEM file.")] = ""
    tls_key: Annotated[str, Meta(description="Private key of tls_certificate, as a PEM file.")] = ""

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
    """How to run. Of these keys, only ``device`` can affect the output (docs/howto/use-a-gpu.md)."""

    engine: Annotated[
        Literal["local", "dask"],
        Meta(description="Where tasks run. local: processes of this machine; dask: a cluster (docs/howto/cluster.md)."),
    ] = "local"
    workers: Annotated[int, Meta(ge=1, description="Number of worker processes on this machine.")] = 1
    dask: DaskConfig = DaskConfig()
    device: Annotated[
        Literal["auto", "cpu", "cuda"],
        Meta(description="Where the models compute; auto: on a GPU if torch sees one, else on the CPU."),
    ] = "auto"
    batch_tokens: Annotated[
        int,
        Meta(
            ge=64,
            description="On a GPU, most tokens in a batch, padding included; halved if memory is short.",
        ),
    ] = 16_384
    shard_size: Annotated[
        int,
        Meta(
            ge=512,
            multiple_of=512,
            description="Records in a shard, after which a stopped stage can resume (2048 or more in sentences and questions).",
        ),
    ] = 2048
    java_heap: Annotated[str, Meta(pattern="^[0-9]+[mg]$", description="Heap of the JVM, such as 1g.")] = "1g"
    lm_memory: Annotated[str, Meta(pattern="^[0-9]+[MG]$", description="Sorting memory of lmplz, such as 1G.")] = "1G"
