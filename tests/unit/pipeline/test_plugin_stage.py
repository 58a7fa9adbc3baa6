"""The stage of the page "Add a stage", installed as a package, is part of every command."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import plugin_run
from support.interpreter import python
from wdw_build.errors import ConfigError
from wdw_build.pipeline.stage_order import BUILT_IN, BY_NAME, chain

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "howto" / "add-a-stage.md"


def install(site):
    """The code of the page as a package with its entry point, in a folder."""
    code = re.search(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    entry = re.search(r"^```toml\n.*?\n(cap = .*?)\n```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    info = site / "wdw_cap-1.dist-info"
    info.mkdir(parents=True)
    (site / "wdw_cap.py").write_text(code[1], encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: wdw-cap\nVersion: 1\n", encoding="utf-8")
    points = f"[wdw_build.stages]\n{entry[1].replace(chr(34), '')}\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the commands ran."""
    folder = tmp_path_factory.mktemp("plugin")
    install(folder / "site")
    config = plugin_run.write_config(folder)
    paths = [folder / "site", ROOT / "src", ROOT / "tests"]
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "NO_COLOR": "1"}
    python(plugin_run.__file__, config, folder / "answers", cwd=folder, env=variables, timeout=120)
    return folder


@pytest.fixture(scope="module")
def answers(folder):
    """What each command did: its exit code, stdout and stderr."""

    def answer(at):
        out, err = (at / "out").read_text(), (at / "err").read_text()
        return SimpleNamespace(code=int((at / "code").read_text()), out=out, err=err)

    return {name: answer(folder / "answers" / name) for name in plugin_run.COMMANDS}


@pytest.mark.parametrize("command", ["dry-run", "all", "status", "inspect", "report", "verify", "trace"])
def test_every_command_succeeds(answers, command):
    assert answers[command].code == 0, answers[command].err


def test_the_stage_runs_after_the_stage_that_it_reads_and_no_other_stage_reads_it(answers):
    plan = {row["stage"]: row["reasons"] for row in json.loads(answers["dry-run"].out)["plan"]}
    order = list(plan)
    assert order.index("cap") == order.index("dedup") + 1
    assert plan["cap"] == ["dedup will run"]
    assert plan["baselines"] == ["dedup will run", "ingest will run"]


def test_an_estimate_has_a_row_for_it(answers):
    rows = {row["stage"]: row for row in json.loads(answers["dry-run"].out)["estimate"]["rows"]}
    assert rows["cap"]["read"] == rows["dedup"]["written"] > 0
    assert rows["baselines"]["read"] == rows["dedup"]["written"]


def test_inspect_and_trace_show_its_reason_with_the_record(answers):
    assert "passage-used-up" in answers["inspect"].out
    assert "second" in answers["inspect"].out
    assert "cap.most articles with this first passage were kept before" in answers["trace"].out


def test_the_report_and_the_summary_show_it_in_the_funnel_and_among_the_reasons(answers, folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "cap.most articles with this first passage were kept before" in page


def test_verify_names_its_damaged_part(answers):
    lost = answers["verify without the last record"]
    assert lost.code == 4
    assert re.search(r"cap/part-00000\.jsonl: has \d+ bytes, but \d+ were written", lost.out)


def test_its_section_refuses_unknown_keys_and_wrong_values(answers):
    assert answers["unknown key"].code == 2
    assert "unknown key 'cap.moste'" in answers["unknown key"].err
    assert "did you mean 'most'?" in answers["unknown key"].err
    assert answers["wrong value"].code == 2
    assert "cap.most" in answers["wrong value"].err


# ---- the place of a plug-in in the chain ----


def plugin(name, *reads):
    return replace(BY_NAME["dedup"], name=name, reads=reads)


def test_a_plug_in_changes_no_other_stage():
    stages = chain(BUILT_IN, [plugin("measure", "dedup", "ingest")])
    assert [stage.name for stage in stages][7:10] == ["dedup", "measure", "baselines"]
    assert [stage for stage in stages if stage.name != "measure"] == list(BUILT_IN)


def test_a_plug_in_may_read_another_one_whatever_their_names():
    order = [stage.name for stage in chain(BUILT_IN, [plugin("a", "b"), plugin("b", "dedup")])]
    assert order.index("dedup") < order.index("b") < order.index("a") < order.index("baselines")


def test_a_plug_in_that_does_not_fit_is_refused():
    with pytest.raises(ConfigError, match="plug-in stage 'a' reads nowhere, which does not exist"):
        chain(BUILT_IN, [plugin("a", "nowhere")])
    with pytest.raises(ConfigError, match="two stages are called 'sentences'"):
        chain(BUILT_IN, [plugin("sentences", "dedup")])


@pytest.mark.parametrize("stage", BUILT_IN, ids=lambda stage: stage.name)
def test_the_rules_of_a_stage_name_keys_of_its_section(stage):
    keys = {key for rule in (*stage.reasons.values(), *stage.rules.values()) for key in rule.keys}
    assert keys <= set(stage.config.__struct_fields__)
