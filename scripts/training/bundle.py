"""bundle: writes the five models in Stanza's layout and half precision, with manifest.json.

Half precision halves the size; in our tests it changed no prediction. The word vectors stay in full precision, because their
loader requires it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from training.layout import PARTS, Workplace
from wdw_build.core.hashing import file_sha256

# The suffix of the name of the NER model's own word vectors.
OF_NER = "-names"
UNNEEDED = ("optimizer_state_dict", "scheduler_state_dict")


def half(value: Any) -> Any:
    """Convert all floating-point tensors in nested containers to half precision."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.half() if value.is_floating_point() else value
    if isinstance(value, dict):
        pairs = [(key, half(inner)) for key, inner in value.items()]
        return dict(pairs) if type(value) is dict else type(value)(pairs)
    if isinstance(value, (list, tuple)):
        return type(value)(half(inner) for inner in value)
    return value


def without_idle(model: dict[str, Any]) -> dict[str, Any]:
    """Drop the NER tagger's corrections to the word vectors, and their words, if all corrections are zero.

    They are zero if training did not change the vectors. They take two thirds of the file.
    """
    corrections = model.get("model", {}).get("delta_emb.weight") if isinstance(model.get("model"), dict) else None
    if corrections is None or corrections.any():
        return model
    weights = {name: value for name, value in model["model"].items() if name != "delta_emb.weight"}
    vocabulary = type(model["vocab"])((name, value) for name, value in model["vocab"].items() if name != "delta")
    if "_key2class" in vocabulary:
        kinds = vocabulary["_key2class"]
        vocabulary["_key2class"] = type(kinds)((name, kind) for name, kind in kinds.items() if name != "delta")
    return {**model, "model": weights, "vocab": vocabulary}


def _store(part: str, source: Path, target: Path) -> None:
    import torch

    target.parent.mkdir(parents=True, exist_ok=True)
    if part == "pretrain":
        shutil.copyfile(source, target)
        return
    model = torch.load(source, map_location="cpu", weights_only=True)
    kept = without_idle({key: value for key, value in model.items() if key not in UNNEEDED})
    torch.save(half(kept), target, _use_new_zipfile_serialization=False)


def _resources(folder: Path, name: str) -> dict[str, Any]:
    """The description of the folder in Stanza's format, which Stanza reads even if it downloads nothing."""
    models: dict[str, Any] = {part: {} for part in PARTS}
    for path in sorted((folder / "en").rglob("*.pt")):
        entry: dict[str, Any] = {"md5": hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}
        part = path.parent.name
        if part in ("pos", "ner", "constituency"):
            own = part == "ner" and (folder / "en" / "pretrain" / f"{name}{OF_NER}.pt").is_file()
            entry["dependencies"] = [{"model": "pretrain", "package": name + OF_NER * own}]
        models[part][path.stem] = entry
    package = {part: name for part in PARTS if part != "pretrain"}
    return {"en": {"lang_name": "English", **models, "packages": {name: package, "default": package}}, "url": "none"}


def _entry(path: Path) -> dict[str, Any]:
    return {"sha256": file_sha256(path), "bytes": path.stat().st_size}


def _manifest(folder: Path, name: str) -> dict[str, Any]:
    from importlib.metadata import version

    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "manifest.json":
            files[path.relative_to(folder).as_posix()] = _entry(path)
    versions = {"stanza": version("stanza"), "torch": version("torch").partition("+")[0]}
    return {"name": name, **versions, "files": files, "trained_on": {}, "held_out": {}, "licences": {}}


def bundle(place: Workplace, folder: Path, name: str, ner_pretrain: Path | None = None) -> None:
    """Write the bundle. The user adds training data, scores and licences (NOTICE, section 3.3) to its manifest.

    ``ner_pretrain`` holds the word vectors of the NER model, if they are not those of the other models.
    """
    if ner_pretrain:
        (folder / "en" / "pretrain").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ner_pretrain, folder / "en" / "pretrain" / f"{name}{OF_NER}.pt")
    for part in PARTS:
        target = folder / "en" / part / f"{name}.pt"
        _store(part, place.need(part), target)
        print(f"bundle: {part} {target.stat().st_size / 1e6:.2f} MB")
    (folder / "resources.json").write_text(json.dumps(_resources(folder, name), indent=1) + "\n", encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps(_manifest(folder, name), indent=1) + "\n", encoding="utf-8")


def record(models: Path, paths: list[Path], part: str, trained_on: list[str]) -> None:
    """Write the hashes of a part's files, and what the part was trained on, to the manifest of the package's models."""
    manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
    for path in paths:
        manifest["files"][path.relative_to(models).as_posix()] = _entry(path)
    manifest["trained_on"][part] = trained_on
    manifest["files"] = dict(sorted(manifest["files"].items()))
    (models / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
