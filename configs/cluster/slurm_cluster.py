"""Starts a Dask scheduler and keeps up to 16 Slurm jobs of 32 workers each: change the queue, interface and paths.

See docs/howto/cluster.md. It runs until it is ended; its jobs end with it.
"""

import threading

from dask_jobqueue import SLURMCluster
from distributed import Client

if __name__ == "__main__":
    cluster = SLURMCluster(
        queue="standard",
        cores=32,
        processes=32,  # as many as cores: one thread for each worker
        memory="96GB",
        walltime="04:00:00",
        interface="ib0",
        local_directory="/scratch/dask",
        python="/shared/venv/bin/python",
        scheduler_options={"interface": "ib0", "dashboard_address": ":8787"},
        # Workers leave before the job ends, so that no task is cut off.
        worker_extra_args=["--lifetime", "225m", "--lifetime-stagger", "4m"],
    )
    Client(cluster).write_scheduler_file("/shared/scheduler.json")
    cluster.adapt(minimum_jobs=1, maximum_jobs=16)
    threading.Event().wait()
