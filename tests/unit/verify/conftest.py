"""Writes a consistent run, spoils it, and says which checks fail."""

import pytest

from support.consistent_run import articles_of, config, copies, problem, stages_of, write_export, write_stage
from wdw_build.verify import verify


@pytest.fixture
def failing(tmp_path):
    """Write a run and say which checks fail.

    ``problems``: those that differ, by number; ``articles`` and ``stages`` change what follows from them before it is
    written, ``after`` the files.
    """

    def build(problems=None, articles=None, stages=None, after=None, **sections):
        given = config(**sections)
        every = [(problems or {}).get(number) or problem(number) for number in range(10)]
        texts = list({one["id"]: one for one in articles_of([*every, copies(every)])}.values())
        if articles:
            articles({one["id"]: one for one in texts})
        outputs = stages_of(every, texts)
        if stages:
            stages(outputs)
        write_export(tmp_path / "export", outputs, given.export.formats, given.export.names)
        for stage in outputs:
            write_stage(tmp_path / stage, stage, outputs, given)
        if after:
            after(tmp_path)
        build.report = verify(tmp_path, given)
        return [check.name for check in build.report.checks if check.failures]

    return build
