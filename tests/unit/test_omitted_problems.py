"""Problems that are left out after the selection: nothing else changes, and what this does to the bounds is stated."""

import re
from types import SimpleNamespace

import msgspec
import pytest

from support import toy_pipeline as toy
from support.forged_run import forge
from support.toy_pipeline import ListReader, events_with_easy_answers
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.core.progress import Progress
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.settings import CorpusConfig
from wdw_build.ports import EXPORTERS
from wdw_build.rebuild import Keys, compare, rebuild
from wdw_build.selection.settings import SuppressConfig
from wdw_build.stages.export import ExportConfig
from wdw_build.verify import verify
from wdw_build.views import diff
from wdw_build.views.dataset import facts, open_run
from wdw_build.views.datasheet import datasheet
from wdw_build.views.record_page import record_page
from wdw_build.views.summary import summary

SETTINGS = {"suppress": SuppressConfig(), "export": ExportConfig(formats=("jsonl", "wdw-xml", "squad", "keys"))}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A folder with a whole run (``before``), whose other runs share its store."""
    root = tmp_path_factory.mktemp("omitted")
    build(root, "before")
    return root


def listed(root, *names):
    path = root / f"{'-'.join(names)}.jsonl"
    path.write_text("".join(f'{{"id": "{name}", "reason": "no-story"}}\n' for name in names))
    return path


def build(root, name, omitted=(), faulty=()):
    """A run without these problems, and the stages that ran for it."""
    files = {"omitted_problems": omitted, "faulty_problems": faulty}
    paths = {key: tuple(map(str, paths)) for key, paths in files.items()}
    config = toy.config(root, run=name, corpus=CorpusConfig(reader="list", path="nowhere", **paths), **SETTINGS)
    reader = ListReader(events_with_easy_answers(), "easy")
    left_out = {key: FaultyProblemFiles(paths, f"corpus.{key}") for key, paths in files.items()}
    ports = toy.ports(reader=reader, exporters=Backends(config).get(EXPORTERS), **left_out)
    made = toy.Pipeline(config, Progress("quiet"), ports)
    given = {"ran": made.run(), "config": config, "reader": reader, "folder": made.run_folder}
    return SimpleNamespace(run=open_run(made.run_folder), **given)


def lines(run):
    """File -> its lines, of the formats with a line for each problem."""
    folder = run.exported.output.folder
    files = [*folder.glob("jsonl/*.jsonl"), folder / "keys/problems.jsonl"]
    return {path.name: path.read_bytes().splitlines() for path in files}


def ids(run):
    return [assignment.id for assignment in run.assignments]


def rejection_of(run, name, stage):
    """Reason and detail with which a stage rejected a problem, as its page shows it."""
    (rejection,) = next(outcome for outcome in record_page(run, name).stages if outcome.stage == stage).rejections
    return rejection.reason, rejection.detail


def test_the_other_problems_stay_byte_for_byte_where_they_were(store):
    before = build(store, "before")
    names = ("q00", "q08")
    after = build(store, "less", [listed(store, *names)])
    assert after.ran == ["split", "export"]
    for file, kept in lines(before.run).items():
        assert lines(after.run)[file] == [line for line in kept if not any(name.encode() in line for name in names)]
    assert ids(after.run) == [name for name in ids(before.run) if name not in names]
    rejected = {one.id: one.detail for one in after.run.assignments.rejections("omitted")}
    assert rejected == dict.fromkeys(names, "no-story")


def test_more_can_be_left_out_later_and_everything_comes_back(store):
    first, second = listed(store, "q00"), listed(store, "q08")
    whole = build(store, "round")
    assert set(ids(build(store, "round", [first]).run)) == set(ids(whole.run)) - {"q00"}
    assert set(ids(build(store, "round", [first, second]).run)) == set(ids(whole.run)) - {"q00", "q08"}
    anew = build(store, "round", faulty=[first])
    assert "suppress" in anew.ran
    assert "choices" not in anew.ran
    assert "q00" not in ids(anew.run)
    assert not list(anew.run.assignments.rejections("omitted"))
    counted = facts(anew.run)
    assert (counted.rejections["dedup"], counted.faulty) == ({"faulty": 1}, {"no-story": 1})
    assert rejection_of(anew.run, "q00", "dedup") == ("faulty", "no-story")
    causes = {stage.stage: stage.causes for stage in diff.stages(whole.run, anew.run) if not stage.same}
    assert causes["dedup"] == ("dedup: backend faulty_problems changed",)
    assert set(ids(build(store, "round", [second], [first]).run)) == set(ids(anew.run)) - {"q08"}
    assert lines(build(store, "round").run) == lines(whole.run)


def test_the_summary_states_how_far_each_bound_is_off_as_a_recount_finds(store):
    assert facts(build(store, "before").run).bounds_without_omitted == ()
    after = build(store, "off", [listed(store, "q00", "q02")])
    counted = facts(after.run)
    systems = next(iter(after.run.predictions)).guesses
    for level in ("strict", "relaxed"):
        left = [one for one in after.run.decisions if one.id not in ("q00", "q02")]
        left = [one for one in left if one.strict or level == "relaxed"]
        stated = {one.name: one for one in counted.bounds_without_omitted if one.level == level}
        for column, system in enumerate(systems):
            right = sum(one.cell[column] == "1" for one in left)
            most = len(left) / 2 + 0.5
            bound = stated[f"{system}, 2 choices"]
            assert (bound.problems, bound.count, bound.high) == (10, right, most)
            assert bound.low == (most - 1 if level == "strict" else None)
            assert bound.excess == (-0.5 if level == "strict" else 0.0)
    places = [one for one in counted.bounds_without_omitted if one.name.startswith("place")]
    assert sum(one.count for one in places) == 2 * len([one for one in after.run.decisions if one.strict]) - 4
    text = summary(counted)
    assert re.search(r"most-frequent, 2 choices +strict +10 +4 +4.50 to 5.50 +-0.50", text)
    assert "2 selected problems were left out afterwards (corpus.omitted_problems): 4 of" in text
    assert "off, by at most 0.50 problems." in text
    assert counted.faulty == {"no-story": 2}
    assert counted.table2.baselines["unigram"].after.strict == 0.4
    assert "2 selected problems were left out afterwards" in datasheet(counted, after.config, [])


def test_verify_accepts_what_was_left_out_and_still_finds_a_breach(store):
    after = build(store, "verified", [listed(store, "q00", "q02")])
    assert verify(after.folder, after.config).ok
    other = msgspec.structs.replace(after.config, corpus=build(store, "before").config.corpus)
    assert failing(after.folder, other) == ["omissions"]
    more = msgspec.structs.replace(after.config.corpus, omitted_problems=(str(listed(store, "q00", "q02", "q04")),))
    assert failing(after.folder, msgspec.structs.replace(after.config, corpus=more)) == ["omissions"]


def test_verify_finds_a_breach_of_the_selection_behind_omitted_problems(tmp_path):
    """A problem that a baseline solves by the predictions is added to the strict ones."""
    after = build(tmp_path, "breach", [listed(tmp_path, "q00")])

    def solve(records):
        for record in records[:4]:
            record["guesses"] = dict.fromkeys(record["guesses"], record["answer"])

    forge(after.folder, "adversary", solve)
    assert "strict-bound" in failing(after.folder, after.config)


def failing(folder, config):
    return [check.name for check in verify(folder, config).checks if check.failures]


def test_keys_rebuild_to_the_same_bytes(store, tmp_path):
    after = build(store, "keys", [listed(store, "q00", "q08")])
    exported = after.run.exported.output.folder
    keys = Keys(exported / "keys")
    assert not rebuild(keys, after.reader, tmp_path, Progress("quiet"))
    compare(keys, tmp_path)
    for path in exported.glob("jsonl/*.jsonl"):
        assert (tmp_path / "jsonl" / path.name).read_bytes() == path.read_bytes()


def test_trace_and_diff_say_that_a_problem_was_left_out_and_why(store):
    before, after = build(store, "before"), build(store, "traced", [listed(store, "q08")])
    assert rejection_of(after.run, "q08", "split") == ("omitted", "no-story")
    assert next(one for one in record_page(after.run, "q08").stages if one.stage == "suppress").record is not None
    changed = {stage.stage: stage for stage in diff.stages(before.run, after.run) if not stage.same}
    assert list(changed) == ["split", "export"]
    assert changed["split"].causes == ("split: backend omitted_problems changed",)
    found = list(diff.differences(changed["split"], before.run, after.run, Progress("quiet")))
    assert [(one.id, one.before, one.after) for one in found] == [("q08", "written", "rejected: omitted")]
