"""``quality phenomena``: estimates whether answers need coreference, and compares the estimate with people's labels."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import complete_run, open_pipeline, print_result
from wdw_build.cli.people.annotate import drawn_as
from wdw_build.registry import Backends
from wdw_study import actions


def phenomena(options: argparse.Namespace) -> int:
    """``quality phenomena``: writes the estimates of the drawn problems into the run's folder and prints the shares."""
    pipeline = open_pipeline(options)
    draw = drawn_as(options, task="phenomena")
    estimate = actions.estimate_phenomena(complete_run(pipeline), draw, Backends(pipeline.config), pipeline.progress)
    print_result(options, *estimate)
    return 0
