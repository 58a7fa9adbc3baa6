import pytest

from wdw_build.config.file import load_config

BASE = "run: toy\noutput_dir: out\ncorpus: {reader: jsonl, path: articles.jsonl}\n"


@pytest.fixture
def load(tmp_path):
    """Loads a file with the required keys and more of them, with overrides."""

    def loaded(text="", *overrides):
        (tmp_path / "c.yaml").write_text(BASE + text, encoding="utf-8")
        return load_config(tmp_path / "c.yaml", overrides)

    return loaded
