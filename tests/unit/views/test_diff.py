"""``diff``: every difference between two runs and no other, with its causes."""

import dataclasses
import json
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stage_runs import stored
from support.toy_pipeline import Named, events, pipeline, ports
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.causes import Cause, SeedChanged, SettingChanged, VersionChanged
from wdw_build.core.store.key_index import key_of
from wdw_build.dataset import open_run
from wdw_build.errors import UsageError
from wdw_build.pipeline import BY_NAME, STAGES
from wdw_build.records import (
    Candidate,
    IndexedArticle,
    Passage,
    Problem,
    ProblemAlternatives,
    Pseudonyms,
    Record,
    Rejection,
    Retrieval,
)
from wdw_build.views import diff
from wdw_build.views.diff import Comparison, Difference, StageDifference, join

QUIET = Progress("quiet")


def made(root, run, backends=None, **changes):
    toy = pipeline(root, backends, run=run, **changes)
    toy.run()
    toy.run(["pseudonyms"])
    return open_run(toy.run_folder, STAGES)


def compared(old, new):
    """(differences, stages) of two runs."""
    comparison = Comparison(old, new)
    groups = list(comparison.groups(QUIET))
    return [difference for group in groups for difference in group], {
        stage.stage: stage for stage in comparison.stages()
    }


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(scope="module")
def base(root):
    return made(root, "base")


def outcomes(run, stage):
    """id -> the line of its record, or else of its first rejection."""
    output = run.outputs[stage]
    found = {rejection.id: jsonl.encode(rejection) for rejection in reversed(list(output.rejections()))}
    return found | {record.id: jsonl.encode(record) for record in output.records()}


def written(run, stage):
    return {record.id: jsonl.encode(record) for record in run.outputs[stage].records()}


def in_memory(old, new):
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
    return ports(reader=Named([article for article in events() if article.id not in ("p03", "q05")], "list 2"))


def other_passage():
    def changed(article):
        return (
            msgspec.structs.replace(article, paragraphs=(*article.paragraphs, "it rained."))
            if article.id == "p04"
            else article
        )

    return ports(reader=Named([changed(article) for article in events()], "list 3"))


CHANGES = {
    "windows": {"retrieve": BY_NAME["retrieve"].config(windows=(2, 14), min_event_score=0.0)},
    "dedup": {"dedup": BY_NAME["dedup"].config(threshold=0.66)},
    "fewer": {"backends": fewer_articles()},
    "passage": {"backends": other_passage()},
}


@pytest.fixture(scope="module", params=CHANGES)
def pair(request, root, base):
    return request.param, base, made(root, request.param, **CHANGES[request.param])


def test_the_differences_are_those_that_a_comparison_in_memory_finds(pair):
    _, old, new = pair
    for earlier, later in ((old, new), (new, old)):
        differences, stages = compared(earlier, later)
        found = {(each.stage, each.id): each.change for each in differences}
        assert found == in_memory(earlier, later)
        assert len(found) == len(differences) > 0
        for name, stage in stages.items():
            counted = Counter(change for (where, _), change in found.items() if where == name)
            assert {change: count for change, count in stage.changes.items() if count} == counted
            assert stage.after - stage.before == stage.changes["added"] - stage.changes["removed"]


def test_every_difference_has_a_recorded_cause_and_begins_in_its_stage_or_an_earlier_one(pair):
    order = list(BY_NAME)
    for difference in compared(*pair[1:])[0]:
        assert difference.why
        assert not any("no recorded cause" in cause for cause in difference.why)
        assert order.index(difference.begins) <= order.index(difference.stage)
        assert bool(difference.fields) == (difference.change in ("changed", "rejected-otherwise"))


# ---- why -------------------------------------------------------------------------------------------------------------


def of(differences, stage, name):
    (found,) = (difference for difference in differences if (difference.stage, difference.id) == (stage, name))
    return found


def test_a_changed_setting_is_the_cause_in_its_stage_and_in_the_stages_after_it(root, base):
    new = made(root, "one-less", dedup=BY_NAME["dedup"].config(threshold=0.66))
    differences, stages = compared(base, new)
    first = next(
        difference for difference in differences if difference.stage == "dedup" and difference.change == "removed"
    )
    assert first.why == ("config dedup.threshold 0.8 -> 0.66",)
    assert first.typed_causes == (SettingChanged(stage="dedup", key="threshold", old=0.8, new=0.66),)
    assert first.before == "written"
    assert first.after.startswith("rejected: duplicate-question (q")
    gone = of(differences, "split", first.id)
    assert (gone.change, gone.begins, gone.why) == ("removed", "dedup", first.why)
    assert stages["choices"].same
    assert stages["dedup"].why == {first.why[0]: stages["dedup"].changes["removed"]}


def test_of_several_changed_settings_the_one_that_the_reason_depends_on_is_the_cause():
    shortest = SettingChanged(stage="questions", key="min_tokens", old=10, new=8)
    longest = SettingChanged(stage="questions", key="max_tokens", old=120, new=99)
    version = VersionChanged(stage="questions", old=1, new=2)
    stage = BY_NAME["questions"]
    assert diff.deciding((shortest, longest), stage, {"sentence-too-long"}) == (longest,)
    assert diff.deciding((shortest, longest), stage, {"name-cut"}) == (shortest, longest)
    assert diff.deciding((version, shortest, longest), stage, {"sentence-too-short"}) == (shortest,)


def unworded_rules(reasons):
    return {name: dataclasses.replace(rule, meaning="?") for name, rule in reasons.items()}


def test_the_causes_do_not_depend_on_the_wording_of_help_texts_and_sentences(root, base, monkeypatch):
    new = made(root, "two-keys", dedup=BY_NAME["dedup"].config(threshold=0.66))
    unworded = [dataclasses.replace(stage, reasons=unworded_rules(stage.reasons)) for stage in STAGES]

    def causes(stages):
        pair = (open_run(run.folder, stages) for run in (base, new))
        return [(found.stage, found.id, found.begins, found.typed_causes) for found in compared(*pair)[0]]

    expected = causes(STAGES)
    monkeypatch.setattr(Cause, "__str__", lambda cause: "?")
    assert causes(unworded) == expected
    in_dedup = {found[3] for found in expected if found[0] == "dedup"}
    assert in_dedup == {(SettingChanged(stage="dedup", key="threshold", old=0.8, new=0.66),)}


def test_a_removed_article_is_the_cause_for_its_own_question_and_for_the_question_that_it_answered(root, base):
    differences, _ = compared(base, made(root, "fewer", fewer_articles()))
    assert of(differences, "ingest", "q05").after == "not there"
    asked = of(differences, "questions", "q05")
    assert (asked.change, asked.begins, asked.why) == ("removed", "ingest", ("ingest: backend reader changed",))
    lost = of(differences, "retrieve", "q03")
    assert lost.change == "removed"
    assert (lost.begins, lost.why) == ("retrieve", ("article p03 removed in ingest",))


def test_a_changed_passage_is_the_cause_for_its_problem(root, base):
    differences, _ = compared(base, made(root, "passage", other_passage()))
    assert of(differences, "ingest", "p04").fields == ("paragraphs",)
    assert not [difference for difference in differences if difference.stage == "questions" and difference.id == "q04"]
    found = of(differences, "choices", "q04")
    assert "passages" in found.fields
    assert found.why == ("article p04 changed in ingest",)


def moved_passage():
    """The passage of q04 has another first paragraph, so that every name in it has another place."""

    def changed(article):
        paragraphs = ("it rained in all towns.", *article.paragraphs)
        return msgspec.structs.replace(article, paragraphs=paragraphs) if article.id == "p04" else article

    return ports(reader=Named([changed(article) for article in events()], "list 4"))


def test_a_passage_whose_names_moved_is_the_cause_for_its_pseudonyms(root, base):
    differences, _ = compared(base, made(root, "moved", moved_passage()))
    found = of(differences, "pseudonyms", "q04")
    assert "passage" in found.fields
    # The longer passage has another BM25 score.
    assert (found.begins, found.why) == ("retrieve", ("article p04 changed in ingest",))


class Tried(Record, frozen=True, kw_only=True):
    """A record of a stage that this package does not know."""

    passage: tuple[str, ...]
    candidates: tuple[str, ...]
    tested: tuple[Candidate, ...]
    source: Passage


def test_articles_are_found_by_the_types_of_the_fields_and_not_by_their_names(base):
    def rules(record, kind):
        return diff.rules_by_article(json.loads(jsonl.encode(record)), kind)

    problem, pseudonyms = base.distinct_problems.find("q04"), base.pseudonyms.find("q04")
    assert rules(problem, Problem) == {("p04", "")}
    assert rules(base.alternatives.find("q04"), ProblemAlternatives) == {("p04", "")}
    assert rules(base.retrievals.find("q04"), Retrieval) >= {("p04", "")}
    assert pseudonyms.passage
    assert rules(pseudonyms, Pseudonyms) == set()
    refused = Candidate(article="p03", date=problem.passage.date, window=1, rank=1, score=1.0, rule="window")
    assert rules(Rejection(id="q04", reason="no-passage", candidates=(refused,)), Rejection) == {("p03", "window")}
    tried = Tried(id="q04", passage=("a",), candidates=("b",), tested=(refused,), source=problem.passage)
    assert rules(tried, Tried) == {("p03", "window"), ("p04", "")}
    assert diff.rules_by_article({}, Tried) == set()


def relabelled(run, folder, stage, **ingredients):
    """The same run, but the manifest of one stage says that it was made from other ingredients."""
    folder.mkdir(parents=True)
    for name in BY_NAME:
        source, target = (run.folder / name).resolve(), folder / name
        if name != stage:
            target.symlink_to(source)
            continue
        shutil.copytree(source, target)
        manifest = json.loads((source / "manifest.json").read_bytes())
        manifest["ingredients"] |= ingredients
        (target / "manifest.json").write_text(json.dumps(manifest))
    return open_run(folder, STAGES)


def test_a_changed_version_and_a_changed_seed_are_causes(base, tmp_path):
    later = relabelled(base, tmp_path / "later", "questions", version=99, seed=5)
    found, version = compared(base, later)[1]["questions"], BY_NAME["questions"].version
    assert found.causes == (f"questions: stage version {version} -> 99", "seed 0 -> 5")
    assert found.typed_causes == (
        VersionChanged(stage="questions", old=version, new=99),
        SeedChanged(old=0, new=5),
    )
    assert found.same


# ---- the join --------------------------------------------------------------------------------------------------------

NAMES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), unique=True, max_size=30)


@given(NAMES, NAMES)
def test_the_join_yields_every_id_of_either_run_once_in_the_order_of_the_keys(old_names, new_names):
    with tempfile.TemporaryDirectory() as folder:
        sides = []
        for number, names in enumerate((old_names, new_names)):
            records = [IndexedArticle(id=name, day=number, words=0) for name in names]
            sides.append({"index": stored(Path(folder, str(number), "index"), IndexedArticle, records)})
        found = list(join(*sides))
    assert [key for key, _ in found] == sorted(map(key_of, {*old_names, *new_names}))
    for key, by_stage in found:
        name = msgspec.json.decode(key)
        assert [entry is not None for entry in by_stage["index"]] == [name in old_names, name in new_names]


# ---- opening a run ----------------------------------------------------------------------------------------------------


def test_a_run_is_opened_by_its_folder_or_by_a_folder_with_one_run(root, base, tmp_path):
    assert open_run(base.folder, STAGES).name == "base"
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "only").symlink_to(base.folder)
    assert open_run(tmp_path, STAGES).outputs["split"].manifest.written > 0
    (tmp_path / "runs" / "second").mkdir()
    with pytest.raises(UsageError, match="has 2 runs"):
        open_run(tmp_path, STAGES)


def test_a_folder_without_outputs_overrides_for_a_folder_and_an_inconsistent_run_are_refused(base, tmp_path):
    with pytest.raises(UsageError, match="no stage output"):
        open_run(tmp_path, STAGES)
    with pytest.raises(UsageError, match="--set changes a configuration"):
        open_run(base.folder, STAGES, ["seed=1"])
    folder = tmp_path / "mixed"
    folder.mkdir()
    for name in BY_NAME:
        if name != "dedup":
            (folder / name).symlink_to((base.folder / name).resolve())
    (folder / "dedup").mkdir()
    manifest = json.loads((base.folder / "dedup" / "manifest.json").read_bytes()) | {"content_hash": "another"}
    (folder / "dedup" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="made from another output of dedup"):
        Comparison(base, open_run(folder, STAGES))


def test_the_json_lines_of_differences_and_stages_are_told_apart_by_their_type(base, root):
    differences, stages = compared(base, made(root, "dedup", dedup=BY_NAME["dedup"].config(threshold=0.66)))
    kinds = Difference | StageDifference
    for line in [*differences, *stages.values()]:
        assert msgspec.json.decode(jsonl.encode(line), type=kinds) == line
