"""card: numbers worked out by hand, overlap that is there is found, and nothing in a text becomes markup."""

import math
from pathlib import Path

import pytest

from support import make, stage_runs
from support.make import day
from wdw_build.core.config.corpus_settings import CorpusConfig, NlpConfig, ReleaseConfig
from wdw_build.core.config.settings import BaselinesConfig, Config, SplitConfig
from wdw_build.core.config_file import decode_config
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run, SplitCounts
from wdw_build.pipeline import STAGES
from wdw_build.records import AdversaryPredictions, Problem, ProblemAlternatives, SplitAssignment, SuppressionDecision
from wdw_build.views import markdown
from wdw_build.views.card import audit, datasheet
from wdw_build.views.card.audit_results import Observed
from wdw_build.views.card.datasheet import _changed
from wdw_build.views.card.overlap import near_duplicates
from wdw_build.views.card.skew import CueCounts, skew
from wdw_build.views.summary import BeforeAfter, Level, Persons, SplitRow, Summary, Suppression, Table2

LONG = " ".join(f"word{number}" for number in range(20))


def problem(name, choices, answer=0, *, passage=None, number=0, article=None, title="Lord Mayor"):
    """A question of that day about two persons of its own, and a passage that names the choices in order."""
    sentence = f"{title} {name} met Ann Q{name} today."
    asked = make.question(name, sentence, f"{title} {name}", others=[f"Ann Q{name}"], date=day(number))
    text = passage or " ".join(f"{choice} came." for choice in choices)
    return make.problem(name, asked, text, choices, answer, article_id=article)


def placed(one, split="train", level="strict"):
    return SplitAssignment(id=one.id, date=one.date, level=level, split=split)


def config(**sections):
    corpus = CorpusConfig(reader="jsonl", path="/secret/c.jsonl", faulty_problems=("/secret/faulty.jsonl",))
    return Config(run="r", output_dir="/secret/out", corpus=corpus, **sections)


def summary(**changes):
    row = BeforeAfter(0.4, Level(0.3, 0.35))
    given = {
        "run": "r",
        "fingerprint": "f",
        "funnel": {"articles": 9, "after_suppression": {"strict": 4, "relaxed": 5}},
        "rejections": {"split": {"within-gap": 1}},
        "refused": {"retrieve": {}},
        "table2": Table2(row, {"first-person": row}),
        "table3": {"train": SplitRow(3, 2.5, 10.0, 30)},
        "stages": {},
        "persons": Persons(1, 2, 3, 4),
        "most_common_answer": ("x", 0.5),
        "devices": {},
        "event_scores": {"0.8": 2, "0.9": 1},
        "event_bands": (),
        "size_notes": (),
        "yield_limits": (),
        "suppression": Suppression(9, 4, ()),
    }
    return Summary(**(given | changes))


@pytest.fixture
def run(tmp_path):
    """The audit, and the outputs, of problems with their splits."""

    def audited(pairs, **sections):
        problems = [one for one, *_ in pairs]
        outputs = {
            "dedup": stage_runs.stored(tmp_path / "dedup", ProblemAlternatives, []),
            "problems": stage_runs.stored(
                tmp_path / "problems", Problem, [*problems, problem("unplaced", ["Al Lone", "Bo Lone"])]
            ),
            "split": stage_runs.stored(tmp_path / "split", SplitAssignment, [placed(*one) for one in pairs]),
            "export": stage_runs.stored(tmp_path / "export", SuppressionDecision, []),
            "adversary": stage_runs.stored(tmp_path / "adversary", AdversaryPredictions, []),
        }
        run = Run(tmp_path, STAGES, outputs)
        return audit(run, config(**sections), summary(), Progress("quiet")), run

    return audited


# ---- skew ------------------------------------------------------------------------------------------------------------


def skewed(*problems):
    counts, cues = SplitCounts(), CueCounts()
    for one in problems:
        counts.add(one)
        cues.add(one, held_out=False)
    return skew(counts, cues, {})


def test_positions_and_cues_are_compared_with_what_chance_gives():
    found = skewed(problem("a", ["Ann Ames", "Bob Beck"]), problem("b", ["Ann Ames", "Bob Beck", "Cy Cole"]))
    # 1/2 + 1/3 expected; a variance of 1/2 * 1/2 + 1/3 * 2/3.
    first = Observed(2.0, 0.83, round((2 - 5 / 6) / math.sqrt(1 / 4 + 2 / 9), 2))
    assert found.positions[0] == found.cues["named-first"] == first
    assert found.positions[1].observed == 0.0
    assert found.positions[2] == Observed(0.0, 0.33, round((0 - 1 / 3) / math.sqrt(2 / 9), 2))
    # All are named once, by two words: who goes by that knows nothing, and chance cannot err.
    assert found.cues["named-most"] == found.cues["longest-name"] == Observed(0.83, 0.83, 0.0)


def test_a_tie_counts_as_a_share():
    found = skewed(problem("a", ["Ann Ames", "Bob Beck", "Cy"], 1, passage="Ann Ames, Bob Beck, Cy.")).cues
    # Two of three names are longest, one of them the answer: 1/2, where chance gives 1/3 with 1/(2*3) - 1/9.
    assert found["longest-name"] == Observed(0.5, 0.33, round((1 / 2 - 1 / 3) / math.sqrt(1 / 6 - 1 / 9), 2))
    assert found["shortest-name"] == Observed(0.0, 0.33, round(-1 / 3 / math.sqrt(2 / 9), 2))


def test_the_cue_of_the_training_answers_is_for_what_is_held_out(run):
    found, _ = run(
        [
            (problem("a", ["Ann Ames", "Bob Beck"], 1),),
            (problem("b", ["Ann Ames", "Bob Beck"], 1), "train", "relaxed"),
            (problem("c", ["Cy Cole", "Bob Beck"], 1, number=9), "validation"),
            (problem("d", ["Cy Cole", "Di Dorn"], 1, number=9), "test"),
        ]
    )
    assert "training-answer" not in found.splits["train.relaxed"].skew.cues
    assert found.splits["validation"].skew.cues["training-answer"] == Observed(1.0, 0.5, 1.0)
    assert found.splits["test"].skew.cues["training-answer"] == Observed(0.5, 0.5, 0.0)
    assert [found.splits[name].names.answers_seen for name in ("validation", "test")] == [1.0, 0.0]


# ---- names, days, sources --------------------------------------------------------------------------------------------


def test_names_and_days_are_counted_for_each_split(run):
    found, _ = run(
        [
            (problem("a", ["Mr. Ames", "Bob Beck"], number=0),),
            (
                problem(
                    "b", [("Mr. Ames", "Ames"), "Cy Cole"], number=40, passage="Mr. Ames came. Ames and Cy Cole left."
                ),
            ),
            (problem("c", ["Di Dorn", "Bob Beck"], 1, number=5), "train", "relaxed"),
        ]
    )
    names = found.splits["train"].names
    assert (names.distinct_choices, names.distinct_answers) == (3, 1)
    assert (names.words_per_choice, names.one_word_choices, names.mentions_per_choice) == (1.5, 0.5, 1.25)
    assert [(one.name, one.answers, one.share) for one in names.most_common] == [("Mr. Ames", 2, 1.0)]
    both = found.splits["train.relaxed"]
    assert [(one.name, one.answers) for one in both.names.most_common] == [("Mr. Ames", 2), ("Bob Beck", 1)]
    dates = both.calendar
    assert (dates.first_day, dates.last_day) == (day(0), day(40))
    assert sum(dates.months.values()) == both.problems == 3
    assert list(dates.months) == sorted({f"{day(number):%Y-%m}" for number in (0, 5, 40)})
    assert (dates.question_sources, dates.passage_sources, dates.same_source) == ({"HP": 3}, {"EB": 3}, 0)
    assert (dates.windows, dates.choices) == ({"1": 3}, {"2": 3})
    assert found.splits["test"].problems == 0
    assert found.splits["test"].calendar.first_day is None


# ---- overlap ---------------------------------------------------------------------------------------------------------


def overlaps(found):
    return {(one.kind, one.first, one.second): (one.of_first, one.of_second) for one in found.overlap if one.of_first}


def test_splits_with_nothing_in_common_have_no_overlap(run):
    found, _ = run(
        [
            (problem("a", ["Ann Ames", "Bob Beck"]),),
            (problem("b", ["Cy Cole", "Di Dorn"], number=9), "validation"),
            (problem("c", ["Ed Enz", "Flo Fry"], number=9), "test"),
        ]
    )
    assert overlaps(found) == {}
    assert (found.events.events, found.events.of_one_problem, found.events.largest) == (3, 3, 1)


def test_a_shared_passage_is_a_shared_event_and_what_hangs_on_it_is_one_at_second_hand(run):
    found, _ = run(
        [
            (problem("a", ["Ann Ames", "Bob Beck"], article="same"),),
            (problem("b", ["Ann Ames", "Bob Beck"]), "train", "relaxed"),
            (problem("c", ["Cy Cole", "Di Dorn"], number=9, article="same"), "validation"),
            (problem("d", ["Ed Enz", "Flo Fry"], number=9), "test"),
        ]
    )
    pair = ("train.relaxed", "validation")
    assert overlaps(found) == {("passage", *pair): (1, 1), ("connected", *pair): (1, 1), ("event", *pair): (2, 1)}
    assert next(one.example for one in found.overlap if one.kind == "connected") == ("a", "c")
    assert (found.events.events, found.events.of_one_problem, found.events.largest) == (2, 1, 3)


def test_two_persons_connect_within_the_days_of_the_configuration(run):
    pairs = [
        (problem("a", ["Ann Ames", "Bob Beck"]),),
        (problem("b", ["A. Ames", "Mr. Beck", "Cy Cole"], number=3), "test"),
    ]
    pair = ("train.relaxed", "test")
    assert overlaps(run(pairs)[0]) == {}
    found, _ = run(pairs, split=SplitConfig(event_days=3))
    assert overlaps(found) == {("connected", *pair): (1, 1), ("event", *pair): (1, 1)}


def test_the_same_question_and_nearly_the_same_passage_are_found_in_both_directions(run):
    asked = [problem(name, ["Ann Ames", "Bob Beck"], passage=f"Ann Ames saw Bob Beck. {LONG}") for name in "ab"]
    asked[1] = make.problem(
        "b", asked[0].question, f"{LONG} So said Cy Cole and Di Dorn.", ["Cy Cole", "Di Dorn"], 0, passage_date=day(50)
    )
    found, _ = run(
        [
            (asked[0],),
            (problem("c", ["Ed Enz", "Flo Fry"]), "train"),
            (asked[1], "test"),
        ]
    )
    pair = ("train.relaxed", "test")
    assert overlaps(found) == {("question", *pair): (1, 1), ("near-passage", *pair): (1, 1)}


def test_the_border_counts_passages_that_reach_over_it(run):
    pairs = [
        (problem("a", ["Ann Ames", "Bob Beck"], number=1), "train"),
        (problem("b", ["Cy Cole", "Di Dorn"], number=4), "test"),
    ]
    late = make.problem("e", pairs[0][0].question, "Ed Enz met Flo Fry.", ["Ed Enz", "Flo Fry"], 0, passage_date=day(4))
    border = run([*pairs, (late, "train")])[0].border
    assert (border.last_training_day, border.first_held_out_day) == (day(1), day(4))
    assert (border.training_passages_beyond, border.held_out_passages_before) == (1, 0)


# ---- leaks ------------------------------------------------------------------------------------------------------------


def leaks_of(found):
    return {
        (count.kind, count.told_in, count.told_by): (count.problems, count.examples)
        for count in found.leaks.counts
        if count.problems
    }


def test_problems_about_other_events_do_not_leak(run):
    found, _ = run([(problem("a", ["Ann Ames", "Bob Beck"]),), (problem("b", ["Cy Cole", "Di Dorn"]), "test")])
    assert leaks_of(found) == {}
    assert found.leaks.beyond_one_per_group == 0


def test_a_question_that_stands_in_a_passage_is_counted_in_its_own_split(run):
    sentence = "Lord Mayor a met Ann Qa today."
    asked = problem("a", ["Ann Ames", "Bob Beck"])
    teller = problem("b", ["Cy Cole", "Di Dorn"], passage="Cy Cole saw Di Dorn.", article="a")
    found, outputs = run([(asked, "test"), (teller,)])
    assert asked.question.sentence == sentence
    assert leaks_of(found) == {("question-in-passage", "test", "train.relaxed"): (1, (("a", "b"),))}
    line = (
        "Of 1 problems in test, other problems reveal the answers to some: 1 by train.relaxed (`question-in-passage`)"
    )
    assert line in datasheet(found, summary(), config(), outputs)


def test_shared_passages_are_counted_within_a_split_and_taken_from_the_overlap_between_splits(run):
    pairs = [
        (problem("a", ["Ann Ames", "Bob Beck"], article="same"), "validation"),
        (problem("b", ["Cy Cole", "Di Dorn"], article="same"), "validation"),
        (problem("c", ["Ed Enz", "Flo Fry"], article="same"), "test"),
    ]
    found, outputs = run(pairs)
    assert leaks_of(found) == {("shared-passage", "validation", "validation"): (2, (("a", "b"), ("b", "a")))}
    assert found.leaks.beyond_one_per_group == 2
    text = datasheet(found, summary(), config(), outputs).split("## Leaks between problems")[1].split("\n## ")[0]
    assert "| `shared-passage` | validation | 0 | 2 | 2 |" in text
    assert "| `shared-passage` | test | 0 | 1 | 0 |" in text
    assert "`split.one_per_group` would omit 2 validation and test problems" in text
    assert "validation by validation: `a` by `b`, `b` by `a`" in text


def test_ids_in_the_examples_of_leaks_do_not_become_markup(run):
    found, outputs = run([(problem(name, ["Ann Ames", "Bob Beck"], article="s"), "test") for name in ("`<b>`", "c")])
    text = datasheet(found, summary(), config(), outputs).split("## Leaks between problems")[1]
    assert "`` `<b>` `` by `c`" in text


# ---- near-duplicates -------------------------------------------------------------------------------------------------


def near(few, many):
    return near_duplicates(lambda: iter(few.items()), lambda: iter(many.items()))


def test_near_duplicates_share_half_of_the_8_grams_of_the_shorter_text():
    # 20 words are 13 8-grams. Of the first 14 words 7 are left: more than half; of the first 13, 6: less.
    long = LONG.split()
    enough, too_few = (" ".join([*long[:kept], *(f"x{n}" for n in range(20 - kept))]) for kept in (14, 13))
    assert near({"l": LONG}, {"e": enough, "f": too_few}) == ({"e": "l"}, {"l": "e"})


def test_every_one_of_many_copies_is_found_on_both_sides():
    forth, back = near(
        {"l1": LONG, "l2": LONG.upper(), "o": "Other text"}, {"m1": LONG, "m2": f"{LONG} x", "p": "Else"}
    )
    assert (set(forth), set(back)) == ({"m1", "m2"}, {"l1", "l2"})


def test_texts_shorter_than_a_gram_are_compared_whole():
    assert near({"a": "One two."}, {"b": "one TWO", "c": "one"}) == ({"b": "a"}, {"a": "b"})


# ---- the sheet -------------------------------------------------------------------------------------------------------

NASTY = "Bob <img src=x> | `Beck` *B*\n# [x](y) \x1b[31m"


def test_nothing_in_a_text_becomes_markup(run):
    nasty = problem("a", ["Ann|<b>*Ames", "Bob Beck"])
    found, outputs = run([(nasty,), (problem("c", ["Cy Cole", "Di Dorn"], number=9), "test")])
    release = ReleaseConfig(title=NASTY, citation="@x{\n```\n<b>\n}", licence="a_b_c")
    text = datasheet(found, summary(run="a_b"), config(release=release), outputs)
    assert "<img" not in text
    assert "| 1 | Ann\\|&lt;b&gt;\\*Ames 1 (100.0%) |" in text
    assert "\x1b" not in text
    assert "Bob &lt;img src\\=x&gt; \\| \\`Beck\\` \\*B\\*\\\\n\\# \\[x\\](y) \\\\x1b\\[31m" in text
    assert "````\n@x{\n```\n<b>\n}\n````" in text
    assert "- licence: a\\_b\\_c" in text


def test_what_is_not_given_is_said_and_the_folders_of_the_machine_are_not(run):
    found, outputs = run(
        [(problem("a", ["Ann Ames", "Bob Beck"]),), (problem("c", ["Cy Cole", "Di Dorn"], number=9), "test")]
    )
    text = datasheet(
        found, summary(), config(nlp=NlpConfig(models="/secret/m"), split=SplitConfig(gap_days=3)), outputs
    )
    for name in ("title", "licence", "contact", "citation", "the dataset", "the articles that it quotes"):
        assert f"- {name}: not given" in text
    assert "secret" not in text
    assert "- `split.gap_days`: `3` (default `0`)" in text
    assert "| ingest " not in text
    assert "| first-person | 0.400 | 0.300 | 0.350 |" in text


def test_an_n_gram_baseline_that_was_not_used_is_said(run):
    found, outputs = run([(problem("a", ["Ann Ames", "Bob Beck"]),)])
    said = "The method's n-gram baseline was not used, and is not bounded."
    without = config(baselines=BaselinesConfig(use=("unigram",)))
    assert said in datasheet(found, summary(), without, outputs)
    assert said not in datasheet(found, summary(), config(), outputs)


def test_more_than_two_years_are_counted_by_year(run):
    found, outputs = run([(problem(f"p{n}", ["Ann Ames", "Bob Beck"], number=31 * n),) for n in range(26)])
    text = datasheet(found, summary(), config(), outputs).split("## Days and sources")[1].split("\n## ")[0]
    years = [line for line in text.splitlines() if line.startswith("| 20") and "-" not in line]
    assert [line.split(" | ")[0] for line in years] == sorted({f"| {day(31 * n):%Y}" for n in range(26)})
    assert sum(int(line.split(" | ")[1]) for line in years) == 26
    assert "| year | train |" in text
    assert "| month |" not in text


def test_what_stands_out_is_said_first_and_nothing_if_nothing_does(run):
    many = [(problem(f"p{number}", [f"Ann A{number}", f"Bob B{number}"], number=number),) for number in range(12)]
    found, outputs = run([*many, (problem("z", ["Ann A1", "Bob B1"], 1, number=20, article="p3-passage"), "test")])
    text = datasheet(found, summary(), config(), outputs).split("## What stands out")[1].split("\n## ")[0]
    assert "the answer at position 1 is right for 12 of 12 problems; chance gives 6 (+3.5 standard deviations)." in text
    assert (
        "Of 1 problems in test, some have a counterpart in train.relaxed: 1 `passage`, 1 `connected`, 1 `event`" in text
    )
    assert "for example `z`, whose counterpart is `p3`." in text
    quiet, outputs = run([(problem("a", ["Ann Ames", "Bob Beck"]),)])
    assert "Nothing stands out" in datasheet(quiet, summary(), config(), outputs)


@pytest.mark.parametrize("text", ["`", "a``b", "``", "plain"])
def test_code_shows_backticks_as_they_are(text):
    shown = markdown.code(text)
    fence = shown[: len(shown) - len(shown.lstrip("`"))] or "`"
    assert shown.endswith(fence)
    assert fence not in shown[len(fence) : -len(fence)].strip() or text == ""


def test_event_scores_are_summed_from_the_highest_band_down(run):
    found, outputs = run([(problem("a", ["Ann Ames", "Bob Beck"]),)])
    scored = summary(event_scores={"0.7": 2, "0.8": 0, "0.9": 1})
    section = datasheet(found, scored, config(), outputs).split("## Event scores")[1].split("\n## ")[0]
    lines = section.strip().splitlines()
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]] == [
        ["from 0.9 to 1.0", "1", "1"],
        ["from 0.8 to 0.9", "0", "1"],
        ["from 0.7 to 0.8", "2", "3"],
    ]


def set_keys(config):
    """The keys that the datasheet lists as set."""
    return [key for key, _, _ in _changed(config)]


def test_only_keys_that_the_user_set_are_listed():
    assert set_keys(config()) == []
    assert set_keys(config(split=SplitConfig(max_share=0.2))) == ["split.max_share"]
    keys = {"run": "r", "output_dir": "out", "corpus": {"reader": "jsonl", "path": "c"}, "preset": "paper", "seed": 1}
    paper = decode_config(keys | {"ingest": {"repair_text": True}}, Path(), Path())
    assert set_keys(paper) == ["preset", "ingest.repair_text"]
