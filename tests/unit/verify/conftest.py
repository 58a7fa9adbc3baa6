"""A copy of a stored run, which a test may forge."""

import pytest

from support.forged_run import copied


@pytest.fixture
def run(tmp_path):
    copied(tmp_path)
    return tmp_path
