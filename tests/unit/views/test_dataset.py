"""dataset: one view of a run, finished or not; problems joined by id and in a stream; samples."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.stage_runs import stored
from support.toy_pipeline import ListReader, events_with_easy_answers, pipeline, ports, run_of
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.errors import UsageError
from wdw_build.pipeline.stage_order import ON_DEMAND, STAGES
from wdw_build.records import Problem, Retrieval, SuppressionDecision
from wdw_build.stages import dedup, problems, questions, retrieve, suppress
from wdw_build.text.settings import RetrieveConfig
from wdw_build.views.dataset import HashSample, Table, open_run


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


def articles():
    """The toy corpus with easy answers, and a copied article, which no question takes as passage."""
    first, *others = events_with_easy_answers()
    copy = msgspec.structs.replace(first, id="copy", paragraphs=(*first.paragraphs, "it was printed again."))
    return [first, copy, *others]


@pytest.fixture(scope="module")
def run(root):
    """A whole run in which suppression rejects some articles."""
    backends = ports(reader=ListReader(articles(), "dataset"))
    return run_of(root, backends, suppress=suppress.STAGE.config(bounds="pooled", strict=0.3, relaxed=0.4, min_kept=1))


@pytest.fixture(scope="module")
def unfinished(root):
    toy = pipeline(root, run="unfinished")
    toy.run([questions.STAGE.name])
    return open_run(toy.run_folder)


# ---- opening ---------------------------------------------------------------------------------------------------------


def test_a_table_has_a_row_for_each_problem_with_the_answer_by_name(run):
    frame = run.to_pandas()
    expected = [(joined.id, joined.answer, joined.part) for joined in run.problems()]
    assert list(zip(frame["id"], frame["answer"], frame["split"], strict=True)) == expected
    assert (frame["passage.date"] - frame["date"]).dt.days.between(-14, 14).all()


def test_an_unfinished_run_is_opened_and_says_what_it_lacks(unfinished):
    assert unfinished.questions.exists
    assert len(unfinished.questions) == 12
    assert not unfinished.distinct_problems.exists
    assert (len(unfinished.distinct_problems), unfinished.problem("q00")) == (0, None)
    states = {outcome.table.name: outcome.state for outcome in unfinished.history("q00").outcomes}
    assert states["problems"] == "not-run"
    with pytest.raises(UsageError, match="run 'unfinished' has no output of problems"):
        list(unfinished.problems())
    with pytest.raises(UsageError, match="has no output of index"):
        unfinished.require_complete()


def test_a_whole_run_is_complete(run):
    assert run.require_complete() is run
    always_run = [table for table in run.tables.values() if table.name not in ON_DEMAND]
    assert all(table.exists and not run.changed_inputs(table) for table in always_run)


def test_stages_after_one_that_ran_again_with_another_result_are_stale(root):
    run = run_of(root, run="stale")
    assert run.stale == []
    names = [stage.name for stage in STAGES if stage.name not in ON_DEMAND]
    pipeline(root, run="stale", dedup=dedup.STAGE.config(threshold=0.66)).run(["dedup"])
    assert open_run(run.folder).stale == names[names.index("dedup") + 1 :]


def test_a_run_stays_as_it_was_opened_when_a_later_one_replaces_its_links(root):
    toy = pipeline(root, run="twice")
    toy.run([questions.STAGE.name])
    before = open_run(toy.run_folder)
    pipeline(root, run="twice", questions=questions.STAGE.config(min_tokens=60)).run([questions.STAGE.name])
    assert len(before.questions) == 12
    assert len(open_run(toy.run_folder).questions) == 0


@pytest.mark.parametrize(
    ("unknown", "rank_by", "most"),
    [({}, "bm25", 3), ({"of_another_version": 1}, "event", RetrieveConfig().max_candidates)],
)
def test_the_settings_are_those_of_the_output_as_far_as_this_version_knows_them(tmp_path, unknown, rank_by, most):
    output = stored(tmp_path / "retrieve", Retrieval, [])
    config = {"rank_by": "bm25", "max_candidates": 3} | unknown
    ingredients = msgspec.structs.replace(output.manifest.ingredients, config=config)
    forged = msgspec.structs.replace(output.manifest, ingredients=ingredients)
    replace_file(output.folder / "manifest.json", jsonl.document(forged))
    settings = Table("run", retrieve.STAGE, type(output)(output.folder, Retrieval)).settings
    assert (settings.rank_by, settings.max_candidates) == (rank_by, most)


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_records_are_found_by_id_and_in_order(run):
    ids = [question.id for question in run.questions]
    assert len(ids) == len(set(ids)) == len(run.questions)
    assert [run.questions[record_id].id for record_id in ids] == ids
    assert ids[0] in run.questions
    assert "nobody" not in run.questions
    with pytest.raises(KeyError, match="questions of run 'toy' has no record 'nobody'"):
        run.questions["nobody"]


def test_rejections_are_found_by_id_and_by_reason(run):
    (rejection,) = run.articles.rejections_of("undated")
    assert rejection in list(run.articles.rejections("no-date"))
    assert list(run.articles.rejections("duplicate-id")) == []
    assert run.articles.all_of("undated") == [rejection]
    assert run.meaning(rejection.reason) == run.articles.stage.reasons["no-date"].meaning


# ---- joined problems -------------------------------------------------------------------------------------------------


def test_the_stream_of_joined_problems_says_the_same_as_look_ups_by_id(run):
    joined = list(run.joined_problems())
    assert [one.id for one in joined] == [problem.id for problem in run.distinct_problems]
    assert [run.problem(one.id) for one in joined] == joined
    assert {one.in_dataset for one in joined} == {True, False}


def test_predictions_of_a_joined_problem_are_those_of_the_selected_alternative(run, tmp_path):
    for one in with_last_alternatives(run, tmp_path).joined_problems():
        predictions = run.predictions[one.id]
        number = len(predictions.others) if one.suppression else 0
        assert one.problem.alternative == number
        assert (one.predictions, one.first_predictions) == (predictions.of(number), predictions.of(0))
        assert one.predictions.answer == one.problem.answer


def with_last_alternatives(run, folder):
    """The run as if suppression had selected the last alternative of each article that it keeps."""
    decisions, problems = [], []
    for record in run.alternatives:
        number, decision = len(record.alternatives) - 1, run.decisions.find(record.id)
        if decision is None:
            problems.append(run.distinct_problems[record.id])
            continue
        passage = record.passages[record.alternatives[number].passage]
        decisions.append(msgspec.structs.replace(decision, alternative=number))
        problems.append(record.problem(number, run.articles[passage.article]))
    selected = stored(folder / "suppress", SuppressionDecision, decisions)
    written = stored(folder / "problems", Problem, problems)
    return type(run)(run.folder, {**run.outputs, "suppress": selected, "problems": written})


def test_before_the_stage_problems_has_run_the_first_alternative_stands_in(run):
    outputs = {name: output for name, output in run.outputs.items() if name != problems.STAGE.name}
    early = type(run)(run.folder, outputs)
    for record in run.alternatives:
        assert run.problem_of(record) == run.distinct_problems[record.id]
        assert early.problem_of(record) == record.problem(0, run.articles[record.passages[0].article])


def test_the_splits_hold_the_problems_that_were_assigned_to_them(run):
    assert sum(1 for _ in run.problems()) == len(run.assignments)
    for name in ("validation", "test"):
        wanted = [assignment.id for assignment in run.assignments if assignment.split == name]
        assert [joined.id for joined in run.problems(name)] == wanted
    strict = [joined.id for joined in run.problems("train")]
    assert {*strict} <= {joined.id for joined in run.problems("train.relaxed")}
    assert all(run.assignments[record_id].level == "strict" for record_id in strict)


def test_an_unknown_split_is_refused_at_once(run):
    with pytest.raises(UsageError, match="there is no split 'dev'") as caught:
        run.problems("dev")
    assert caught.value.hint == "splits: train, train.relaxed, validation, test"


# ---- one id ----------------------------------------------------------------------------------------------------------


def test_the_history_of_an_id_has_every_stage_and_ends_where_it_was_rejected(run):
    suppressed = next(one.id for one in run.joined_problems() if one.suppression is None)
    history = run.history(suppressed)
    states = [outcome.state for outcome in history.outcomes]
    end = states.index("rejected")
    assert history.outcomes[end].table.name == suppress.STAGE.name
    assert set(states[:end]) == {"written"}
    # The problem is written as its first alternative, but goes no further.
    assert states[end + 1 :] == ["written", "not-run", "not-reached", "not-reached"]
    outcomes = {outcome.table.name: outcome for outcome in history.outcomes}
    assert outcomes["questions"].record == run.questions[suppressed]
    assert [rejection.reason for rejection in outcomes["suppress"].rejections] == ["suppressed"]


# ---- samples ---------------------------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=4), unique=True), st.integers(0, 6), st.integers(0, 3))
def test_a_hash_sample_keeps_those_with_the_lowest_hashes_whatever_the_order(names, count, seed):
    lowest = sorted(names, key=lambda name: (uniform_hash(seed, "report", name), name))[:count]
    for order in (names, names[::-1]):
        sample = HashSample(count, seed, "report")
        for name in order:
            sample.offer(name, name)
        assert sample.by_hash() == lowest
        assert sample.by_name() == sorted(lowest)
        assert sample.offered == len(names)
