"""The whole command line over real models, real Lucene, real KenLM and a real LP, on a few articles of the sample."""

import hashlib
import json
import re
import shutil

import pytest
from cli_corpora import article, sample_lines, write_config, write_corpus

from wdw_build.pipeline.stage_order import BY_NAME, ON_DEMAND

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("servers_that_end")]
ORDER = [name for name in BY_NAME if name not in ON_DEMAND]


def plain(answer):
    """The JSON of an answer that is ok and says nothing else."""
    assert (answer.code, answer.err) == (0, "")
    return answer.json


# --- Looking at a run ------------------------------------------------------------------------------------------------


def test_after_all_everything_is_up_to_date(on):
    lines = on("status", "--check").ok().out.splitlines()
    assert [line.split() for line in lines] == [[name, "up", "to", "date"] for name in ORDER]
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
    out = on("all", "--dry-run", "-q", "--set", "suppress.relaxed=0.55").ok().out
    plan = out.splitlines()[ORDER.index("suppress")]
    assert plan.startswith("suppress   would run: config suppress.relaxed 0.5 -> 0.55")
    for part in (r"Estimate: [\d,]+ articles", r"ingest +[\d,]+ +[\d,]+ +up to date", r"total: .+ with \d+ worker"):
        assert re.search(f"^{part}", out, re.MULTILINE)
    assert stored(built) == before
    assert on("all", "--dry-run").out == on("status").out


def test_all_again_prints_the_summary_and_where_the_dataset_is(on, built):
    out = on("all").ok().out
    for part in ("funnel", "rejected by", "Table 2", "Table 3", "first-person", "peak MB", "the most common answer"):
        assert part in out
    assert f"dataset: {built.folder / 'export'}" in out
    assert on("summary").out == out


def test_the_summary_as_json_is_the_file(on, built):
    found = plain(on("summary", "--json"))
    assert found == json.loads((built.folder / "summary.json").read_text()) == plain(on("all", "--json", "-q"))
    assert set(found) >= {"funnel", "rejections", "table2", "table3"}


@pytest.fixture
def second(copied, call):
    """A second run in a copy of the store: built with one other setting. The configuration, and the run's folder."""
    call("all", "-q", "-c", copied.config, "--set", "run=second", "--set", "split.max_share=0.6").ok()
    return copied.config, copied.folder.parent / "second"


def test_no_command_writes_the_dataset_of_one_run_into_another(second, call):
    config, folder = second
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    commands = [["export", "jsonl"], ["datasheet"], ["bench", "--systems", "word-overlap"], ["summary"]]
    commands += [["quality", "phenomena"], ["annotate", "--problems", "2"]]
    other = ("run 'second' was built with another configuration", "config split.max_share 0.6 -> 0.3")
    for command in commands:
        answer = call(*command, "-q", "-c", config, "--set", "run=second")
        answer.fails(2, *other, f"-c {folder} for the run as it was built")
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    for command in commands:
        call(*command, "-q", "-c", folder / "config.yaml").ok()


def test_the_datasheet_of_a_run_s_folder_is_that_of_its_configuration(second, call):
    _, folder = second
    assert "max_share: 0.6" in call("datasheet", "-q", "--out", "-", "-c", folder).out
    stored = folder / "config.yaml"
    stored.write_text(stored.read_text().replace("max_share: 0.6", "max_share: 0.3"))
    call("datasheet", "-c", folder).fails(2, "config split.max_share 0.6 -> 0.3")
    call("export", "jsonl", "-c", folder).fails(2, "was built with another configuration")


def test_verify_ends_with_4_on_a_broken_promise(copied, call):
    assert "FAIL" not in call("verify", "-q", "-c", copied.config).ok().out
    test = copied.folder / "export" / "jsonl" / "test.jsonl"
    test.write_text("".join(test.read_text().splitlines(keepends=True)[1:]))
    remedy = "wdw-build all with the same options makes the damaged outputs again"
    call("verify", "-q", "-c", copied.config).fails(4, "breaks a promise", remedy, out="FAIL")


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
    assert plain(on("annotate", "--sheet", first["name"], "--json", "-q"))["folder"] == first["folder"]


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


def test_a_datasheet_needs_a_place_to_write(on, tmp_path):
    on("datasheet", "--out", tmp_path / "no" / "x.md").fails(1)


@pytest.mark.parametrize("stage", ORDER)
def test_every_stage_can_be_looked_at(on, stage):
    short, shown = on("inspect", stage, "-n", "3"), on("inspect", stage, "-n", "3", "--full")
    assert (short.code, short.err, short.out.strip().count("\n\n")) == (0, "", 2)
    assert shown.out.count("-" * 72) == 3
    records = on("inspect", stage, "-n", "3", "--json").rows
    assert [record["id"] in shown.out for record in records] == [True] * 3
    one = ("inspect", stage, "--id", records[1]["id"])
    assert on(*one).out.strip() in shown.out
    assert on(*one, "--json").rows[0] == records[1]


@pytest.mark.parametrize("stage", ["split", "export"])
def test_inspect_shows_the_problem_beside_its_place_in_the_dataset(on, stage):
    name = on("inspect", "problems", "-n", "1", "--json").rows[0]["id"]
    shown = on("inspect", "problems", "--id", name).out
    assert shown.split("\n", 2)[2].strip() in on("inspect", stage, "--id", name).out
    assert "split" in on("inspect", "split", "--id", name, "--json").rows[0]


def test_a_sample_is_drawn_by_its_seed(on):
    def shown(*arguments):
        return on("inspect", "questions", *arguments, "--json").rows

    everything, drawn = shown("-n", "0"), shown("--sample", "5")
    assert drawn == shown("--sample", "5", "--seed", "0") != shown("--sample", "5", "--seed", "1")
    assert [record for record in everything if record in drawn] == drawn
    assert shown("--sample", "999") == everything


def test_rejections_can_be_looked_at_all_or_by_reason(on):
    (found, *_) = on("inspect", "questions", "--rejected", "-n", "0", "--json").rows
    of_one_reason = on("inspect", "questions", "--rejected", found["reason"], "--json").rows
    assert {one["reason"] for one in of_one_reason} == {found["reason"]}
    assert f"rejected: {found['reason']}" in on("inspect", "questions", "--id", found["id"]).out


def test_nothing_to_show_is_said(on):
    assert on("inspect", "index", "--rejected").out == "no records\n"


def test_one_record_alone_gives_what_the_stage_gave(on):
    name = on("inspect", "choices", "-n", "1", "--json").rows[0]["id"]
    for stage in ("ingest", "questions", "retrieve", "choices"):
        stored = on("inspect", stage, "--id", name, "--json").out
        assert on("run", stage, "--only", name, "--json", "-q").out == stored
    assert on("run", "questions", "--only", name).out in on("inspect", "questions", "--id", name).out


# --- Corpora that give no dataset ------------------------------------------------------------------------------------


def test_a_corpus_without_persons(call, tiny):
    text = "bed of the river was walked along the whole of its length by a herd of goats on their way home."
    config = tiny([article(f"a{at}", text=f"On day {at}, the dry {text}") for at in range(10)])
    message = "no problem was made from this corpus, so there is nothing to predict"
    remedy = "wdw-build inspect choices --rejected  shows why"
    answer = call("all", "-q", "-c", config)
    assert (answer.code, answer.message) == (1, f"error: {message}   try: {remedy}")
    found = call("inspect", "questions", "--rejected", "-n", "0", "--json", "-c", config).rows
    assert [one["reason"] for one in found] == ["too-few-persons"] * 10


@pytest.fixture(scope="module")
def few(tmp_path_factory, build):
    """Eight articles: a few problems, too few for anything."""
    folder = tmp_path_factory.mktemp("few")
    config = write_config(folder, write_corpus(folder, sample_lines()[:8]), baselines={"exclude_similar": False})
    build("run", "baselines", "-q", "-c", config)
    return config


def test_a_corpus_with_fewer_problems_than_the_configured_minimum(call, few):
    answer = call("all", "-q", "-c", few, "--set", "suppress.min_kept=10")
    answer.fails(1, "fewer than suppress.min_kept = 10", "use a larger corpus")


def test_a_corpus_too_small_to_split_gives_a_training_set_and_a_warning(call, few):
    lenient = ["--set", "suppress={strict: 1.0, relaxed: 1.0, min_kept: 1}", "--set", "split.max_share=0.01"]
    assert "no test set" in call("all", "-c", few, *lenient).ok().err
    call("verify", "-q", "-c", few, *lenient).ok()


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
    ran = call("run", "choices", "-c", config).ok()
    assert ran.out == "ran: ingest, index, sentences, names, questions, retrieve, choices\n"

    def inspect(*arguments):
        return call("inspect", *arguments, "-n", "0", "--json", "-c", config).rows

    assert len(inspect("ingest")) + len(inspect("ingest", "--rejected")) == len(corpus)
    asked = {one["id"] for one in inspect("questions")}
    assert {"plain", "emoji", "surrogate", "empty-paragraphs", "control", "nbsp", "😀", "../../up"} <= asked
    reasons = {one["id"]: one["reason"] for one in inspect("questions", "--rejected")}
    assert reasons["thousands"] == reasons["thousands-of-names"] == "sentence-too-long"
    assert reasons["one-token"] == "sentence-too-short"
    problems = inspect("choices")
    assert "plain" in {one["id"] for one in problems}
    assert any(passage["article"].startswith("tale ") for one in problems for passage in one["passages"])
    for stage in ("ingest", "questions", "retrieve", "choices"):  # what is shown cannot drive a terminal
        shown = call("inspect", stage, "-n", "0", "-c", config).ok()
        assert not set(shown.out) & {"\x1b", "\x07", "\x00", "\u202e", "\x9b"}
