"""Shared by the command line's tests: calls, tiny corpora, and one real run of forty sample articles for all."""

import gc
import shutil
import signal
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from cli_corpora import sample_lines, write_config, write_corpus

from wdw_build import backends
from wdw_build.cli import main


class Answer(NamedTuple):
    """What a command did: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    @property
    def message(self):
        """The lines of the error message, as one line."""
        return " ".join(line for line in self.err.splitlines() if line.startswith(("error: ", "  try: ")))


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
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as leaving:  # argparse
            code = leaving.code or 0
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Answer(code, out, err)

    return called


@pytest.fixture
def tiny(tmp_path):
    """Make a configuration over a corpus of these lines."""
    return lambda lines, **sections: write_config(tmp_path, write_corpus(tmp_path, lines), **sections)


class Built(NamedTuple):
    """The real run: its configuration file and the folder of its run."""

    config: Path
    folder: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory, real_annotator):
    """Forty sample articles through the whole chain, by the command itself. Tests must leave it as it is."""
    folder = tmp_path_factory.mktemp("built")
    config = write_config(folder, write_corpus(folder, sample_lines()), suppress={"min_kept": 5})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backends, "_made", {})
        patch.setitem(backends._MAKERS, "annotator", real_annotator)
        assert main(["all", "-q", "-c", str(config)]) == 0
    # Closes the database of annotations, which a cycle of references keeps open: else it is closed during some test.
    gc.collect()
    return Built(config, folder / "out" / "runs" / "tiny")


class Copied(NamedTuple):
    """A copy of the real run: its configuration, its folder, and its corpus."""

    config: Path
    folder: Path
    corpus: Path


@pytest.fixture
def copied(built, tmp_path):
    """A copy of the real run that a test may change."""
    shutil.copytree(built.folder.parent.parent, tmp_path / "out", symlinks=True)
    corpus = write_corpus(tmp_path, sample_lines())
    keys = yaml.safe_load(built.config.read_text())
    keys["corpus"]["path"] = str(corpus)
    config = tmp_path / "config.yaml"
    config.write_text(yaml.safe_dump(keys))
    folder = tmp_path / "out" / "runs" / "tiny"
    stored = folder / "config.yaml"
    stored.write_text(stored.read_text().replace(str(built.config.parent), str(tmp_path)))
    return Copied(config, folder, corpus)


@pytest.fixture
def servers_that_end(monkeypatch):
    """Servers print their addresses and end."""
    monkeypatch.setattr("wdw_study.web.serving.serve", lambda app, listener, ready: (ready(), listener.socket.close()))
