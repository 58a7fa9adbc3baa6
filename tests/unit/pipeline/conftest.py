import re

import pytest

from wdw_build.pipeline.config.file import load_config

REQUIRED = {"run": "toy", "output_dir": "out", "corpus": "{reader: jsonl, path: articles.jsonl}"}


@pytest.fixture
def load(tmp_path):
    """Loads a file, to which the required keys that it lacks are added unless it is ``whole``."""

    def loaded(text="", *overrides, whole=False):
        missing = [key for key in REQUIRED if not (whole or re.search(f"^{key}:", text, re.MULTILINE))]
        added = "".join(f"{key}: {REQUIRED[key]}\n" for key in missing)
        (tmp_path / "c.yaml").write_text(added + text, encoding="utf-8")
        return load_config(tmp_path / "c.yaml", overrides)

    return loaded
