"""Usage: help for every command, and a message with exit code 2 for every wrong command line."""

import importlib
import json
import re
import shlex
import signal
from typing import get_args

import pytest

from support.interpreter import heavy_imports
from wdw_build import __version__
from wdw_build.cli.parser import build_parser
from wdw_build.pipeline import BY_NAME, ON_DEMAND
from wdw_build.records import Names

COMMANDS = build_parser().commands.choices

WITH_CONFIG = [
    "all",
    "run",
    "status",
    "inspect",
    "trace",
    "explore",
    "summary",
    "verify",
    "annotate serve",
    "annotate sheet",
    "annotate import",
    "export",
    "datasheet",
    "report",
    "config show",
    "config check",
]
OPTIONS = {
    "all": ["--force", "--dry-run", "--no-estimate"],
    "run": ["STAGE", "--from", "--to", "--only", "--force", "--dry-run", "--no-estimate"],
    "status": ["--check"],
    "annotate serve": [
        "--problems",
        "--strata",
        "--condition",
        "--task",
        "--sheet",
        "--host",
        "--port",
        "--token-file",
    ],
    "annotate sheet": ["--problems", "--seed", "--from"],
    "annotate import": ["ANSWERS", "--as"],
    "export": ["FORMAT", "-o DIR, --out DIR", "--force"],
    "datasheet": ["-o FILE, --out FILE"],
    "report": ["--seed", "-o FILE, --out FILE"],
    "inspect": ["--id", "--sample", "--seed", "--rejected", "--count", "--schema", "--skip", "--limit"],
    "trace": ["ID", "--html"],
    "explore": ["--sqlite", "--no-serve", "--port"],
}


def test_the_help_names_every_command_and_exit_code(call):
    answer = call("--help")
    assert answer.code == 0
    assert all(re.search(rf"^    {command} ", answer.out, re.MULTILINE) for command in COMMANDS)
    assert all(f"{code} " in answer.out for code in (0, 1, 2, 3, 4, 130))


@pytest.mark.parametrize("command", [*COMMANDS, "config show", "config check", "config schema"])
def test_every_command_has_help(call, command):
    answer = call(*command.split(), "--help")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith(f"usage: wdw-build {command}")


def test_every_command_and_every_action_runs_a_function():
    parsers = list(build_parser().commands.choices.values())
    for parser in parsers:
        parsers += parser.actions.choices.values() if hasattr(parser, "actions") else ()
        if not hasattr(parser, "actions"):
            module, _, function = parser.get_default("function").partition(":")
            assert callable(getattr(importlib.import_module(f"wdw_build.cli.{module}"), function))


@pytest.mark.parametrize("command", WITH_CONFIG)
def test_commands_over_a_configuration_share_their_options(call, command):
    out = call(*command.split(), "--help").out
    assert all(option in out for option in ("--config FILE", "--set KEY=VALUE", "--json"))
    assert ("--quiet" in out) is not command.startswith("config ")  # which prints no log
    assert all(option in out for option in OPTIONS.get(command, []))


def test_every_option_has_a_help_text():
    bare, parsers = [], [("", build_parser())]
    while parsers:
        name, parser = parsers.pop()
        for action in parser._actions:
            if action.nargs == "A...":
                parsers += [(f"{name} {key}", below) for key, below in action.choices.items()]
            elif not action.help:
                bare.append((name, action.dest))
    assert bare == []


def test_help_is_a_command_too(call):
    assert call("help").out == call("--help").out
    assert call("help", "config").out == call("config", "--help").out


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"config", "doctor", "explore", "quality", "setup"}))
def test_the_help_of_a_main_command_ends_with_an_example_that_can_be_parsed(call, command):
    example = re.search(rf"^example: wdw-build ({command} .+)$", call(command, "--help").out, re.MULTILINE)[1]
    assert build_parser().parse_args(shlex.split(example)).command == command


@pytest.mark.parametrize(("command", "option"), [("annotate", "--problems"), ("collect", "--passages")])
def test_the_help_shows_the_options_of_the_default_action(call, command, option):
    assert option in call(command, "--help").out


def test_a_missing_program_is_said_before_the_plan_of_a_dry_run(call, tiny, monkeypatch, tmp_path):
    monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))
    answer = call("all", "--dry-run", "-c", tiny([article_line()]))
    assert (answer.code, answer.out) == (3, "")
    assert "KenLM's lmplz is missing" in answer.message


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("seed=abc", "seed: Expected a whole number, got a text"),
        ("retrieve.windows=7", "retrieve.windows: Expected a list, got a whole number   try: such as [1, 3, 7]"),
        (
            "split.max_share=0,3",
            "split.max_share: Expected a number, got a text   try: such as 0.3, with a decimal point",
        ),
        ("ingest.date_formats=%d/%m", """--set 'ingest.date_formats=["%d/%m"]'"""),
    ],
)
def test_a_value_of_another_type_is_answered_in_words(call, tiny, override, message):
    answer = call("config", "check", "-c", tiny([article_line()]), "--set", override)
    assert answer.code == 2
    assert message in answer.message


def test_the_beginning_of_an_option_stands_for_it(call, tiny):
    assert call("status", "--conf", tiny([article_line()]), "--qu").code == 0


def test_a_stage_that_does_not_exist_is_answered_with_the_nearest(call, tiny):
    assert "did you mean 'retrieve'?" in call("run", "retreive", "-c", tiny([article_line()])).message


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["status", "--set", "corpus.reader=csvv"], "did you mean 'csv'? known: "),
        (["status", "--set", "corpus.options.field={}"], "did you mean 'fields'? options of the reader jsonl: "),
        (["inspect", "questions", "--rejected", "cordinated"], "did you mean 'coordinated'? reasons: "),
        (["status", "--set", "run=a/b"], "letters, digits, `.`, `_` and `-`"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(call, tiny, arguments, remedy):
    answer = call(*arguments, "-c", tiny([article_line()]))
    assert answer.code == 2
    assert remedy in answer.message


def test_an_id_that_a_stage_does_not_have_is_answered_with_the_command_that_lists_ids(call, tiny):
    path = tiny([article_line()])
    call("run", "ingest", "-q", "-c", path)
    assert "wdw-build inspect ingest -c FILE  lists ids" in call("inspect", "ingest", "--id", "x", "-c", path).message


def test_tabs_in_a_configuration_are_answered_with_spaces(call, tmp_path):
    path = tmp_path / "tab.yaml"
    path.write_text("run:\tx\n")
    assert "YAML indents with spaces" in call("status", "-c", path).message


def test_the_version(call):
    assert call("--version") == (0, f"wdw-build {__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ([], "COMMAND"),
        ([], "no command given (wdw-build --help lists them): all, run, status"),
        (
            ["inspect", "--rejected", "questions", "-c", "x.yaml"],
            "--rejected takes the next word as its reason, so put STAGE",
        ),
        (["al"], "invalid choice: 'al' is not a command; did you mean 'all'?"),
        (["xyz"], "invalid choice: 'xyz' (choose from 'all'"),
        (["-c", "x.yaml", "all"], "-c stands before the command; put options after it: wdw-build all -c"),
        (["all", "x.yaml"], "did you mean -c x.yaml?"),
        (["all", "--confg", "x.yaml"], "unrecognized arguments: --confg; did you mean '--config'?"),
        (["annotate", "scroe", "-c", "x.yaml"], "invalid action 'scroe'; did you mean 'score'?"),
        (["annotate", "-c", "x.yaml", "--probelms", "3"], "--probelms; did you mean '--problems'?"),
        (["collect", "prepare", "--help"], "invalid action 'prepare' (actions: serve, export, score, forget)"),
        (["inspect", "ingest", "-c", "x.yaml", "--seed", "abc"], "'abc' is not a whole number of 0 or more"),
        (["all"], "-c/--config"),
        (["config"], "ACTION"),
        (["quality", "-c", "x.yaml"], "an action must come first: phenomena"),
        (["config", "shew"], "invalid choice: 'shew'"),
        (["inspect", "-c", "x.yaml"], "the following arguments are required: STAGE"),
        (["inspect", "ingest", "-c", "x.yaml", "--sample", "many"], "'many' is not a whole number of 1 or more"),
        (["annotate", "import", "a.jsonl", "-c", "x.yaml"], "the following arguments are required: --as"),
        (["annotate", "-c", "x.yaml", "--problems", "0"], "'0' is not a whole number of 1 or more"),
        (["annotate", "sheet", "-c", "x.yaml", "--seed", "-1"], "'-1' is not a whole number of 0 or more"),
        (["annotate", "-c", "x.yaml", "--from", "dev"], "invalid choice: 'dev'"),
        (["report"], "-c/--config"),
        (["diff", "one"], "RUN2"),
        (["all", "-c", "x.yaml", "--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_a_command_line_that_cannot_be_parsed(call, arguments, fault):
    answer = call(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert fault in answer.err
    assert answer.err.startswith("usage: wdw-build")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run"], "no stage given"),
        (["run", "ingest", "--from", "index"], "give a stage or --from/--to, not both"),
        (["run", "quest"], "unknown stage 'quest'"),
        (["run", "--from", "quest"], "unknown stage 'quest'"),
        (["run", "--from", "split", "--to", "dedup"], "split comes after dedup"),
        (["run", "--to", "dedup", "--only", "a"], "--only needs a stage"),
        (["run", "quest", "--only", "a"], "unknown stage 'quest'"),
        (["run", "split", "--only", "a"], "split needs all records"),
        (["run", "questions", "--only", "a"], "run 'tiny' has no output of sentences"),
        (["run", "ingest", "--only", "nobody"], "the corpus has no record 'nobody'"),
        (["inspect", "quest"], "unknown stage 'quest'"),
        (["inspect", "ingest"], "run 'tiny' has no output of ingest"),
        (["summary"], "run 'tiny' has no output of ingest"),
        (["verify"], "run 'tiny' has no output of export"),
        (["annotate", "sheet"], "run 'tiny' has no output of ingest"),
        (["report"], "run 'tiny' has no output of ingest"),
        (["annotate", "import", "nowhere.jsonl", "--as", "Eve"], "nowhere.jsonl: No such file or directory"),
    ],
)
def test_a_command_that_cannot_be_done(call, tiny, arguments, message):
    answer = call(*arguments, "-c", tiny([article_line()]))
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("error: ")
    assert message in answer.message


def article_line():
    return {"id": "a", "date": "2014-03-04", "text": "It rained."}


def test_commands_that_only_look_load_no_heavy_library(tiny):
    config = str(tiny([article_line()]))
    commands = [
        ["--help"],
        ["--version"],
        ["config", "schema"],
        ["status", "-c", config],
        ["config", "show", "-c", config],
    ]
    code = (
        "import contextlib, io\nfrom wdw_build.cli import main\nunseen = io.TextIOWrapper(io.BytesIO())\n"
        f"for command in {commands!r}:\n"
        "    with contextlib.redirect_stdout(unseen), contextlib.suppress(SystemExit):\n        main(command)\n"
    )
    assert heavy_imports(code) == []


def test_the_plan_of_a_new_configuration_names_every_stage_and_why(call, tiny):
    config = tiny([article_line()])
    answer = call("status", "-c", config)
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert [line.split()[0] for line in lines] == [name for name in BY_NAME if name not in ON_DEMAND]
    assert lines[0].endswith("would run: it has not been run")
    assert lines[1].endswith("would run: ingest will run")
    assert call("all", "--dry-run", "--no-estimate", "-c", config).out == answer.out
    assert call("run", "index", "--dry-run", "--no-estimate", "-c", config).out.splitlines() == lines[:2]
    assert not (config.parent / "out").exists()


@pytest.mark.parametrize("command", [["all"], ["run", "index"]])
def test_no_estimate_without_a_dry_run_is_refused(call, tiny, command):
    answer = call(*command, "--no-estimate", "-c", tiny([article_line()]))
    assert answer.code == 2
    assert "--no-estimate needs --dry-run" in answer.err


def test_status_check_ends_with_4_if_a_stage_would_run(call, tiny):
    answer = call("status", "--check", "-c", tiny([article_line()]))
    assert answer.code == 4
    assert "not every stage is up to date" in answer.message
    assert "wdw-build all with the same options" in answer.message


def test_a_byte_that_changed_in_the_store_is_named_by_status_and_the_stage_runs_again(call, tiny):
    path = tiny([article_line()])
    call("run", "ingest", "-q", "-c", path)
    (part,) = (path.parent / "out" / "store" / "ingest").glob("*/part-00000.jsonl")
    written = part.read_bytes()
    part.write_bytes(written.replace(b'"id":"a"', b'"id":"c"'))
    status = call("status", "-c", path).out
    assert "would run: its output is damaged: part-00000.jsonl does not have the content that was written" in status
    assert call("run", "ingest", "-q", "-c", path).code == 0
    assert part.read_bytes() == written


def test_config_show_gives_the_whole_configuration(call, tiny):
    config = tiny([article_line()])
    shown = call("config", "show", "-c", config, "--set", "seed=3")
    assert "min_tokens: 10" in shown.out
    plain = json.loads(call("config", "show", "--json", "-c", config, "--set", "seed=3").out)
    assert plain["seed"] == 3
    assert plain["questions"]["min_tokens"] == 10
    again = config.with_name("again.yaml")
    again.write_text(shown.out)
    assert call("config", "show", "-c", again).out == shown.out


def test_config_check_looks_at_the_readers_options_and_the_formats_too(call, tiny):
    config = tiny([article_line()])
    answer = call("config", "check", "-c", config)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith(f"{config}: ok\n")
    assert json.loads(call("config", "check", "--json", "-c", config).out)["ok"] is True
    answer = call("config", "check", "-c", config, "--set", "corpus.options.field=1")
    assert answer.code == 2
    assert "field" in answer.message
    answer = call("config", "check", "-c", config, "--set", "export.formats=[jsonl, csv]")
    assert answer.code == 2
    assert "unknown export format 'csv'" in answer.message
    assert (
        "known: cnn-dm, croissant, ga-reader, jsonl, keys, lm-eval, parquet, quoref, squad, wdw-xml;" in answer.message
    )
    answer = call("config", "check", "-c", config, "--set", "adversary.systems=[nobody]")
    assert answer.code == 2
    assert "unknown system 'nobody'" in answer.message


def test_config_schema_is_json_with_a_section_for_every_stage_that_has_keys(call):
    sections = set(json.loads(call("config", "schema").out)["$defs"]["Config"]["properties"])
    assert sections & set(BY_NAME) == {name for name, stage in BY_NAME.items() if stage.config.__struct_fields__}


def test_the_names_that_export_takes_are_those_of_the_configuration(call):
    assert f"--names {{{','.join(get_args(Names))}}}" in call("export", "--help").out


@pytest.mark.parametrize(
    ("number", "code", "name"), [(signal.SIGTERM, 143, "Terminated"), (signal.SIGHUP, 129, "Hangup")]
)
def test_sigterm_and_sighup_end_a_command_as_ctrl_c_does(call, monkeypatch, number, code, name):
    before = signal.getsignal(number)
    monkeypatch.setattr("wdw_build.cli.doctor.doctor", lambda _: signal.raise_signal(number))
    answer = call("doctor")
    resumes = "finished shards are kept, and the same command resumes from them"
    assert (answer.code, answer.out, answer.err) == (code, "", f"ended by a signal ({name}); {resumes}\n")
    assert signal.getsignal(number) is before


def test_a_command_under_nohup_outlives_its_terminal(call, monkeypatch):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr("wdw_build.cli.doctor.doctor", lambda _: signal.raise_signal(signal.SIGHUP) or 0)
    assert call("doctor").code == 0
    signal.signal(signal.SIGHUP, before)
