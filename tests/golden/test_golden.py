"""The golden corpus gives, stage by stage, what was accepted (see README.md); the real components make it."""

import difflib

import accept
import pytest

pytestmark = pytest.mark.real
HOW = "if this is meant: raise the stage's version, note it in CHANGELOG.md, run python tests/golden/accept.py"


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    return accept.collect(accept.build(tmp_path_factory.mktemp("golden")))


def test_the_golden_files_are_those_that_were_accepted(found):
    assert sorted(found) == sorted(accept.expected()), HOW


@pytest.mark.parametrize("stage", [*accept.STAGES, "export"])
def test_a_stage_gives_what_was_accepted(found, stage):
    for name, wanted in accept.expected().items():
        if name.startswith(f"{stage}/"):
            changed = difflib.unified_diff(wanted.splitlines(), found[name].splitlines(), "accepted", "now", n=0)
            assert found[name] == wanted, "\n".join([f"{name}: {HOW}", *changed])
