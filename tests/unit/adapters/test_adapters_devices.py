"""The choice of the device, and how it is recorded. The tests need no GPU; they replace functions of torch."""

import pytest
import torch

from support import fakes, make
from wdw_build.adapters.devices import pick
from wdw_build.adapters.kept_results import AnnotationStore, KeptResults
from wdw_build.adapters.stanza import annotator as stanza_annotator
from wdw_build.adapters.stanza import pipeline as stanza_pipeline
from wdw_build.adapters.stanza.annotator import StanzaAnnotator
from wdw_build.adapters.stanza.models import ModelSet, NlpConfig, find_models
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.errors import MissingResourceError
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.records import PERSON, TaggedName


@pytest.fixture
def gpu(monkeypatch):
    def say(there):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
        monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)

    return say


@pytest.mark.parametrize(
    ("asked", "there", "device"), [("auto", True, "cuda"), ("auto", False, "cpu"), ("cpu", True, "cpu")]
)
def test_auto_is_the_gpu_where_torch_sees_one_and_cpu_is_the_cpu(gpu, asked, there, device):
    gpu(there)
    assert pick(asked) == device


def test_a_gpu_that_was_asked_for_and_is_not_there_is_a_missing_resource_with_what_to_do(gpu):
    gpu(False)
    with pytest.raises(MissingResourceError, match=r"execution\.device is cuda, and torch .* sees no GPU") as caught:
        pick("cuda")
    assert "CUDA build of torch" in caught.value.hint


def configured(device):
    corpus, execution = CorpusConfig(reader="jsonl", path="unused"), ExecutionConfig(device=device)
    return Config(run="toy", output_dir="unused", corpus=corpus, execution=execution)


@pytest.mark.parametrize("port", ["annotator", "annotations"])
def test_the_missing_gpu_is_said_before_a_stage_runs(gpu, port):
    gpu(False)
    with pytest.raises(MissingResourceError, match=r"execution\.device is cuda"):
        Backends(configured("cuda")).check(port)
    Backends(configured("auto")).check(port)


def test_the_device_is_no_part_of_the_identity():
    assert Backends(configured("cuda")).identity("annotator") == Backends(configured("cpu")).identity("annotator")


class RulePipeline:
    """Replaces Stanza: spaces separate words, "Bob" is a person, and the GPU has memory for ``ROOM`` words."""

    ROOM = 12

    def __init__(self, device):
        self.device = device

    def name_spans(self, sentences):
        if self.device == "cuda" and sum(map(len, sentences)) > self.ROOM:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return [[("PERSON", at, at + 1) for at, word in enumerate(words) if word == "Bob"] for words in sentences]


def test_configurations_share_the_loaded_models_until_the_files_change(monkeypatch):
    monkeypatch.setattr(stanza_pipeline, "StanzaPipeline", lambda *_: object())
    stanza_pipeline.loaded_pipeline.cache_clear()
    one, other = (StanzaAnnotator(find_models("bundled"), NlpConfig(), ExecutionConfig(device="cpu")) for _ in "ab")
    assert one._pipeline is other._pipeline
    changed = StanzaAnnotator(find_models("bundled"), NlpConfig(), ExecutionConfig(device="cpu"))
    monkeypatch.setattr(ModelSet, "identity", "other files")
    assert changed._pipeline is not one._pipeline
    stanza_pipeline.loaded_pipeline.cache_clear()


@pytest.fixture
def annotator(gpu, monkeypatch):
    gpu(True)
    monkeypatch.setattr(stanza_annotator, "loaded_pipeline", lambda _models, _identity, device: RulePipeline(device))
    monkeypatch.setattr(stanza_annotator, "_BATCH_TOKENS", 64)
    return StanzaAnnotator(find_models("bundled"), NlpConfig(), ExecutionConfig(device="auto"))


def test_a_batch_too_large_for_the_gpu_is_halved_and_no_sentence_is_lost(annotator):
    sentences = [fakes.tokenise(text) for text in ("Then Bob went home", "Nobody spoke", "Bob slept")] * 4
    spans = [(TaggedName(1, 2, PERSON),), (), (TaggedName(0, 1, PERSON),)] * 4
    found = [tuple(TaggedName(one.start, one.end, one.kind) for one in names) for names in annotator.names(sentences)]
    assert found == spans
    assert annotator.take_devices() == {"cuda"}


def test_a_sentence_too_large_for_the_gpu_alone_is_the_gpus_error(annotator):
    with pytest.raises(torch.cuda.OutOfMemoryError):
        annotator.names([fakes.tokenise("Bob slept"), fakes.tokenise("and then " * 10 + "Bob slept")])


class OnGpu(fakes.RuleAnnotator):
    """``RuleAnnotator`` that reports the GPU as its device, and the CPU for the articles in ``helped``."""

    device = "cuda"
    helped = False

    def take_devices(self):
        return frozenset({"cpu", "cuda"} if self.helped else {"cuda"})


ARTICLE = make.article("a", "Ann met Bob in the park.")


def annotated(store):
    annotation = store.annotate([ARTICLE])["a"]
    store.flush()
    return annotation


@pytest.fixture
def store(tmp_path):
    """A store of an annotator's results, always in the same file."""
    return lambda annotator: AnnotationStore(KeptResults(tmp_path / "kept"), annotator)


def test_annotations_of_another_device_are_not_taken_for_ones_own(store):
    on_cpu, on_gpu = fakes.RuleAnnotator(), OnGpu()
    for annotator in (on_cpu, on_gpu, on_gpu):
        annotated(store(annotator))
    assert (on_cpu.annotated["a"], on_gpu.annotated["a"]) == (1, 1)


def test_what_was_stored_counts_for_the_device_that_made_it(store):
    annotated(store(OnGpu()))
    again = store(OnGpu())
    assert again.take_devices() == frozenset()
    annotated(again)
    assert again.take_devices() == {"cuda"}


def test_what_the_cpu_had_to_help_with_is_not_stored_as_the_gpus(store):
    helped = OnGpu()
    helped.helped = True
    for kept in (store(helped), store(helped)):
        assert annotated(kept).tokens == 7
        assert kept.take_devices() == {"cpu", "cuda"}
    assert helped.annotated["a"] == 2
