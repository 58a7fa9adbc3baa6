"""split: the most recent strict problems are held out, half each; training ends before they begin."""

from collections import Counter

import pytest

from support import make, stage_runs
from support.make import day
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.core.dataset_size import interval_of_test, no_held_out, split_notes
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.progress import Progress
from wdw_build.records import SuppressionDecision
from wdw_build.stages.split import STAGE


def kept(name, number, strict=True):
    return SuppressionDecision(id=name, date=day(number), choices=2, cell="0000", draw=0.1, strict=strict)


def split(tmp_path, problems=None, seed=0, *, given=None, progress=None, omitted=None, **settings):
    """Run the stage on kept problems or on the given inputs, with a file of omitted problems if there is one."""
    section, given = STAGE.config(**{"max_share": 0.4, **settings}), given or {"suppress": problems}
    backends = {"omitted_problems": FaultyProblemFiles([omitted])} if omitted else {}
    return stage_runs.run_stage(STAGE, tmp_path, given, section=section, seed=seed, progress=progress, **backends)


def places(ran):
    return {one.id: one.split for one in ran.records.values()}


def names_in(ran, *sets):
    """The ids of the problems in these sets, in order."""
    return [name for name, place in places(ran).items() if place in sets]


HELD_OUT = ("validation", "test")
TEN = [kept(f"p{number}", number) for number in range(10)]


def test_the_most_recent_are_held_out_half_each_and_the_rest_is_training(tmp_path):
    ran = split(tmp_path, TEN)
    assert names_in(ran, "train") == [f"p{number}" for number in range(6)]
    assert [len(names_in(ran, place)) for place in HELD_OUT] == [2, 2]


SIZES = [("held_out", 2, [1, 1]), ("held_out", 3, [2, 1]), ("max_share", 0.5, [3, 2]), ("max_share", 0.29, [1, 1])]


@pytest.mark.parametrize(("key", "value", "sizes"), SIZES)
def test_the_held_out_number_is_bounded_by_both_keys_and_validation_has_the_odd_one(tmp_path, key, value, sizes):
    ran = split(tmp_path, TEN, **{key: value})
    assert [len(names_in(ran, place)) for place in HELD_OUT] == sizes


def test_the_order_of_the_input_and_its_folder_change_nothing(tmp_path):
    assert places(split(tmp_path / "1", TEN)) == places(split(tmp_path / "2", TEN[::-1]))


def test_a_seed_changes_who_is_validation_and_never_who_is_held_out(tmp_path):
    many = [kept(f"p{number:03d}", number) for number in range(50)]
    one, other = split(tmp_path / "1", many), split(tmp_path / "2", many, seed=1)
    assert places(one) != places(other)
    assert names_in(one, "train") == names_in(other, "train")


def test_of_one_day_the_later_ids_are_held_out(tmp_path):
    assert names_in(split(tmp_path, [kept(f"p{number}", 5) for number in range(5)]), *HELD_OUT) == ["p3", "p4"]


def test_relaxed_problems_are_training_alone_and_those_of_held_out_time_are_rejected(tmp_path):
    extra = [kept("early", 2, strict=False), kept("late", 8, strict=False), kept("last", 20, strict=False)]
    ran = split(tmp_path, [*TEN, *extra])
    assert (ran.records["early"].level, ran.records["early"].split) == ("relaxed", "train")
    assert ran.reasons == {"late": "relaxed-in-held-out-time", "last": "relaxed-in-held-out-time"}
    assert ran.rejections["late"].detail == f"{day(8)} after {day(6)}"
    assert all(one.level == "strict" for one in ran.records.values() if one.split != "train")


def test_a_gap_rejects_training_problems_too_close_in_time_and_none_without_it(tmp_path):
    assert split(tmp_path / "off", TEN).reasons == {}
    ran = split(tmp_path / "on", TEN, gap_days=2)
    assert ran.reasons == {"p5": "within-gap"}
    assert ran.rejections["p5"].detail == f"{day(5)}, held out from {day(6)}"
    assert set(places(ran)) == {one.id for one in TEN} - {"p5"}
    assert len(split(tmp_path / "wide", TEN, gap_days=4).rejections) == 3


def tied_problem(one, passage="", persons=()):
    """The problem behind a kept one; only its passage and persons matter."""
    names = persons or (f"Ann A{one.id}", f"Bob B{one.id}")
    return make.met(one.id, names, others=[f"Zoe Z{one.id}"], date=one.date, article_id=passage)


def split_one_per_group(tmp_path, problems=TEN, passages=None, **settings):
    return split_by_event(tmp_path, problems, passages, **{"by_event": False, "one_per_group": True, **settings})


def first_by_draw(*names, seed=0):
    return min(names, key=lambda name: uniform_hash(seed, "leaks", name))


def test_one_per_group_keeps_the_problem_with_the_lowest_draw_and_rejects_the_others(tmp_path):
    same = dict.fromkeys(("p6", "p8", "p9"), "same")
    ran = split_one_per_group(tmp_path, passages=same)
    kept = first_by_draw(*same)
    assert ran.reasons == dict.fromkeys(same.keys() - {kept}, "in-leaking-group")
    # Of three problems with one passage, each is compared with the one before.
    direct = {f"{kept}: shared-passage: same", f"{kept} through p8: shared-passage: same"}
    assert {rejection.detail for rejection in ran.rejections.values()} <= direct
    assert [len(names_in(ran, place)) for place in HELD_OUT] == [1, 1]


def test_one_per_group_does_not_compare_training_problems_nor_fill_up_what_is_held_out(tmp_path):
    ran = split_one_per_group(tmp_path, passages={"p2": "old", "p3": "old", "p7": "same", "p8": "same"})
    assert len(ran.rejections) == 1
    assert names_in(ran, "train") == [f"p{number}" for number in range(6)]


def test_one_per_group_leaves_the_border_where_it_was_if_the_first_held_out_problem_is_left_out(tmp_path):
    same = ("p6", first_by_draw("p6", "p7", "p8", "p9"))
    assert same[1] != "p6"
    ran = split_one_per_group(tmp_path, [*TEN, kept("r6", 6, strict=False)], passages=dict.fromkeys(same, "same"))
    assert ran.reasons == {"p6": "in-leaking-group", "r6": "relaxed-in-held-out-time"}


def test_one_per_group_with_by_event_drops_training_problems_for_kept_problems_only(tmp_path):
    kept_id = first_by_draw("p7", "p8")
    passages = {"p1": "p7", "p2": "p8", "p7": "same", "p8": "same"}
    ran = split_one_per_group(tmp_path, passages=passages, by_event=True)
    connected = {"p7": "p1", "p8": "p2"}[kept_id]
    assert {name for name, reason in ran.reasons.items() if reason == "connected-with-held-out"} == {connected}


def split_by_event(tmp_path, problems=TEN, passages=None, persons=None, seed=0, **settings):
    passages, persons = passages or {}, persons or {}
    tied = [tied_problem(one, passages.get(one.id), persons.get(one.id, ())) for one in problems]
    return split(tmp_path, seed=seed, given={"suppress": problems, "problems": tied}, **{"by_event": True, **settings})


def test_by_event_a_training_problem_connected_with_a_held_out_one_is_rejected_with_what_connects_them(tmp_path):
    persons = {"p5": ("Cy Cole", "Di Dorn"), "p6": ("C. Cole", "Mrs. Dorn")}
    ran = split_by_event(tmp_path, passages={"p2": "same", "p8": "same"}, persons=persons)
    assert ran.reasons == {"p2": "connected-with-held-out", "p5": "connected-with-held-out"}
    assert [ran.rejections[name].detail for name in ("p2", "p5")] == ["p8: article same", "p6: persons cole, dorn"]
    assert names_in(ran, *HELD_OUT) == ["p6", "p7", "p8", "p9"]


def test_by_event_the_persons_connect_only_within_the_days(tmp_path):
    persons = {"p4": ("Cy Cole", "Di Dorn"), "p6": ("C. Cole", "Mrs. Dorn")}
    assert split_by_event(tmp_path / "1", persons=persons).reasons == {}
    assert split_by_event(tmp_path / "2", persons=persons, event_days=2).reasons == {"p4": "connected-with-held-out"}


@pytest.mark.parametrize("split_so", [split_by_event, split_one_per_group], ids=["by_event", "one_per_group"])
def test_a_single_event_cannot_be_split_and_is_training(tmp_path, split_so):
    ran = split_so(tmp_path, passages=dict.fromkeys(("p6", "p7", "p8", "p9"), "same"))
    assert ran.reasons == {}
    assert set(places(ran).values()) == {"train"}


@pytest.mark.parametrize(("problems", "settings"), [(TEN[:4], {}), (TEN, {"max_share": 0.19}), ([], {}), (TEN[:2], {})])
def test_of_too_few_strict_problems_all_are_training_whatever_their_dates(tmp_path, problems, settings):
    relaxed = [kept(f"r{number}", number, strict=False) for number in range(20)]
    ran = split(tmp_path, [*problems, *relaxed], gap_days=3, **settings)
    assert ran.reasons == {}
    assert [one.split for one in ran.records.values()] == ["train"] * (len(problems) + 20)


@pytest.mark.parametrize(("strict", "held"), [(2, 0), (3, 2), (4, 2), (9, 6), (10, 6)])
def test_a_third_of_the_strict_problems_is_left_for_training_whatever_the_share(tmp_path, strict, held):
    assert len(names_in(split(tmp_path, TEN[:strict], max_share=0.99), *HELD_OUT)) == held


@pytest.mark.parametrize(("strict", "note"), [(10, interval_of_test(2)), (3, no_held_out(3))])
def test_the_log_says_how_precise_the_test_set_is_and_warns_if_nothing_is_held_out(tmp_path, capsys, strict, note):
    split(tmp_path, TEN[:strict], progress=Progress("lines"))
    assert capsys.readouterr().err == f"split: {note}\n"


@pytest.mark.parametrize("seed", range(6))
def test_by_event_the_largest_event_comes_first_and_each_goes_to_the_smaller_half(tmp_path, seed):
    """Ten held-out problems, in events of 4, 3, 1, 1 and 1; the hashes settle every tie."""
    problems = [kept(f"p{number:02d}", number) for number in range(25)]
    sizes = {"four": 4, "three": 3, "x": 1, "y": 1, "z": 1}
    events = [name for name, size in sizes.items() for _ in range(size)]
    passages = {one.id: name for one, name in zip(problems[15:], events, strict=True)}
    found = places(split_by_event(tmp_path, problems, passages=passages, seed=seed))
    members = {name: [one for one in passages if passages[one] == name] for name in sizes}
    draws = {name: uniform_hash(seed, "split", min(members[name])) for name in sizes}
    sums, expected = {"validation": 0, "test": 0}, {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], draws[name])):
        drawn = "test" if draws[name] < 0.5 else "validation"
        half = drawn if sums["validation"] == sums["test"] else min(sums, key=sums.get)
        sums[half] += sizes[name]
        expected[name] = half
    assert {name: {found[one] for one in members[name]} for name in sizes} == {name: {expected[name]} for name in sizes}
    assert sorted(sums.values()) == [5, 5]


# ---- splits by date --------------------------------------------------------------------------------------------------


def by_date(tmp_path, problems=TEN, *, test=8, validation=6, passages=None, **settings):
    first = {"test_from": day(test), "validation_from": None if validation is None else day(validation)}
    return split_by_event(tmp_path, problems, passages, max_share=0.3, **{"by_event": False, **first, **settings})


def test_from_its_first_day_every_strict_problem_is_test_and_before_it_validation(tmp_path):
    ran = by_date(tmp_path, [*TEN, kept("a", 8), kept("z", 6), kept("late", 400)])
    assert sorted(names_in(ran, "test")) == ["a", "late", "p8", "p9"]
    assert sorted(names_in(ran, "validation")) == ["p6", "p7", "z"]
    assert len(names_in(ran, "train")) == 6


def test_without_its_first_day_there_is_no_validation_set(tmp_path):
    ran = by_date(tmp_path, validation=None)
    assert (names_in(ran, "test"), names_in(ran, "validation")) == (["p8", "p9"], [])


def test_one_problem_alone_is_a_test_set_if_the_date_says_so_and_any_share_may_be_held_out(tmp_path):
    for first, size in ((9, 1), (1, 9)):
        assert len(names_in(by_date(tmp_path / str(first), test=first, validation=None), "test")) == size


def test_relaxed_problems_and_the_gap_count_from_the_first_held_out_day_even_if_no_problem_has_it(tmp_path):
    extra = [kept("early", 2, strict=False), kept("late", 11, strict=False)]
    ran = by_date(tmp_path, [*TEN, *extra], test=20, validation=10, gap_days=2)
    assert ran.reasons == {"p9": "within-gap", "late": "relaxed-in-held-out-time"}
    assert set(places(ran).values()) == {"train"}


def test_a_set_without_problems_is_named_in_a_warning_with_its_period(tmp_path):
    def notes(**settings):
        return split_notes(5, Counter({"train": 5}), STAGE.config(**settings).periods)

    empty, other = notes(test_from=day(20), validation_from=day(10))
    period = f"from {day(10)} until before {day(20)}"
    assert empty == f"WARNING: the validation set is empty: there is no strict problem {period}"
    assert other == f"WARNING: the test set is empty: there is no strict problem of {day(20)} or later"
    assert len(notes(test_from=day(20))) == 1
    _, note = split_notes(2, Counter(test=2), STAGE.config(test_from=day(0)).periods)
    assert note == f"WARNING: the train set is empty: there is no strict problem before {day(0)}"


def test_by_event_rejects_validation_problems_connected_with_test_and_keeps_all_of_test(tmp_path):
    ran = by_date(tmp_path, passages={"p3": "a", "p6": "a", "p9": "a", "p4": "b", "p7": "b"}, by_event=True)
    assert ran.reasons == dict.fromkeys(("p3", "p4", "p6"), "connected-with-held-out")
    assert ran.rejections["p6"].detail == "p9: article a"
    assert names_in(ran, "test") == ["p8", "p9"]


def test_by_event_keeps_a_training_problem_that_only_a_rejected_validation_problem_connects(tmp_path):
    persons = {"p2": ("Ann Abel", "Bo Bird"), "p6": ("Ann Abel", "Bo Bird")}
    ran = by_date(tmp_path, passages={"p6": "a", "p9": "a"}, persons=persons, event_days=4, by_event=True)
    assert ran.reasons == {"p6": "connected-with-held-out"}


def test_one_per_group_works_within_the_held_out_periods(tmp_path):
    ran = by_date(tmp_path, passages={"p2": "same", "p7": "same", "p9": "same"}, one_per_group=True)
    assert list(ran.reasons.values()) == ["in-leaking-group"]
    assert not ran.reasons.keys() - {"p7", "p9"}
    assert len(places(ran)) == 9


# ---- omitted problems -----------------------------------------------------------------------------------------------------


def with_omitted(tmp_path, names, problems=TEN, **settings):
    tmp_path.mkdir()
    listed = tmp_path / "faulty.jsonl"
    listed.write_text("".join(f'{{"id": "{name}", "reason": "no-story"}}\n' for name in names))
    return split(tmp_path, problems, omitted=listed, **settings)


@pytest.mark.parametrize("settings", [{}, {"gap_days": 2}, {"max_share": 0.3, "test_from": day(8)}, {"held_out": 2}])
def test_an_omitted_problem_moves_no_other_problem_and_keeps_the_reason_if_it_is_rejected_anyway(tmp_path, settings):
    problems = [*TEN, *(kept(f"r{number}", number, strict=False) for number in range(10))]
    whole = with_omitted(tmp_path / "1", (), problems, **settings)
    for number, names in enumerate((["p9"], ["p6", "r1", "r9"], ["p7", "p8", "p9"], ["p0", "p1", "p2", "p3"]), 2):
        less = with_omitted(tmp_path / f"{number}", names, problems, **settings)
        assert places(less) == {name: split for name, split in places(whole).items() if name not in names}
        placed = {name: "omitted" for name in names if name in places(whole)}
        assert less.reasons == whole.reasons | placed


def test_omitted_problems_that_were_not_selected_are_counted(tmp_path, capsys):
    ran = with_omitted(tmp_path / "1", ["p1", "gone"], progress=Progress("lines"))
    assert ran.rejections["p1"].detail == "no-story"
    assert "1 of 2 omitted problems are not selected, such as gone (corpus.omitted_problems)" in capsys.readouterr().err
