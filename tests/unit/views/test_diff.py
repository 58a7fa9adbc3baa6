"""``diff``: every difference between two runs and no other, and what the stages were made from."""

import json
import shutil

import msgspec
import pytest

from support import make
from support.stage_runs import stored
from support.toy_pipeline import ListReader, events, ports, run_of
from wdw_build.cli.views import _texts
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Cause
from wdw_build.errors import UsageError
from wdw_build.pipeline.stage_order import BY_NAME
from wdw_build.records import Question
from wdw_build.views.dataset import open_run
from wdw_build.views.diff import StageDifference, differences, stages


def compared(old, new):
    """The differences, and the stages by name."""
    found = {stage.stage: stage for stage in stages(old, new)}
    return [one for stage in found.values() for one in differences(stage, old, new, Progress("quiet"))], found


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def base(root):
    return run_of(root, run="base")


def written(run, stage):
    return {record.id: jsonl.encode(record) for record in run.outputs[stage].records()}


def rejected(run, stage):
    first = {rejection.id: jsonl.encode(rejection) for rejection in reversed(list(run.outputs[stage].rejections()))}
    return {name: line for name, line in first.items() if name not in written(run, stage)}


def in_memory(old, new):
    """(stage, id) of every difference, from everything in memory."""
    found = set()
    for stage in old.outputs:
        was, now = written(old, stage), written(new, stage)
        found |= {(stage, name) for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
        no, neither = rejected(old, stage), rejected(new, stage)
        found |= {(stage, name) for name in no.keys() & neither.keys() if no[name] != neither[name]}
    return found


OTHER_PASSAGE = [
    msgspec.structs.replace(article, paragraphs=(*article.paragraphs, "it rained.")) if article.id == "p04" else article
    for article in events()
]
FEWER = [article for article in events() if article.id not in ("p03", "q05")]
CHANGES = {
    "windows": {"retrieve": BY_NAME["retrieve"].config(windows=(2, 14), min_event_score=0.0, min_passage_words=0)},
    "dedup": {"dedup": BY_NAME["dedup"].config(threshold=0.66)},
    "fewer": {"backends": ports(reader=ListReader(FEWER, "list 2"))},
    "passage": {"backends": ports(reader=ListReader(OTHER_PASSAGE, "list 3"))},
}


def test_a_run_does_not_differ_from_itself(base):
    found, by_stage = compared(base, base)
    assert found == []
    assert all(stage.same and not stage.causes for stage in by_stage.values())


@pytest.mark.parametrize("change", CHANGES)
def test_the_differences_are_those_that_a_comparison_in_memory_finds(root, base, change):
    new = run_of(root, run=change, **CHANGES[change])
    for earlier, later in ((base, new), (new, base)):
        found, _ = compared(earlier, later)
        assert {(each.stage, each.id) for each in found} == in_memory(earlier, later)
        assert all(bool(each.fields) == ((each.before == "written") == (each.after == "written")) for each in found)


def test_a_difference_says_stage_id_before_and_after_and_its_stage_the_changed_setting(root, base):
    found, by_stage = compared(base, run_of(root, run="dedup", **CHANGES["dedup"]))
    (first, *_) = (each for each in found if each.stage == "dedup")
    assert (first.before, first.after, first.fields) == ("written", "rejected: duplicate-question", ())
    (gone,) = (each for each in found if (each.stage, each.id) == ("split", first.id))
    assert (gone.before, gone.after) == ("written", "not there")
    assert by_stage["dedup"].causes == ("config dedup.threshold 0.8 -> 0.66",)
    (cause,) = by_stage["dedup"].typed_causes
    assert cause == Cause(kind="setting", stage="dedup", name="threshold", old=0.8, new=0.66)
    assert by_stage["choices"].same


def test_a_changed_record_names_its_fields(root, base):
    found, _ = compared(base, run_of(root, run="passage", **CHANGES["passage"]))
    (article,) = (each for each in found if each.stage == "ingest")
    assert (article.id, article.before, article.after, article.fields) == ("p04", "written", "written", ("paragraphs",))


def relabelled(run, folder, stage, **ingredients):
    """The same run, but the manifest of one stage says that it was made from other ingredients."""
    folder.mkdir(parents=True)
    for name in run.outputs:
        source, target = (run.folder / name).resolve(), folder / name
        if name != stage:
            target.symlink_to(source)
            continue
        shutil.copytree(source, target)
        manifest = json.loads((source / "manifest.json").read_bytes())
        manifest["ingredients"] |= ingredients
        (target / "manifest.json").write_text(json.dumps(manifest))
    return open_run(folder)


def test_a_changed_version_and_a_changed_seed_are_causes(base, tmp_path):
    found = compared(base, relabelled(base, tmp_path / "later", "questions", version=99, seed=5))[1]["questions"]
    version = BY_NAME["questions"].version
    assert found.causes == (f"questions: stage version {version} -> 99", "seed 0 -> 5")
    of_version = Cause(kind="version", stage="questions", old=version, new=99)
    assert found.typed_causes == (of_version, Cause(kind="seed", old=0, new=5))
    assert found.same


def test_records_of_an_earlier_version_with_other_fields_are_compared(base, tmp_path):
    earlier = relabelled(base, tmp_path / "earlier", "questions", version=1)
    folder = earlier.folder / "questions"
    (part,) = folder.glob("part-*.jsonl")
    lines = [json.loads(line) | {"no_longer": 1} for line in part.read_bytes().splitlines()]
    shutil.rmtree(folder)
    stored(folder, Question, lines)
    stage = StageDifference(stage="questions", same=False, causes=(), typed_causes=())
    found = list(differences(stage, open_run(earlier.folder), base, Progress("quiet")))
    assert {each.fields for each in found if each.after == "written"} == {("no_longer",)}


def test_a_run_whose_stages_do_not_fit_together_is_refused(base, tmp_path):
    folder = relabelled(base, tmp_path / "mixed", "dedup").folder
    manifest = folder / "dedup" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"content_hash": "another"}))
    with pytest.raises(UsageError, match="made from another output of dedup"):
        stages(base, open_run(folder))


# ---- texts of a problem ----------------------------------------------------------------------------------------------


def test_a_problem_is_changed_by_its_texts_and_not_by_its_sources_and_scores():
    problem = make.met("q", ("Ann Ames", "Bob Beck"))
    passage = msgspec.structs.replace(problem.passage, source="Other")
    same = msgspec.structs.replace(problem, passage=passage, score=problem.score + 1, event_score=0.5)
    assert _texts(same) == _texts(problem) != _texts(None)
    other = msgspec.structs.replace(passage, text="Other.")
    for changes in ({"passage": other}, {"answer": 1}, {"choices": problem.choices[:1]}):
        assert _texts(msgspec.structs.replace(problem, **changes)) != _texts(problem)
