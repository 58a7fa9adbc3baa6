"""Usage: help for every command, and a message with exit code 2 for every wrong command line."""

import re
import shlex
import signal
import sys

import pytest
import typer

from support.command_lines import leaves, parsed
from support.entry_points import Point
from support.interpreter import heavy_imports
from wdw_build import __version__
from wdw_build.cli import app, main
from wdw_build.cli.app import COMMANDS
from wdw_build.command import Entry
from wdw_build.pipeline.stage_order import BY_NAME, ON_DEMAND

LEAVES = leaves()


def test_the_help_names_every_command_and_exit_code(call):
    answer = call("--help")
    assert (answer.code, answer.err) == (0, "")
    for command in (*COMMANDS, "annotate", "bench", "collect", "quality"):
        assert re.search(rf"^  {command} +\w", answer.out, re.MULTILINE)
    assert all(f"{code} " in answer.out for code in (0, 1, 2, 3, 4, 130))


@pytest.mark.parametrize("command", LEAVES)
def test_every_command_has_help_and_so_has_each_of_its_options(call, command):
    answer = call(*command.split(), "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"Usage: wdw-build {command} ")
    assert [param.name for param in LEAVES[command].params if not param.help] == []


@pytest.mark.parametrize("command", LEAVES)
def test_options_of_several_commands_are_spelt_alike(command):
    spelt = {param.name: param.opts for param in LEAVES[command].params}
    alike = {"config": ["-c", "--config"], "overrides": ["--set"], "quiet": ["-q", "--quiet"], "as_json": ["--json"]}
    alike |= {"out": ["-o", "--out"], "force": ["--force"]}
    for name, options in alike.items():
        assert spelt.get(name, options) == options


def test_help_is_a_command_too(call):
    assert call("help").out == call("--help").out
    assert call("help", "config").out == call("config", "--help").out


@pytest.mark.parametrize("command", [name for name, entry in COMMANDS.items() if isinstance(entry, Entry)])
def test_the_example_of_a_command_can_be_parsed(call, command):
    example = re.search(r"Example: wdw-build (.+)$", call(command, "--help").out, re.MULTILINE)
    assert example is None or parsed(shlex.split(example[1])) is not None


def test_a_command_line_without_an_action_means_the_default_action():
    assert parsed(["annotate", "-c", "x.yaml", "--problems", "3"])["problems"] == 3


# ---- commands of other packages --------------------------------------------------------------------------------------


@pytest.fixture
def guest(monkeypatch):
    """Let a package add the command ``greet``."""

    def added(loaded):
        monkeypatch.setattr(app, "entry_points", lambda group: [Point("greet", "guest:greet", loaded)])

    return added


def greet(name: str) -> None:
    """Greet somebody."""
    print(f"hello {name}")


def test_a_package_adds_a_command_as_a_function_or_as_a_typer_app(call, guest):
    guest(greet)
    assert call("greet", "Eve") == (0, "hello Eve\n", "")
    assert "Greet somebody." in call("--help").out
    several = typer.Typer()
    several.command()(greet)
    several.command("other")(greet)
    guest(several)
    assert call("greet", "other", "Eve") == (0, "hello Eve\n", "")


def test_a_command_whose_package_is_broken_says_so_and_disturbs_no_other(call, guest):
    guest(RuntimeError("no luck"))
    fault = "the command greet, entry point guest:greet, cannot be loaded: RuntimeError: no luck"
    remedy = "correct or uninstall the package that provides it"
    assert call("greet").message == f"error: {fault}   try: {remedy}"
    assert call("--help").code == 0


@pytest.mark.parametrize("target", ["nowhere:greet", "cli_corpora:needs_a_library"])
def test_a_command_without_its_libraries_names_the_extra_that_has_them(call, guest, target):
    guest(Entry(target, "greet somebody", extra="greetings"))
    missing = "nowhere is not installed; wdw-build greet needs it"
    call("greet").fails(3, missing, 'pip install "wdw-build[greetings]"')


# ---- wrong command lines ---------------------------------------------------------------------------------------------


FORMATS = "cnn-dm, ga-reader, jsonl, keys, lm-eval, parquet, quoref, squad, squad-flat, wdw-xml"


WRONG_VALUES = [
    ("retrieve.windows=7", "retrieve.windows: Expected a list, got a whole number", "brackets, such as [1, 3, 7]"),
    ("split.max_share=0,3", "split.max_share: Expected a number, got a text", "such as 0.3, with a decimal point"),
    ("ingest.date_formats=%d/%m", "", """--set 'ingest.date_formats=["%d/%m"]'"""),
    ("adversary.systems=[nobody]", "unknown system 'nobody'", ""),
    ("export.formats=[jsonl, csv]", "unknown export format 'csv'", f"known: {FORMATS};"),
]


@pytest.mark.parametrize(("override", "fault", "remedy"), WRONG_VALUES)
def test_a_value_of_another_type_or_an_unknown_name_is_answered_in_words(call, one, override, fault, remedy):
    call("config", "check", "-c", one, "--set", override).fails(2, fault, remedy)


def test_an_id_that_a_stage_does_not_have_is_answered_with_the_command_that_lists_ids(call, one):
    call("run", "ingest", "-q", "-c", one)
    messages = ("ingest has no record or rejection 'nobody'", "wdw-build inspect ingest -c FILE  lists ids")
    call("inspect", "ingest", "--id", "nobody", "-c", one).fails(2, *messages)


def test_tabs_in_a_configuration_are_answered_with_spaces(call, tmp_path):
    path = tmp_path / "tab.yaml"
    path.write_text("run:\tx\n")
    assert "YAML indents with spaces" in call("status", "-c", path).message


def test_the_version(call):
    assert call("--version") == (0, f"wdw-build {__version__}\n", "")


UNPARSED = [
    ([], "Missing command.", "wdw-build --help"),
    (["al"], "No such command 'al'. Did you mean 'all'?", "wdw-build --help"),
    (["-c", "x.yaml", "all"], "No such option: -c", "put options after the command: wdw-build COMMAND"),
    (["all", "--confg", "x.yaml"], "No such option: --confg (Possible options: --config", "wdw-build all --help"),
    (["annotate", "scroe"], "No such command 'scroe'. Did you mean 'score'?", "wdw-build annotate --help"),
    (["annotate", "-c", "x", "--probelms", "3"], "--problems)", "wdw-build annotate serve --help"),
    (["all"], "Missing option '-c' / '--config'", "wdw-build all --help"),
    (["config"], "Missing command.", "wdw-build config --help"),
    (["inspect", "-c", "x.yaml"], "Missing argument 'STAGE'", "wdw-build inspect --help"),
    (["inspect", "ingest", "-c", "x.yaml", "--sample", "0"], "Invalid value for '--sample'", "wdw-build inspect"),
    (["inspect", "ingest", "-c", "x.yaml", "--seed", "abc"], "Invalid value for '--seed'", "wdw-build inspect"),
    (["annotate", "-c", "x.yaml", "--from", "dev"], "'dev' is not one of 'train'", "wdw-build annotate serve"),
    (["diff", "one", "two", "three"], "unexpected extra argument(s) (three)", "wdw-build diff --help"),
    (["inspect", "ingest", "--where", "a = 1", "-c", "x"], "inspect --where was removed", "jq"),
    (["export", "squad", "--names=surrogates", "-c", "x"], "'surrogates' is not one of", "wdw-build export --help"),
    (["annotate", "sheet", "-c", "x"], "annotate sheet was removed", "annotate serves"),
    (["doctor", "--licences"], "doctor --licences was removed", "pip-licenses"),
    (["trace", "--as-passage", "-c", "x"], "trace --as-passage was removed", "candidates of wdw-build explore"),
]


@pytest.mark.parametrize(("arguments", "fault", "remedy"), UNPARSED)
def test_a_command_line_that_cannot_be_parsed(call, arguments, fault, remedy):
    answer = call(*arguments)
    assert (answer.code, answer.out) == (2, "")
    error, hint = answer.err.splitlines()
    assert error.startswith("error: ")
    assert fault in error
    assert hint.startswith("  try: ")
    assert remedy in hint


READING = ["inspect ingest", "summary", "verify", "annotate", "report"]


IMPOSSIBLE = [
    (["run", "quest"], "unknown stage 'quest'"),
    (["run"], "no stage given"),
    (["run", "ingest", "--from", "index"], "give a stage or --from/--to, not both"),
    (["run", "--from", "quest"], "unknown stage 'quest'"),
    (["run", "--to", "dedup", "--only", "a"], "--only needs a stage"),
    (["run", "quest", "--only", "a"], "unknown stage 'quest'"),
    (["inspect", "quest"], "unknown stage 'quest'"),
    *((command.split(), "run 'tiny' has no output of ingest") for command in READING),
    (["inspect", "questions", "coordinated"], "a reason needs --rejected"),
    (["status", "--set", "corpus.reader=csvv"], "did you mean 'csv'? known: "),
    (["status", "--set", "corpus.options.field={}"], "did you mean 'fields'? options of the reader jsonl: "),
    (["inspect", "questions", "--rejected", "cordinated"], "questions has no rejection reason 'cordinated'"),
    (["inspect", "questions", "--rejected", "cordinated"], "did you mean 'coordinated'? reasons: "),
]


@pytest.mark.parametrize(("arguments", "message"), IMPOSSIBLE)
def test_a_command_that_cannot_be_done(call, one, arguments, message):
    answer = call(*arguments, "-c", one)
    assert (answer.code, answer.out, answer.err[:7]) == (2, "", "error: ")
    assert message in answer.message


@pytest.fixture
def one(tiny):
    """A configuration over one article."""
    return tiny([{"id": "a", "date": "2014-03-04", "text": "It rained."}])


def test_commands_that_only_look_load_no_heavy_library(one):
    commands = ["--help", "--version", "config schema", f"status -c {one}", f"config show -c {one}"]
    code = (
        "import contextlib, io\nfrom wdw_build.cli import main\nunseen = io.TextIOWrapper(io.BytesIO())\n"
        f"for command in {commands!r}:\n"
        "    with contextlib.redirect_stdout(unseen):\n        main(command.split())\n"
    )
    assert heavy_imports(code) == []


def test_the_plan_of_a_new_configuration_names_every_stage_and_why(call, one):
    lines = call("status", "-c", one).ok().out.splitlines()
    assert [line.split()[0] for line in lines] == [name for name in BY_NAME if name not in ON_DEMAND]
    assert lines[0].endswith("would run: it has not been run")
    assert lines[1].endswith("would run: ingest will run")
    assert not (one.parent / "out").exists()


def test_status_check_ends_with_4_if_a_stage_would_run(call, one):
    messages = ("not every stage is up to date", "wdw-build all with the same options")
    call("status", "--check", "-c", one).fails(4, *messages, out="would run: it has not been run")


def test_config_show_gives_the_whole_configuration(call, one):
    show = ("config", "show", "--set", "seed=3", "-c")
    shown = call(*show, one).out
    assert "min_tokens: 10" in shown
    plain = call(*show, one, "--json").json
    assert (plain["seed"], plain["questions"]["min_tokens"]) == (3, 10)
    again = one.with_name("again.yaml")
    again.write_text(shown)
    assert call("config", "show", "-c", again).out == shown


def test_config_check_says_ok(call, one):
    answer = call("config", "check", "-c", one)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith(f"{one}: ok\n")
    assert call("config", "check", "--json", "-c", one).json["ok"] is True


def test_config_schema_is_json_with_a_section_for_every_stage_that_has_keys(call):
    sections = set(call("config", "schema").json["$defs"]["Config"]["properties"])
    assert sections & set(BY_NAME) == {name for name, stage in BY_NAME.items() if stage.config.__struct_fields__}


# ---- signals and completion ------------------------------------------------------------------------------------------


def test_a_command_under_nohup_outlives_its_terminal(call, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr("wdw_build.cli.doctor.doctor", lambda: signal.raise_signal(signal.SIGHUP))
    assert call("doctor").code == 0
    signal.signal(signal.SIGHUP, before)


COMPLETIONS = [
    ("wdw-build re", ["rebuild", "report"]),
    ("wdw-build run s", [name for name in BY_NAME if name.startswith("s")]),
    ("wdw-build export sq", ["squad", "squad-flat"]),
    ("wdw-build config s", ["show", "schema"]),
    ("wdw-build all --dr", ["--dry-run"]),
]


@pytest.mark.parametrize(("words", "offered"), COMPLETIONS)
def test_a_shell_completes_commands_options_stages_and_formats(capsys, monkeypatch, words, offered):
    monkeypatch.setenv("_WDW_BUILD_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    # The shell calls the command without arguments.
    monkeypatch.setattr(sys, "argv", ["wdw-build"])
    with pytest.raises(SystemExit, match="0"):
        main()
    assert capsys.readouterr().out.split() == offered
