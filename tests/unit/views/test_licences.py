"""Licences: what a package declares, and what is said if it declares none."""

from importlib.metadata import PathDistribution

import msgspec
import pytest

from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.config.settings import Config
from wdw_build.views.licences import Licence, licence_table, licences, package_licence

CLASSIFIER = "Classifier: License :: OSI Approved :: BSD License"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["License-Expression: MIT", CLASSIFIER, "License: BSD"], ("MIT", "License-Expression")),
        ([CLASSIFIER, "License: BSD-3-Clause"], ("BSD License", "classifiers")),
        ([CLASSIFIER, "Classifier: License :: DFSG approved"], ("BSD License", "classifiers")),
        (["License: The MIT License (MIT)", "        Copyright"], ("The MIT License (MIT)", "License")),
        (["License: UNKNOWN", "License-File: a/LICENSE", "License-File: COPYING"], ("", "read LICENSE, COPYING")),
        ([], ("", "")),
    ],
)
def test_the_licence_is_the_most_exact_that_a_package_declares(tmp_path, fields, expected):
    folder = tmp_path / "some-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("\n".join(["Metadata-Version: 2.4", "Name: some", "Version: 1", *fields]) + "\n")
    assert package_licence(PathDistribution(folder)) == expected


def test_the_table_counts_and_names_the_parts_without_a_licence():
    text = licence_table([Licence("packages", "one", "1", "MIT", "License"), Licence("models", "two", "", "", "")])
    assert "[models]" in text
    assert text.splitlines()[-1] == "1 of 2 could not be determined: two"


def test_a_configured_model_has_the_licence_of_its_card(tmp_path):
    model = tmp_path / "model"
    model.mkdir()
    corpus = {"reader": "jsonl", "path": "articles.jsonl"}
    values = {"run": "some", "output_dir": "out", "corpus": corpus, "bench": {"encoder": str(model)}}
    config = msgspec.convert(values, Config)
    (model / "README.md").write_text("---\nlanguage: en\nlicense: apache-2.0\n---\n# Model\n")
    assert licences(config)[-1].licence == "apache-2.0"
    (model / "README.md").write_text("# Model\n")
    (model / "LICENSE").write_text("Be good.")
    assert (licences(config)[-1].licence, licences(config)[-1].source) == ("", "read LICENSE")


def test_every_bundled_model_has_a_stated_licence():
    stated = {part.name.partition(" ")[0] for part in licences(None) if part.kind == "bundled models"}
    folders = {path.parent.name for path in BUNDLED.rglob("*.pt")}
    assert stated == folders
