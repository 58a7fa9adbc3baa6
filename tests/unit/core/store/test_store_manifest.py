"""Ingredients: their fingerprint, the causes of a difference and the sentences about them; manifests on disk."""

import msgspec
import pytest

from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import Cause, Ingredients, Timing, read_manifest, read_timing
from wdw_build.errors import UsageError

CONFIG, BACKENDS = {"factor": 2, "words": ["of"]}, {"notes": "notes 1"}
BASE = Ingredients(stage="toy", version=1, config=CONFIG, seed=0, inputs={"source": "c1"}, backends=BACKENDS)
OPTIONS = 'a 1; options {"row_function":"b.py"}; 1 files'


def setting(name, old, new):
    return Cause(kind="setting", stage="toy", name=name, old=old, new=new)


def backend(new):
    return Cause(kind="backend", stage="toy", name="notes", old="notes 1", new=new)


CHANGES = [
    ({"version": 2}, Cause(kind="version", stage="toy", old=1, new=2), "stage version 1 -> 2"),
    ({"seed": 7}, Cause(kind="seed", old=0, new=7), "seed 0 -> 7"),
    ({"config": CONFIG | {"factor": 3}}, setting("factor", 2, 3), "config toy.factor 2 -> 3"),
    ({"config": {"factor": 2}}, setting("words", ["of"], None), "config toy.words ['of'] -> None"),
    ({"config": CONFIG | {"new": 1}}, setting("new", None, 1), "config toy.new None -> 1"),
    ({"inputs": {"source": "c2"}}, Cause(kind="input", stage="toy", name="source"), "input source changed"),
    ({"backends": {"notes": "notes 2"}}, backend("notes 2"), "backend notes changed"),
    (
        {"backends": {"notes": OPTIONS}},
        backend(OPTIONS),
        "backend notes changed (corpus.options.row_function None -> 'b.py')",
    ),
]


@pytest.mark.parametrize(("change", "cause", "words"), CHANGES)
def test_every_ingredient_is_in_the_fingerprint_and_a_change_of_it_is_a_cause_with_a_sentence(change, cause, words):
    changed = msgspec.structs.replace(BASE, **change)
    assert changed.fingerprint != BASE.fingerprint
    assert list(changed.differences(BASE)) == [cause]
    assert str(cause) == words
    assert msgspec.json.decode(msgspec.json.encode(cause), type=Cause) == cause


def test_equal_ingredients_have_equal_fingerprints_and_no_causes():
    same = msgspec.json.decode(msgspec.json.encode(BASE), type=Ingredients)
    assert same.fingerprint == BASE.fingerprint
    assert list(same.differences(BASE)) == []
    assert len(BASE.fingerprint) == 16
    # The name of the stage is in the fingerprint, too.
    assert msgspec.structs.replace(BASE, stage="other").fingerprint != BASE.fingerprint


BROKEN = [b"", b"{", b"[]", b'{"store_format": 3, "fingerprint": 1}', b'{"store_format": 3, "fingerprint": "\xff"}']


@pytest.mark.parametrize("content", BROKEN)
def test_a_manifest_that_cannot_be_decoded_counts_as_missing(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    assert read_manifest(tmp_path) is None


def test_a_missing_manifest_or_timing_is_none(tmp_path):
    assert read_manifest(tmp_path) is None
    assert read_timing(tmp_path) is None


def test_a_manifest_that_may_not_be_read_is_not_taken_for_a_missing_one(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(tmp_path), "read_bytes", refuse)
    with pytest.raises(PermissionError):
        read_manifest(tmp_path)


def test_a_timing_is_equal_after_writing_and_reading(tmp_path):
    (tmp_path / "timing.json").write_bytes(jsonl.document(Timing(seconds=1.5, peak_mb=3, workers=2)))
    assert read_timing(tmp_path) == Timing(seconds=1.5, peak_mb=3, workers=2)


def test_a_shared_section_is_in_the_fingerprint_and_a_change_of_it_is_named_by_its_section():
    shared = msgspec.structs.replace(BASE, shared={"other": {"bound": 0.3}})
    changed = msgspec.structs.replace(BASE, shared={"other": {"bound": 0.5}})
    assert len({BASE.fingerprint, shared.fingerprint, changed.fingerprint}) == 3
    assert list(changed.differences(shared)) == [Cause(kind="setting", stage="other", name="bound", old=0.3, new=0.5)]
    assert msgspec.json.decode(msgspec.json.encode(shared), type=Ingredients) == shared


def test_a_stage_that_shares_no_section_has_the_fingerprint_of_former_versions():
    assert "shared" not in msgspec.to_builtins(BASE)


def test_a_backend_that_new_settings_ask_for_is_no_cause_of_its_own():
    unasked = msgspec.structs.replace(BASE, backends=BACKENDS | {"more": "more 1"})
    assert [cause.kind for cause in unasked.differences(BASE)] == ["backend"]
    asked = msgspec.structs.replace(unasked, config=CONFIG | {"new": 1})
    assert [cause.kind for cause in asked.differences(BASE)] == ["setting"]


@pytest.mark.parametrize("written", [2, 4])
def test_an_output_of_another_store_format_is_refused_with_what_to_do(tmp_path, written):
    (tmp_path / "manifest.json").write_text(f'{{"store_format":{written},"another":"form"}}')
    words = f"another version of wdw-build, in store format {written}; this version reads format 3"
    with pytest.raises(UsageError, match=words) as caught:
        read_manifest(tmp_path)
    assert "delete the folder store" in caught.value.hint
