"""The embedded corpus from end to end, with the real components and by the command that users type.

One whole run is made for the session. Of a part of the corpus, a run that is killed twice and finished with other workers and
shards must end in the bytes of one that is not.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reference.figures import FIGURES
from wdw_build.cli import main
from wdw_build.pipeline.stage_order import ON_DEMAND, STAGES

pytestmark = pytest.mark.real

CONFIG = Path(__file__).resolve().parents[2] / "configs" / "sample.yaml"
NAMES = [stage.name for stage in STAGES if stage.name not in ON_DEMAND]
OTHER_EXECUTION = ("execution.workers=1", "execution.shard_size=512")
# Enough articles for two shards of ``choices``.
PART = 110
WAIT_SECONDS = 800


def arguments(output, *words, settings=()):
    changed = [part for setting in (f"output_dir={output}", *settings) for part in ("--set", setting)]
    return [*map(str, words), "--config", str(CONFIG), "--quiet", *changed]


def command(output, *words, settings=()):
    return [sys.executable, "-m", "wdw_build.cli", *arguments(output, *words, settings=settings)]


def wdw(output, *words, settings=()):
    done = subprocess.run(
        command(output, *words, settings=settings), capture_output=True, text=True, check=False, timeout=WAIT_SECONDS
    )
    assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """A whole run with the settings of the file; the folder of its store and runs."""
    output = tmp_path_factory.mktemp("whole")
    wdw(output, "all")
    return output


@pytest.fixture(scope="session")
def summary(whole):
    return json.loads((whole / "runs" / "sample" / "summary.json").read_text(encoding="utf-8"))


def run_folder(output):
    return output / "runs" / "sample"


def bytes_of(output, stage):
    """Records, rejections and exported files of a stage; not the index (never the same twice) nor the model."""
    folder = run_folder(output) / stage
    paths = [*folder.glob("*.jsonl"), *folder.glob("jsonl/*"), *folder.glob("wdw-xml/*/*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def assert_same(output, other):
    for stage in NAMES:
        found, wanted = bytes_of(output, stage), bytes_of(other, stage)
        assert sorted(found) == sorted(wanted), stage
        assert [name for name in wanted if found[name] != wanted[name]] == [], stage
    fingerprints = [
        {stage: json.loads((run_folder(one) / stage / "manifest.json").read_bytes())["fingerprint"] for stage in NAMES}
        for one in (output, other)
    ]
    assert fingerprints[0] == fingerprints[1]


# Off by default, such as split.by_event, export.min_event_score, corpus.faulty_problems and corpus.omitted_problems.
BY_OPTION = set("connected-with-held-out faulty in-leaking-group low-event-score no-pseudonyms omitted".split())
# The names of all problems of the sample can be replaced; the tests of ``pseudonyms`` have a case. Every phrase of the sample loses
# the finite verb that the parser put into it; the tests of ``select_blank`` have phrases that keep one. The letter that a sentence
# of the sample introduces is rejected by ``ingest``, as a transcript; the tests of ``questions`` have such a sentence. No question
# and no passage of the sample has page text; the tests of ``choices`` have both. All selected problems of the sample are strict;
# the tests of ``split`` have relaxed ones.
NOT_IN_SAMPLE = set(
    "ambiguous-name name-left finite-verb introduces-text page-text page-text-in-question relaxed-in-held-out-time".split()
)


@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage.reasons], ids=lambda stage: stage.name)
def test_every_declared_rejection_reason_occurs(summary, stage):
    missing = set(stage.reasons) - set(summary["rejections"].get(stage.name, {})) - BY_OPTION - NOT_IN_SAMPLE
    assert not missing, f"the embedded corpus has no case of {stage.name}: {', '.join(sorted(missing))}"


# Only choices.above_max: refuse has this rule; by default, choices are drawn of too many persons.
RULES_BY_OPTION = {"too-many-choices"}


@pytest.mark.parametrize("stage", ["questions", "choices"])
def test_every_declared_rule_occurs(whole, stage):
    rules = next(one.rules for one in STAGES if one.name == stage)
    lines = [json.loads(line) for text in bytes_of(whole, stage).values() for line in text.splitlines()]
    tried = [one for line in lines for key in ("refused", "candidates") for one in line.get(key, ())]
    assert set(rules) - {one["rule"] for one in tried} - RULES_BY_OPTION - NOT_IN_SAMPLE == set()


def seconds_of_children():
    """Processor seconds of the commands that have ended: a loaded machine needs no more of them."""
    used = os.times()
    return used.children_user + used.children_system


def test_a_second_run_does_nothing_and_is_quick(whole):
    before = {path: path.stat().st_mtime_ns for path in (whole / "store").rglob("*.json*")}
    begun = seconds_of_children()
    assert json.loads(wdw(whole, "run", "export", "--json")) == {"ran": [], "linked": [], "stale": []}
    wdw(whole, "all")
    assert seconds_of_children() - begun < 30
    assert {path: path.stat().st_mtime_ns for path in (whole / "store").rglob("*.json*")} == before


def kill_when(output, stage, ready, settings=()):
    """Start a build and kill it, workers and all, as soon as ``ready`` says so of the stage's staging folder."""
    build = command(output, "all", settings=settings)
    process = subprocess.Popen(build, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if any(ready(folder) for folder in (output / "store" / stage).glob(".*.staging")):
            break
        time.sleep(0.02)
    else:
        pytest.fail(f"{stage} was over (or never began) before it could be killed: exit {process.poll()}")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (run_folder(output) / stage / "manifest.json").exists()


def test_a_run_killed_in_questions_and_in_choices_ends_in_the_same_bytes_with_other_workers_and_shards(tmp_path):
    """Two workers die in ``questions``; one worker with the smallest shards makes all anew, and dies in ``choices``."""
    lines = (CONFIG.parents[1] / "data" / "sample" / "articles.jsonl").read_bytes().splitlines(keepends=True)
    corpus, plain, killed = tmp_path / "articles.jsonl", tmp_path / "plain", tmp_path / "killed"
    corpus.write_bytes(b"".join(lines[:PART]))
    settings = (f"corpus.path={corpus}", "suppress.min_kept=5", "execution.workers=2")
    wdw(plain, "all", settings=settings)
    earlier = ("ingest", "index", "sentences", "names")
    for stage in earlier:
        shutil.copytree(plain / "store" / stage, killed / "store" / stage)
    kill_when(killed, "questions", lambda folder: any((folder / ".tasks" / "run").glob("*")), settings)
    for stage in earlier:
        shutil.rmtree(killed / "store" / stage)
    settings = (*settings, *OTHER_EXECUTION)
    kill_when(killed, "choices", lambda folder: any((folder / ".tasks" / "run").glob("*/.result")), settings)
    (staging,) = (killed / "store" / "choices").glob(".*.staging")
    assert list((staging / ".tasks" / "run").glob("*/.result")), "the first shard is kept"
    wdw(killed, "all", settings=settings)
    assert not staging.exists()
    assert_same(killed, plain)


def test_the_figures_of_the_sample_are_those_of_the_run(whole, summary):
    read, written = (summary["outputs"]["ingest"][name] for name in ("read", "written"))
    found = {
        "articles": read,
        "ingested": written,
        "strict": summary["suppression"]["strict"],
        "exported": summary["outputs"]["export"]["written"],
    }
    assert found == FIGURES["sample"]


# ---- the outputs that the pages show ------------------------------------------------------------------------------------

PAGES = CONFIG.parents[1] / "docs"
READ_ONLY = ("inspect", "status", "summary", "trace", "verify")
# Seconds, megabytes and the kind of build of each stage are those of another machine.
MEASURED = re.compile(r"^(\w+ +[\d.]+ +[\d.]+ +\d+ +\d+|stage +seconds.*)$")
# Ports and tokens are new at each start, and the day is today's.
ADDRESS = re.compile(r"\d+/enter\?token=\S+")
DAY = re.compile(r"(?<=measured on data [0-9a-f]{12}, )\d{4}-\d\d-\d\d")


def shown_outputs(*kinds):
    """(page, command, shown lines) of each block with one command of these kinds on the sample."""
    for page in sorted(PAGES.rglob("*.md")):
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            first, *lines = block.strip().split("\n")
            if first.startswith("$ wdw-build ") and " -c configs/sample.yaml" in first and lines:
                words = shlex.split(first.replace(" -c configs/sample.yaml", ""))[2:]
                if words[0] in kinds and not any(line.startswith(("$", "error:")) for line in lines):
                    yield pytest.param(words, lines, id=f"{page.stem}-{words[0]}")


def fixed(text):
    return DAY.sub("…", ADDRESS.sub("…", text))


@pytest.fixture
def printed(capfd):
    """What a command that needs no process of its own prints."""

    def run(output, *words, settings=()):
        capfd.readouterr()
        assert main(arguments(output, *words, settings=settings)) == 0, capfd.readouterr().err
        return capfd.readouterr().out

    return run


def assert_shows(lines, printed):
    """The lines are printed in this order; white space may differ, and … stands for whatever was left out."""
    printed = " ".join(fixed(printed).split())
    place = 0
    for line in lines:
        for piece in [] if MEASURED.match(line) else fixed(line).split("…"):
            wanted = " ".join(piece.split())
            found = printed.find(wanted, place)
            assert found >= 0, f"{wanted!r} is not printed after {printed[max(0, place - 200) : place]!r}"
            place = found + len(wanted)


@pytest.mark.parametrize(("words", "lines"), list(shown_outputs(*READ_ONLY)))
def test_a_page_shows_what_the_command_prints(whole, printed, words, lines):
    settings = [words[place + 1] for place, word in enumerate(words) if word == "--set"]
    plain = [word for place, word in enumerate(words) if "--set" not in words[max(0, place - 1) : place + 1]]
    assert_shows(lines, printed(whole, *plain, settings=settings))


@pytest.mark.parametrize(("words", "lines"), list(shown_outputs("datasheet", "export")))
def test_a_page_shows_what_a_command_writes(whole, printed, words, lines):
    assert_shows(lines, printed(whole, *words).replace(str(whole), "out/sample"))


@pytest.fixture(scope="session")
def renamed(whole):
    """The run with the output of ``pseudonyms``, which only the measurements of names need."""
    wdw(whole, "run", "pseudonyms")
    return whole


@pytest.mark.parametrize(("words", "lines"), list(shown_outputs("bench")))
def test_a_page_shows_what_bench_measures(renamed, words, lines):
    # Earlier measurements would be rows of the table.
    shutil.rmtree(run_folder(renamed) / "bench", ignore_errors=True)
    (run_folder(renamed) / "bench.json").unlink(missing_ok=True)
    assert_shows(lines, wdw(renamed, *words))


def answered_by_script(output):
    """Answers the sheet of the page as two persons: as marked, except each 25th and each 20th problem."""
    served(output, "annotate", "--problems", "50")
    items = run_folder(output) / "annotate" / "50-seed-0-passage" / "items.jsonl"
    rows = ["number,person,answer"]
    for problem in map(json.loads, items.read_text(encoding="utf-8").splitlines()):
        for person, every in (("Ada", 25), ("Ben", 20)):
            is_right = problem["number"] % every
            answer = problem["choices"][problem["answer"]] if is_right else "cannot tell"
            rows.append(f'{problem["number"]},{person},"{answer}"')
    (output / "answers.csv").write_text("\n".join(rows), encoding="utf-8")
    wdw(output, "annotate", "import", output / "answers.csv")


def served(output, *words):
    """What a server prints before it waits for requests."""
    process = subprocess.Popen(command(output, *words), stdout=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        printed = []
        while "Ctrl-C stops the server." not in "".join(printed[-1:]):
            printed.append(process.stdout.readline())
            assert printed[-1], f"{words}: no server after {printed}"
        return "".join(printed)
    finally:
        process.terminate()
        process.communicate(timeout=WAIT_SECONDS)


# What people wrote into a collection is not part of the sample.
FOR_PEOPLE = [shown for shown in shown_outputs("annotate", "collect") if "export" not in shown.values[0]]


@pytest.mark.parametrize(("words", "lines"), FOR_PEOPLE)
def test_a_page_shows_what_the_commands_for_people_print(whole, words, lines):
    if "score" in words:
        answered_by_script(whole)
        assert_shows(lines, wdw(whole, *words))
    else:
        # The line of progress is for the terminal alone.
        assert_shows([line for line in lines if not line.startswith("loading ")], served(whole, *words))


def test_the_tutorial_shows_what_every_stage_counted(whole):
    text = (PAGES / "tutorials" / "first-dataset.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^(\w+): (\d+ read, .*)$", text, re.MULTILINE))
    assert list(shown) == NAMES
    for stage, line in shown.items():
        made = json.loads((run_folder(whole) / stage / "manifest.json").read_text(encoding="utf-8"))
        reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(made["reasons"].items()))
        printed = (
            f"{made['read']} read, {made['written']} written, {made['rejected']} rejected"
            + f" ({reasons})" * bool(reasons)
        )
        assert line in (printed, f"{printed.partition(' (')[0]} (…)")
