"""Shared by the command line's tests: calls, tiny corpora, and one real run of forty sample articles for all."""

import gc
import json
import shutil
import signal
from pathlib import Path
from typing import NamedTuple

import pytest
from cli_corpora import sample_lines, write_config, write_corpus

from wdw_build.cli import main
from wdw_build.pipeline import backends


class Answer(NamedTuple):
    """What a command did: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def message(self):
        """The lines of the error message, as one line."""
        return " ".join(line for line in self.err.splitlines() if line.startswith(("error: ", "  try: ")))

    @property
    def json(self):
        """What the command printed as JSON; an error prints none."""
        return json.loads(self.out)

    @property
    def rows(self):
        """What a command that went well printed as lines of JSON."""
        return [json.loads(line) for line in self.ok().out.splitlines()]

    def ok(self):
        """The answer, which must be no error."""
        assert self.code == 0, self
        return self

    def fails(self, code, *parts, out=None):
        """Check that this is an error of that code whose message holds all parts and says what to do; ``out`` was printed."""
        assert (self.code, bool(self.out)) == (code, out is not None)
        assert (out or "") in self.out
        lines = [line[:7] for line in self.err.splitlines() if line.startswith(("error: ", "  try: "))]
        assert lines == ["error: ", "  try: "], self.err
        for part in parts:
            assert part in self.message


@pytest.fixture(autouse=True)
def signals_of_a_terminal():
    """SIGHUP as a terminal has it: under nohup, it would be ignored here and in the commands that tests start."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture(autouse=True)
def _own_backends(monkeypatch, real_annotator):
    """Backends are forgotten after each test; the Stanza models are loaded once for all that want the shipped ones."""
    monkeypatch.setattr(backends, "_made", {})
    monkeypatch.setitem(backends._MAKERS, "annotator", real_annotator)


@pytest.fixture(scope="session")
def real_annotator():
    """The real maker of annotators, each model set loaded once in this process."""
    make = backends._MAKERS["annotator"]
    made = {}

    def maker(config):
        if config.nlp.models != "bundled":
            return make(config)
        return made.setdefault("bundled", make(config))

    return maker


@pytest.fixture
def call(capfd):
    """Run a command in this process. An exception that is no message fails the test: it would be a traceback."""

    def called(*arguments):
        capfd.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Answer(code, out, err)

    return called


@pytest.fixture
def tiny(tmp_path):
    """Make a configuration over a corpus of these lines."""
    return lambda lines, **sections: write_config(tmp_path, write_corpus(tmp_path, lines), **sections)


class Run(NamedTuple):
    """A real run: its configuration, its folder, and its corpus."""

    config: Path
    folder: Path
    corpus: Path

    @property
    def problems(self):
        """The ids of the problems in the dataset."""
        return [json.loads(line)["id"] for line in (self.folder / "split/part-00000.jsonl").read_bytes().splitlines()]


@pytest.fixture(scope="session")
def build(real_annotator):
    """Run a command for a run that several tests share."""

    def run(*arguments):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(backends, "_made", {})
            patch.setitem(backends._MAKERS, "annotator", real_annotator)
            assert main([str(argument) for argument in arguments]) == 0
        # Closes the database of annotations, which a cycle of references keeps open: else it is closed during some test.
        gc.collect()

    return run


@pytest.fixture(scope="session")
def built(tmp_path_factory, build):
    """Forty sample articles through the whole chain, by the command itself. Tests must leave it as it is."""
    folder = tmp_path_factory.mktemp("built")
    corpus = write_corpus(folder, sample_lines())
    config = write_config(folder, corpus, suppress={"min_kept": 5})
    build("all", "-q", "-c", config)
    return Run(config, folder / "out" / "runs" / "tiny", corpus)


@pytest.fixture
def on(built, call):
    """A command over the real run."""
    return lambda *arguments: call(*arguments, "-c", built.config)


@pytest.fixture
def copied(built, tmp_path):
    """A copy of the real run that a test may change."""
    shutil.copytree(built.folder.parent.parent, tmp_path / "out", symlinks=True)
    corpus = write_corpus(tmp_path, sample_lines())
    folder = tmp_path / "out" / "runs" / "tiny"
    for name in ("config.yaml", "out/runs/tiny/config.yaml"):
        text = (built.config.parent / name).read_text()
        (tmp_path / name).write_text(text.replace(str(built.config.parent), str(tmp_path)))
    return Run(tmp_path / "config.yaml", folder, corpus)


@pytest.fixture
def servers_that_end(monkeypatch):
    """Servers print their addresses and end."""
    monkeypatch.setattr("wdw_study.web.serving.serve", lambda app, listener, ready: (ready(), listener.socket.close()))
