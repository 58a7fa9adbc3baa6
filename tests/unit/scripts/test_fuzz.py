"""A bounded part of the fuzzer: changed inputs end in a value or in an error of the program's own."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import fuzz_targets

TARGETS = fuzz_targets.targets()
CASES = {"records": 300, "trees": 150, "names": 40, "parquet": 8, "warc": 6, "hf": 1}


@pytest.mark.parametrize("target", TARGETS)
def test_a_changed_input_gives_a_value_or_an_error_of_the_program(target):
    outcomes = set()
    for number in range(CASES.get(target, 50)):
        case = TARGETS[target].make(random.Random(f"{target} suite {number}"))
        outcomes.add(fuzz_targets.outcome(TARGETS[target], case))
    assert outcomes


@pytest.mark.parametrize("target", ["jsonl", "trees", "pages"])
def test_the_fuzzer_sees_a_promise_that_does_not_hold(target, monkeypatch):
    def broken(*_):
        raise fuzz_targets.Broken("never")

    monkeypatch.setattr(type(TARGETS[target]), "check", broken, raising=False)
    if isinstance(TARGETS[target], fuzz_targets.Lines):
        monkeypatch.setattr(TARGETS[target], "check", broken)
    with pytest.raises(fuzz_targets.Broken):
        fuzz_targets.outcome(TARGETS[target], TARGETS[target].make(random.Random(1)))
