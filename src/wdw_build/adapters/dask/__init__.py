"""Runs tasks on dask.distributed.

``engine`` submits them, ``cluster`` holds the connection, ``joining`` checks the workers, ``worker`` runs a task there.
"""
