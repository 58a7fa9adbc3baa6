"""The backends of a configuration: made once in a process, and found without much work."""

import pickle
from pathlib import Path

from support.interpreter import heavy_imports
from support.toy_pipeline import config
from wdw_build.pipeline import backends
from wdw_build.pipeline.backends import Backends
from wdw_build.ports import FAULTY_PROBLEMS, SENTENCE_SPLITTER


def test_a_configuration_is_hashed_once_for_all_calls_of_its_backends(monkeypatch, tmp_path):
    hashed, digest, ports = [], backends.digest, Backends(config(tmp_path))
    monkeypatch.setattr(backends, "digest", lambda value: hashed.append(value) or digest(value))
    made = ports.get(SENTENCE_SPLITTER)
    for _ in range(5):
        assert ports.get(SENTENCE_SPLITTER) is made
        ports.identity(FAULTY_PROBLEMS)
    assert hashed == [ports.config]


def test_equal_configurations_share_their_backends_and_different_ones_do_not(tmp_path):
    ports = Backends(config(tmp_path))
    made = ports.get(SENTENCE_SPLITTER)
    assert pickle.loads(pickle.dumps(ports)).get(SENTENCE_SPLITTER) is made
    assert Backends(config(tmp_path, seed=1)).get(SENTENCE_SPLITTER) is not made
    assert ports.get(SENTENCE_SPLITTER) is made


EVERY_PORT = """
from pathlib import Path
from wdw_build.pipeline.config.file import load_config
from wdw_build.pipeline.backends import _MAKERS, Backends
from wdw_build.pipeline.registry import EXPORTERS
for scorer in ("lexical", "encoder"):
    settings = [f"retrieve.event_scorer={scorer}", f"export.formats=[{','.join(EXPORTERS)}]"]
    ports = Backends(load_config(Path("configs/sample.yaml"), settings))
    assert all([ports.identity(port) for port in _MAKERS])
"""


def test_the_identity_of_every_backend_is_known_without_loading_its_libraries(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[3])
    assert heavy_imports(EVERY_PORT) == []
