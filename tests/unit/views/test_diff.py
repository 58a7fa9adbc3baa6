"""diff: every difference between two runs and no other, with the reason why."""

import json
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stage_runs import stored
from support.toy_pipeline import Named, events, pipeline, ports
from wdw_build.core.run.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store import rejection_index as rejected
from wdw_build.core.store.key_index import KeyFile, key_of
from wdw_build.errors import UsageError
from wdw_build.pipeline import BY_NAME
from wdw_build.records import IndexedArticle, Rejection
from wdw_build.views.diff import Comparison, Difference, StageDifference, open_run, why
from wdw_build.views.diff.join import join

QUIET = Progress("quiet")


def made(root, run, backends=None, **changes):
    toy = pipeline(root, backends, run=run, **changes)
    toy.run()
    return open_run(toy.run_folder, BY_NAME.values())


def compared(old, new):
    """(differences, stages) of two runs."""
    comparison = Comparison(old, new, BY_NAME)
    groups = list(comparison.groups(QUIET))
    return [one for group in groups for one in group], {one.stage: one for one in comparison.stages()}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def base(root):
    return made(root, "base")


def outcomes(run, stage):
    """id -> the line of its record, or else of its first rejection."""
    output = run.outputs[stage]
    found = {one.id: jsonl.encode(one) for one in reversed(list(output.rejections()))}
    return found | {one.id: jsonl.encode(one) for one in output.records()}


def written(run, stage):
    return {one.id: jsonl.encode(one) for one in run.outputs[stage].records()}


def by_brute_force(old, new):
    """(stage, id) -> kind of change, from everything in memory."""
    found = {}
    for stage in BY_NAME:
        was, now, all_was, all_now = (
            written(old, stage),
            written(new, stage),
            outcomes(old, stage),
            outcomes(new, stage),
        )
        found |= {(stage, name): "added" for name in now.keys() - was.keys()}
        found |= {(stage, name): "removed" for name in was.keys() - now.keys()}
        found |= {(stage, name): "changed" for name in was.keys() & now.keys() if was[name] != now[name]}
        both = (all_was.keys() & all_now.keys()) - was.keys() - now.keys()
        found |= {(stage, name): "rejected-otherwise" for name in both if all_was[name] != all_now[name]}
    return found


# ---- what differs ----------------------------------------------------------------------------------------------------


def test_a_run_does_not_differ_from_itself(base):
    differences, stages = compared(base, base)
    assert differences == []
    assert all(stage.same and not stage.causes for stage in stages.values())


def fewer_articles():
    return ports(reader=Named([one for one in events() if one.id not in ("p03", "q05")], "list 2"))


def other_passage():
    def changed(one):
        return msgspec.structs.replace(one, paragraphs=(*one.paragraphs, "it rained.")) if one.id == "p04" else one

    return ports(reader=Named([changed(one) for one in events()], "list 3"))


CHANGES = {
    "windows": {"retrieve": BY_NAME["retrieve"].config(windows=(2, 14), min_event_score=0.0)},
    "dedup": {"dedup": BY_NAME["dedup"].config(threshold=0.66)},
    "fewer": {"backends": fewer_articles()},
    "passage": {"backends": other_passage()},
}


@pytest.fixture(scope="module", params=CHANGES)
def pair(request, root, base):
    return request.param, base, made(root, request.param, **CHANGES[request.param])


def test_the_differences_are_those_that_a_comparison_of_everything_finds(pair):
    _, old, new = pair
    for one, other in ((old, new), (new, old)):
        differences, stages = compared(one, other)
        found = {(each.stage, each.id): each.change for each in differences}
        assert found == by_brute_force(one, other)
        assert len(found) == len(differences) > 0
        for name, stage in stages.items():
            counted = Counter(change for (where, _), change in found.items() if where == name)
            assert {change: count for change, count in stage.changes.items() if count} == counted
            assert stage.after - stage.before == stage.changes["added"] - stage.changes["removed"]


def test_every_difference_has_a_reason_that_is_recorded_and_begins_in_its_stage_or_before(pair):
    order = list(BY_NAME)
    for one in compared(*pair[1:])[0]:
        assert one.why
        assert not any("nothing that is recorded" in cause for cause in one.why)
        assert order.index(one.begins) <= order.index(one.stage)
        assert bool(one.fields) == (one.change in ("changed", "rejected-otherwise"))


# ---- why -------------------------------------------------------------------------------------------------------------


def of(differences, stage, name):
    (found,) = (one for one in differences if (one.stage, one.id) == (stage, name))
    return found


def test_a_changed_key_is_the_reason_in_its_stage_and_in_those_after_it(root, base):
    new = made(root, "one-less", dedup=BY_NAME["dedup"].config(threshold=0.66))
    differences, stages = compared(base, new)
    first = next(one for one in differences if one.stage == "dedup" and one.change == "removed")
    assert first.why == ("config dedup.threshold 0.8 -> 0.66",)
    assert first.before == "written"
    assert first.after.startswith("rejected: duplicate-question (q")
    gone = of(differences, "split", first.id)
    assert (gone.change, gone.begins, gone.why) == ("removed", "dedup", first.why)
    assert stages["choices"].same
    assert stages["dedup"].why == {first.why[0]: stages["dedup"].changes["removed"]}


def test_of_several_changed_keys_the_one_that_the_reason_names_is_given():
    keys = ("config questions.min_tokens 10 -> 8", "config questions.max_tokens 120 -> 99")
    stage = BY_NAME["questions"]
    assert why.narrowed(keys, stage, {"sentence-too-long"}) == keys[1:]
    assert why.narrowed(keys, stage, {"name-cut"}) == keys
    assert why.narrowed(("questions: stage version 1 -> 2", *keys), stage, {"sentence-too-short"}) == keys[:1]


def test_an_article_that_is_gone_is_the_reason_for_its_question_and_for_the_one_it_answered(root, base):
    differences, _ = compared(base, made(root, "fewer", fewer_articles()))
    assert of(differences, "ingest", "q05").after == "not there"
    asked = of(differences, "questions", "q05")
    assert (asked.change, asked.begins, asked.why) == ("removed", "ingest", ("ingest: backend reader changed",))
    lost = of(differences, "retrieve", "q03")
    assert lost.change == "removed"
    assert (lost.begins, lost.why) == ("retrieve", ("article p03 removed in ingest",))


def test_a_passage_that_changed_is_the_reason_for_its_problem(root, base):
    differences, _ = compared(base, made(root, "passage", other_passage()))
    assert of(differences, "ingest", "p04").fields == ("paragraphs",)
    assert not [one for one in differences if one.stage == "questions" and one.id == "q04"]
    found = of(differences, "choices", "q04")
    assert "passage" in found.fields
    assert found.why == ("article p04 changed in ingest",)


def test_another_version_and_another_seed_are_named(root, base, tmp_path):
    folder = tmp_path / "runs" / "later"
    folder.mkdir(parents=True)
    for name in BY_NAME:
        source = (base.folder / name).resolve()
        target = folder / name
        if name != "questions":
            target.symlink_to(source)
            continue
        target.mkdir()
        for path in source.iterdir():
            (target / path.name).write_bytes(path.read_bytes())
        manifest = json.loads((source / "manifest.json").read_bytes())
        manifest["ingredients"] |= {"version": 99, "seed": 5}
        (target / "manifest.json").write_text(json.dumps(manifest))
    stages = compared(base, open_run(folder, BY_NAME.values()))[1]
    version = BY_NAME["questions"].version
    assert stages["questions"].causes == (f"questions: stage version {version} -> 99", "seed 0 -> 5")
    assert stages["questions"].same, "nothing came of it"


# ---- the join --------------------------------------------------------------------------------------------------------

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), unique=True, max_size=30)


@given(NAMES, NAMES)
def test_the_join_gives_every_id_of_either_side_once_in_the_order_of_the_keys(one, other):
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for number, names in enumerate((one, other)):
            records = [IndexedArticle(id=name, day=number, words=0) for name in names]
            sides.append({"index": stored(Path(folder, str(number), "index"), IndexedArticle, records)})
        found = list(join(*sides))
    assert [key for key, _ in found] == sorted(map(key_of, {*one, *other}))
    for key, by_stage in found:
        name = msgspec.json.decode(key)
        assert [place is not None for place in by_stage["index"]] == [name in one, name in other]


@given(NAMES)
def test_the_places_of_rejections_stand_in_the_order_of_their_keys_and_lead_to_their_lines(names):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, rejected.REJECTIONS)
        path.write_bytes(b"".join(jsonl.encode(Rejection(id=name, reason="r")) for name in names))
        rejected.write_keys(Path(folder))
        found = list(rejected.places(Path(folder)))
        text = path.read_bytes()
    assert [key for key, *_ in found] == sorted(map(key_of, names))
    for key, offset, length in found:
        assert key_of(json.loads(text[offset : offset + length])["id"]) == key


def test_an_output_without_the_key_file_of_its_rejections_says_how_to_make_it(tmp_path):
    with pytest.raises(UsageError, match=r"rejections\.keys"):
        next(rejected.places(tmp_path))


def test_a_key_file_is_read_in_order(tmp_path):
    (tmp_path / "keys").write_bytes(b'"a"\t0\t0\t5\n"b c"\t1\t5\t7\n')
    assert list(KeyFile(tmp_path / "keys")) == [(b'"a"', (0, 0, 5)), (b'"b c"', (1, 5, 7))]
    (tmp_path / "none").write_bytes(b"")
    assert list(KeyFile(tmp_path / "none")) == []


# ---- naming a run ----------------------------------------------------------------------------------------------------


def test_a_run_is_named_by_its_folder_or_by_a_folder_with_one_run(root, base, tmp_path):
    assert open_run(base.folder, BY_NAME.values()).name == "base"
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "only").symlink_to(base.folder)
    assert open_run(tmp_path, BY_NAME.values()).outputs["split"].manifest.written > 0
    (tmp_path / "runs" / "second").mkdir()
    with pytest.raises(UsageError, match="has 2 runs"):
        open_run(tmp_path, BY_NAME.values())


def test_a_folder_that_is_no_run_a_run_in_pieces_and_keys_for_a_folder_are_refused(base, tmp_path):
    with pytest.raises(UsageError, match="no stage output"):
        open_run(tmp_path, BY_NAME.values())
    with pytest.raises(UsageError, match="--set changes a configuration"):
        open_run(base.folder, BY_NAME.values(), ["seed=1"])
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in BY_NAME:
        if name != "dedup":
            (folder / name).symlink_to((base.folder / name).resolve())
    (folder / "dedup").mkdir()
    manifest = json.loads((base.folder / "dedup" / "manifest.json").read_bytes()) | {"content": "another"}
    (folder / "dedup" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="made from another output of dedup"):
        open_run(folder, BY_NAME.values())


def test_lines_of_json_tell_differences_from_stages(base, root):
    differences, stages = compared(base, made(root, "dedup", dedup=BY_NAME["dedup"].config(threshold=0.66)))
    kinds = Difference | StageDifference
    for one in [*differences, *stages.values()]:
        assert msgspec.json.decode(jsonl.encode(one), type=kinds) == one
