"""Candidates: event scores, their order, and which one became the passage."""

from support.consistent_run import candidate, problem
from wdw_build.core.config.settings import ChoicesConfig, RetrieveConfig


def other(one, **changes):
    """A further candidate, which is worse by every number."""
    worse = {
        "article": "p-other",
        "rank": 2,
        "score": one["score"] - 1,
        "event": 0.1,
        "window": 7,
        "rule": "",
        "detail": "",
    }
    return candidate(one) | worse | changes


def with_candidates(*made, refused=True):
    """The candidates of q2: each a function of the problem. ``choices`` refused those that are not its passage."""

    def change(stages):
        one = next(found for found in stages["problems"][0] if found["id"] == "q2")
        candidates = [make(one) for make in made]
        stages["retrieve"][0][2]["candidates"] = candidates
        if refused:
            out = [
                found | {"rule": "too-few-choices"}
                for found in candidates
                if not found["rule"] and found["article"] != "p2"
            ]
            for name in ("choices", "dedup"):
                stages[name][0][2]["refused"] = out
            one["refused"] = out

    return change


def test_candidates_in_their_order_pass(failing):
    assert failing(stages=with_candidates(candidate, other)) == []
    refused = with_candidates(candidate, other, lambda one: other(one, rank=3, rule="reprint", event=None))
    assert failing(stages=refused) == []


def test_a_valid_candidate_below_the_threshold_or_without_a_score_fails_event_scores(failing):
    assert failing(stages=with_candidates(candidate, other), retrieve=RetrieveConfig(min_event_score=0.2)) == [
        "event-scores"
    ]
    assert failing(retrieve=RetrieveConfig(min_event_score=0.7)) == []
    assert failing(stages=with_candidates(candidate, lambda one: other(one, event=None))) == ["event-scores"]
    too_good = with_candidates(candidate, lambda one: other(one, rule="other-event"))
    assert failing(stages=too_good) == ["event-scores"]
    assert failing(stages=too_good, retrieve=RetrieveConfig(min_event_score=0.2)) == []


def test_event_scores_that_no_key_asks_for_fail_event_scores(failing):
    assert failing(retrieve=RetrieveConfig(rank_by="bm25", min_event_score=0.0)) == ["event-scores"]
    unscored = {number: problem(number) | {"event_score": None} for number in range(10)}
    assert failing(problems=unscored, retrieve=RetrieveConfig(rank_by="bm25", min_event_score=0.0)) == []
    assert failing(problems=unscored) == ["event-scores"]


def first(one):
    return other(one, rank=1)


def second(one):
    return candidate(one) | {"rank": 2}


def test_candidates_out_of_order_fail_rank_order(failing):
    assert failing(stages=with_candidates(lambda one: other(one, rank=1, rule="reprint"), second)) == []
    assert failing(stages=with_candidates(candidate, lambda one: other(one, rank=3))) == ["rank-order"]
    one_valid = RetrieveConfig(max_valid=1, min_event_score=0.0)
    assert failing(stages=with_candidates(candidate, other), retrieve=one_valid) == ["rank-order"]
    assert failing(stages=with_candidates(first, second)) == ["rank-order"]


def test_rank_order_by_bm25_goes_from_near_windows_to_far(failing):
    by_bm25 = RetrieveConfig(rank_by="bm25", min_event_score=0.1)
    better = with_candidates(candidate, lambda one: other(one, event=0.9))
    assert failing(stages=better, retrieve=by_bm25) == []
    assert failing(stages=better) == ["rank-order"]
    nearer = with_candidates(candidate, lambda one: other(one, window=1))
    assert failing(stages=nearer, retrieve=by_bm25) == ["rank-order"]


def test_a_candidate_that_was_neither_refused_nor_became_a_passage_fails_best_passage(failing):
    better = (lambda one: other(one, rank=1, event=0.9), second)
    assert failing(stages=with_candidates(*better, refused=False)) == ["best-passage"]
    assert failing(stages=with_candidates(*better)) == []
    # With room for another alternative, a candidate ranked below the passage is tried, too.
    worse = with_candidates(candidate, other, refused=False)
    assert failing(stages=worse) == ["best-passage"]
    only_one = ChoicesConfig(max_alternatives=1)
    assert failing(stages=worse, choices=only_one) == []
    assert failing(stages=with_candidates(*better, refused=False), choices=only_one) == ["best-passage"]


def test_ranks_count_for_each_blank_apart(failing):
    def for_blank(number, **changes):
        return lambda one: other(one, blank=number, rule="reprint", **changes)

    assert failing(stages=with_candidates(candidate, for_blank(1, rank=1), for_blank(1, rank=2))) == []
    assert failing(stages=with_candidates(candidate, for_blank(1, rank=2))) == ["rank-order"]
    assert failing(stages=with_candidates(for_blank(1, rank=1), candidate)) == ["rank-order"]
