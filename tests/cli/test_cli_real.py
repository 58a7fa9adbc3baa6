"""The whole command line over real models, real Lucene, real KenLM and a real LP, on a few articles of the sample."""

import hashlib
import json
import re
import shutil

import pytest
from cli_corpora import article, sample_lines, write_config, write_corpus

from wdw_build import backends
from wdw_build.cli import main
from wdw_build.stage_order import BY_NAME, ON_DEMAND

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("servers_that_end")]
ORDER = [name for name in BY_NAME if name not in ON_DEMAND]


def plain(answer):
    """The JSON of an answer that is ok and says nothing else."""
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)


def lines(answer):
    assert answer.code == 0
    return [json.loads(line) for line in answer.out.splitlines()]


@pytest.fixture
def on(built, call):
    """A command over the run that is there."""
    return lambda *arguments: call(*arguments, "-c", built.config)


# --- Looking at a run ------------------------------------------------------------------------------------------------


def test_after_all_everything_is_up_to_date(on):
    answer = on("status", "--check")
    assert answer.code == 0
    assert [line.split() for line in answer.out.splitlines()] == [[name, "up", "to", "date"] for name in ORDER]
    assert on("run", "export").out == "nothing to do: up to date\n"
    assert plain(on("run", "export", "--json")) == {"ran": [], "linked": [], "stale": []}


def test_status_names_the_key_that_changed_and_what_follows(on):
    rows = plain(on("status", "--json", "--set", "suppress.relaxed=0.55"))
    assert [row["stage"] for row in rows] == ORDER
    would_run = {row["stage"]: row["reasons"] for row in rows if row["would_run"]}
    assert would_run == {
        "suppress": ["config suppress.relaxed 0.5 -> 0.55"],
        "problems": ["suppress will run"],
        "split": ["suppress will run", "problems will run"],
        "export": ["split will run", "problems will run"],
    }
    assert on("status", "--check", "--set", "suppress.relaxed=0.55").code == 4


def test_a_dry_run_with_force_names_the_forced_stages(on):
    told = plain(on("run", "ingest", "--force", "--dry-run", "--json", "-q"))
    assert [row["stage"] for row in told["estimate"]["rows"] if not row["up_to_date"]] == ["ingest"]
    assert [(row["stage"], row["reasons"]) for row in told["plan"] if row["would_run"]] == [("ingest", ["forced"])]


def stored(built):
    """The files of the output folder, but for those that SQLite keeps while a database is open."""
    return sorted(path for path in built.folder.parent.parent.rglob("*") if not path.name.endswith(("-shm", "-wal")))


def test_a_dry_run_tells_how_long_it_takes_and_leaves_the_store_alone(on, built):
    before = stored(built)
    answer = on("all", "--dry-run", "-q", "--set", "suppress.relaxed=0.55")
    assert answer.code == 0
    plan = answer.out.splitlines()[ORDER.index("suppress")]
    assert plan.startswith("suppress   would run: config suppress.relaxed 0.5 -> 0.55")
    assert re.search(r"^Estimate: [\d,]+ articles", answer.out, re.MULTILINE)
    assert re.search(r"^ingest +[\d,]+ +[\d,]+ +up to date", answer.out, re.MULTILINE)
    assert re.search(r"^total: .+ with \d+ worker", answer.out, re.MULTILINE)
    assert stored(built) == before
    assert on("all", "--dry-run").out == on("status").out


def test_all_again_prints_the_summary_and_where_the_dataset_is(on, built):
    answer = on("all")
    assert answer.code == 0
    for part in ("funnel", "rejected by", "Table 2", "Table 3", "first-person", "peak MB", "the most common answer"):
        assert part in answer.out
    assert f"dataset: {built.folder / 'export'}" in answer.out
    assert on("summary").out == answer.out


def test_the_summary_as_json_is_the_file(on, built):
    found = plain(on("summary", "--json"))
    assert found == json.loads((built.folder / "summary.json").read_text())
    assert found == plain(on("all", "--json", "-q"))
    assert set(found) >= {"funnel", "rejections", "table2", "table3"}


@pytest.fixture
def second(copied, call):
    """A second run in a copy of the store: built with one other setting. The configuration, and the run's folder."""
    assert call("all", "-q", "-c", copied.config, "--set", "run=second", "--set", "split.max_share=0.6").code == 0
    return copied.config, copied.folder.parent / "second"


def test_no_command_writes_the_dataset_of_one_run_into_another(second, call):
    config, folder = second
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    commands = [["export", "jsonl"], ["datasheet"], ["bench", "--systems", "word-overlap"], ["summary"]]
    commands += [["quality", "phenomena"], ["annotate", "--problems", "2"]]
    for command in commands:
        answer = call(*command, "-q", "-c", config, "--set", "run=second")
        assert (answer.code, answer.out) == (2, ""), command
        assert "run 'second' was built with another configuration" in answer.message
        assert "config split.max_share 0.6 -> 0.3" in answer.message
        assert f"-c {folder} for the run as it was built" in answer.message
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    for command in commands:
        answer = call(*command, "-q", "-c", folder / "config.yaml")
        assert answer.code == 0, answer.err


def test_the_datasheet_of_a_run_s_folder_is_that_of_its_configuration(second, call):
    _, folder = second
    assert call("datasheet", "-q", "-c", folder).out == f"datasheet: {folder / 'DATASHEET.md'}\n"
    text = (folder / "DATASHEET.md").read_text(encoding="utf-8")
    assert "max_share: 0.6" in text
    assert call("datasheet", "-q", "--out", "-", "-c", folder / "config.yaml").out == text
    answer = call("datasheet", "-c", folder, "--set", "seed=1")
    assert (answer.code, "seed 0 -> 1" in answer.message) == (2, True)
    stored = folder / "config.yaml"
    stored.write_text(stored.read_text().replace("max_share: 0.6", "max_share: 0.3"))
    answer = call("datasheet", "-c", folder)
    assert answer.code == 2
    assert "config split.max_share 0.6 -> 0.3" in answer.message
    answer = call("export", "jsonl", "-c", folder)
    assert answer.code == 2
    assert "was built with another configuration" in answer.message


def test_verify_finds_every_promise_kept(on):
    answer = on("verify")
    assert answer.code == 0, answer.out
    assert "FAIL" not in answer.out
    assert plain(on("verify", "--json", "-q"))["checks"]


def test_verify_ends_with_4_on_a_broken_promise(copied, call):
    test = copied.folder / "export" / "jsonl" / "test.jsonl"
    test.write_text("".join(test.read_text().splitlines(keepends=True)[1:]))
    answer = call("verify", "-q", "-c", copied.config)
    assert answer.code == 4
    assert "FAIL" in answer.out
    assert "breaks a promise" in answer.message
    assert "wdw-build all with the same options makes the damaged outputs again" in answer.message


@pytest.fixture
def sheets(built):
    """The folder of the run's sheets, gone after the test."""
    yield built.folder / "annotate"
    shutil.rmtree(built.folder / "annotate", ignore_errors=True)


def test_a_sheet_of_one_split_has_its_name_and_all_problems_if_there_are_fewer(on, sheets):
    on("annotate", "--problems", "1", "--from", "test")
    assert (sheets / "1-seed-0-passage-test" / "items.jsonl").is_file()
    on("annotate", "--problems", "100000", "--from", "test")
    assert len(list(sheets.glob("*-passage-test"))) == 2


def test_a_sheet_of_a_run_that_does_not_match_the_configuration_is_refused(on, built, sheets):
    refused = on("annotate", "--problems", "2", "--set", "questions.min_tokens=20")
    assert (refused.code, refused.out) == (2, "")
    assert "config questions.min_tokens 10 -> 20" in refused.message
    assert not sheets.exists()
    assert on("annotate", "--problems", "2").code == 0


def test_a_server_prints_two_addresses_with_tokens_that_stay_and_says_where_the_answers_are(on, sheets):
    arguments = ("annotate", "--problems", "2", "--json", "-q")
    first, again = (plain(on(*arguments)) for _ in range(2))
    assert first["name"] == "2-seed-0-passage"
    for made, kept in ((first["people"], again["people"]), (first["owner"], again["owner"])):
        assert made.startswith("http://127.0.0.1:")
        assert made.partition("token=")[2] == kept.partition("token=")[2]
    assert first["people"] != first["owner"]
    assert (sheets / first["name"] / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert "annotate score" in on("annotate", "--problems", "2").err
    assert "not encrypted" in on("annotate", "--problems", "2", "--host", "0.0.0.0", "-q").err
    resumed = plain(on("annotate", "--sheet", first["name"], "--json", "-q"))
    assert resumed["folder"] == first["folder"]


def test_the_datasheet_is_written_once_and_always_the_same(on, built, tmp_path):
    answer = on("datasheet", "-q")
    made = built.folder / "DATASHEET.md"
    text = made.read_text(encoding="utf-8")
    made.unlink()
    assert (answer.code, answer.out) == (0, f"datasheet: {made}\n")
    assert text == on("datasheet", "--out", "-").out
    assert on("datasheet", "--out", tmp_path / "x.md").out == f"datasheet: {tmp_path / 'x.md'}\n"
    assert (tmp_path / "x.md").read_text(encoding="utf-8") == text
    assert str(built.folder.parent) not in text
    test = built.folder / "export" / "jsonl" / "test.jsonl"
    assert hashlib.sha256(test.read_bytes()).hexdigest() in text


def test_a_datasheet_needs_a_run_that_fits_together_and_a_place_to_write(on, tmp_path):
    assert "config split.gap_days 0 -> 5" in on("datasheet", "--set", "split.gap_days=5").message
    assert on("datasheet", "--out", tmp_path / "no" / "x.md").code == 1


@pytest.mark.parametrize("stage", ORDER)
def test_every_stage_can_be_looked_at(on, stage):
    short, shown = on("inspect", stage, "-n", "3"), on("inspect", stage, "-n", "3", "--full")
    assert (short.code, short.err, short.out.strip().count("\n\n")) == (0, "", 2)
    assert shown.out.count("-" * 72) == 3
    records = lines(on("inspect", stage, "-n", "3", "--json"))
    assert len(records) == 3
    assert all(record["id"] in shown.out for record in records)
    one = on("inspect", stage, "--id", records[1]["id"])
    assert one.out.strip() in shown.out
    assert lines(on("inspect", stage, "--id", records[1]["id"], "--json"))[0] == records[1]


@pytest.mark.parametrize("stage", ["split", "export"])
def test_inspect_shows_the_problem_beside_its_place_in_the_dataset(on, stage):
    problem = lines(on("inspect", "problems", "-n", "1", "--json"))[0]
    place = on("inspect", stage, "--id", problem["id"]).out
    shown = on("inspect", "problems", "--id", problem["id"]).out
    assert shown.split("\n", 2)[2].strip() in place
    assert "split" in lines(on("inspect", "split", "--id", problem["id"], "--json"))[0]


def test_a_sample_is_drawn_by_its_seed(on):
    everything = lines(on("inspect", "questions", "-n", "0", "--json"))
    drawn = lines(on("inspect", "questions", "--sample", "5", "--json"))
    assert drawn == lines(on("inspect", "questions", "--sample", "5", "--seed", "0", "--json"))
    assert drawn != lines(on("inspect", "questions", "--sample", "5", "--seed", "1", "--json"))
    assert [record for record in everything if record in drawn] == drawn
    assert lines(on("inspect", "questions", "--sample", "999", "--json")) == everything


def test_rejections_can_be_looked_at_all_or_by_reason(on):
    found = lines(on("inspect", "questions", "--rejected", "-n", "0", "--json"))
    assert found
    reason = found[0]["reason"]
    assert all(one["reason"] == reason for one in lines(on("inspect", "questions", "--rejected", reason, "--json")))
    assert f"rejected: {reason}" in on("inspect", "questions", "--id", found[0]["id"]).out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "questions", "--id", "nobody"], "questions has no record or rejection 'nobody'"),
        (["inspect", "questions", "--rejected", "mood"], "questions has no rejection reason 'mood'"),
    ],
)
def test_what_is_not_there_is_said(on, arguments, message):
    answer = on(*arguments)
    assert answer.code == 2
    assert message in answer.message


def test_nothing_to_show_is_said(on):
    assert on("inspect", "index", "--rejected").out == "no records\n"


def test_one_record_alone_gives_what_the_stage_gave(on):
    name = lines(on("inspect", "choices", "-n", "1", "--json"))[0]["id"]
    for stage in ("ingest", "questions", "retrieve", "choices"):
        stored = on("inspect", stage, "--id", name, "--json").out
        assert on("run", stage, "--only", name, "--json", "-q").out == stored
    assert on("run", "questions", "--only", name).out in on("inspect", "questions", "--id", name).out


# --- Corpora that give no dataset ------------------------------------------------------------------------------------


def test_a_corpus_without_persons(call, tiny):
    text = "bed of the river was walked along the whole of its length by a herd of goats on their way home."
    config = tiny([article(f"a{at}", text=f"On day {at}, the dry {text}") for at in range(10)])
    answer = call("all", "-q", "-c", config)
    assert answer.code == 1
    assert answer.message == (
        "error: no problem was made from this corpus, so there is nothing to predict "
        "  try: wdw-build inspect choices --rejected  shows why"
    )
    found = lines(call("inspect", "questions", "--rejected", "-n", "0", "--json", "-c", config))
    assert [one["reason"] for one in found] == ["too-few-persons"] * 10


@pytest.fixture(scope="module")
def few(tmp_path_factory, real_annotator):
    """Eight articles: a few problems, too few for anything."""
    folder = tmp_path_factory.mktemp("few")
    config = write_config(folder, write_corpus(folder, sample_lines()[:8]), baselines={"exclude_similar": False})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "_made", {})
        patch.setitem(backends._MAKERS, "annotator", real_annotator)
        assert main(["run", "baselines", "-q", "-c", str(config)]) == 0
    return config


def test_a_corpus_with_fewer_problems_than_the_configured_minimum(call, few):
    answer = call("all", "-q", "-c", few, "--set", "suppress.min_kept=10")
    assert answer.code == 1
    assert "fewer than suppress.min_kept = 10" in answer.message
    assert "use a larger corpus" in answer.message


def test_a_corpus_too_small_to_split_gives_a_training_set_and_a_warning(call, few):
    lenient = ["--set", "suppress={strict: 1.0, relaxed: 1.0, min_kept: 1}", "--set", "split.max_share=0.01"]
    answer = call("all", "-c", few, *lenient)
    assert answer.code == 0
    assert "no test set" in answer.err
    assert call("verify", "-q", "-c", few, *lenient).code == 0


# --- Text that no one foresaw ----------------------------------------------------------------------------------------

LEAD = "Mayor Anna Keller told reporters on Tuesday that former minister Boris Lindt had sold the harbour to a bank in Oslo"
TALE = (
    "Boris Lindt denied everything on Wednesday. Anna Keller, the mayor, was in court.\n\n"
    "Clara Moss spoke for him. David Hahn, an old friend, said that Lindt had been ill.\n\n"
)
ODD = {
    "thousands": "word " * 1000 + "end.",
    "thousands-of-names": "Anna Keller met Boris Lindt, " * 150 + "and left.",
    "one-token": "x" * 5_000,
    "no-space": "Keller-Lindt/" * 250,
    "empty-paragraphs": "\n\n\n\n  \n\n" + LEAD + ".\n\n\n\n \t \n\n",
    "control": "\x00\x01\x02" + LEAD.replace(" ", "\x0b", 3) + ".\x1b[2J\x07\x85\x9b\n\nMore\x00 of it.",
    "emoji": "😀👩‍👩‍👧‍👦🇨🇭 " + LEAD + " 🎉🎉🎉.",
    "only-emoji": "😀" * 40,
    "surrogate": "\ud800 " + LEAD + "\udfff.",
    "rtl": "قال الرئيس محمد علي يوم الثلاثاء إن الوزير أحمد حسن باع الميناء إلى بنك في أوسلو. " * 2,
    "rtl-marks": "\u202e" + LEAD + "\u202c\u200f.",
    "invisible": "\u200b\u200d\ufeff\u2060 " * 30,
    "combining": "Ann\u0301a\u0327\u0327\u0327\u0327 Ke\u0308ller " + LEAD + "." + "\u0301" * 500,
    "brackets": "((( [[[ {{{ " + LEAD + " ))) (NP (NNP X)) -LRB- ).",
    "quotes": "\"''``“”«» ' " + LEAD + ' "',
    "wide": "安娜·凯勒 Anna Keller 対 Boris Lindt " * 8,
    "newlines": LEAD.replace(" ", "\n") + ".",
    "punctuation": "." * 1000,
    "digits": "1 000 000 " * 30,
    "html": "<p>&amp;" + LEAD + "&nbsp;</p><script>alert('x')</script>",
    "nbsp": LEAD.replace(" ", "\u00a0") + ".",
    "names-only": "Anna Keller Boris Lindt Clara Moss David Hahn Anna Keller Boris Lindt Clara Moss David Hahn.",
}


def odd_corpus():
    """Every oddity as a question's article and within a passage, two plain articles, and ids that are odd themselves."""
    plain_pair = [article("plain", text=LEAD + ".\n\nMore."), article("tale", text=TALE, date="2014-03-05")]
    leads = [article(name, text=text) for name, text in ODD.items()]
    # A text that recurs in one source would be furniture.
    tales = [
        article(f"tale {name}", text=TALE + text, date="2014-03-05", source=f"Press {at}")
        for at, (name, text) in enumerate(ODD.items())
    ]
    names = ["id\twith\ttabs", "😀", "\ud800x", "../../up", '"', "-n", "a" * 5000]
    ids = [article(name, text=f"{LEAD} {at}.") for at, name in enumerate(names)]
    return plain_pair + leads + tales + ids


def test_odd_text_becomes_rejections_and_questions_and_never_a_crash(call, tiny):
    corpus = odd_corpus()
    config = tiny(corpus, rules={"off": ["ingest.judge_kinds"]})
    answer = call("run", "choices", "-c", config)
    assert answer.code == 0, answer.err
    assert answer.out == "ran: ingest, index, sentences, names, questions, retrieve, choices\n"

    def inspect(*arguments):
        return lines(call("inspect", *arguments, "-n", "0", "--json", "-c", config))

    assert len(inspect("ingest")) + len(inspect("ingest", "--rejected")) == len(corpus)
    asked = {one["id"] for one in inspect("questions")}
    assert {"plain", "emoji", "surrogate", "empty-paragraphs", "control", "nbsp", "😀", "../../up"} <= asked
    reasons = {one["id"]: one["reason"] for one in inspect("questions", "--rejected")}
    assert reasons["thousands"] == reasons["thousands-of-names"] == "sentence-too-long"
    assert reasons["one-token"] == "sentence-too-short"
    problems = {one["id"]: one for one in inspect("choices")}
    assert "plain" in problems
    assert any(
        passage["article"].startswith("tale ") for problem in problems.values() for passage in problem["passages"]
    )
    for stage in ("ingest", "questions", "retrieve", "choices"):  # what is shown cannot drive a terminal
        shown = call("inspect", stage, "-n", "0", "-c", config)
        assert shown.code == 0
        assert not set(shown.out) & {"\x1b", "\x07", "\x00", "\u202e", "\x9b"}
