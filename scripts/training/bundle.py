"""bundle: the five models in Stanza's own layout, as half-precision numbers, with manifest.json.

Halving changes no prediction that we saw and halves the size. The pretrain stays as it is: its loader takes no halves.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from training.layout import PARTS, Workplace

UNNEEDED = ("optimizer_state_dict", "scheduler_state_dict")


def half(value: Any) -> Any:
    """Turn every floating-point tensor within nested containers into half precision."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.half() if value.is_floating_point() else value
    if isinstance(value, dict):
        pairs = [(key, half(inner)) for key, inner in value.items()]
        return dict(pairs) if type(value) is dict else type(value)(pairs)
    if isinstance(value, (list, tuple)):
        return type(value)(half(inner) for inner in value)
    return value


def _store(part: str, source: Path, target: Path) -> None:
    import torch

    target.parent.mkdir(parents=True, exist_ok=True)
    if part == "pretrain":
        shutil.copyfile(source, target)
        return
    model = torch.load(source, map_location="cpu", weights_only=True)
    torch.save(half({key: value for key, value in model.items() if key not in UNNEEDED}), target,
               _use_new_zipfile_serialization=False)  # fmt: skip


def _resources(folder: Path, name: str) -> dict[str, Any]:
    """Describe the folder as Stanza's downloads are described; it is read even where nothing is downloaded."""
    vectors = [{"model": "pretrain", "package": name}]
    models: dict[str, Any] = {}
    for part in PARTS:
        content = (folder / "en" / part / f"{name}.pt").read_bytes()
        entry: dict[str, Any] = {"md5": hashlib.md5(content, usedforsecurity=False).hexdigest()}
        models[part] = {name: entry | ({"dependencies": vectors} if part in ("pos", "ner", "constituency") else {})}
    package = {part: name for part in PARTS if part != "pretrain"}
    return {"en": {"lang_name": "English", **models, "packages": {name: package, "default": package}}, "url": "none"}


def _manifest(folder: Path, name: str) -> dict[str, Any]:
    from importlib.metadata import version

    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "manifest.json":
            content = path.read_bytes()
            key = path.relative_to(folder).as_posix()
            files[key] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    versions = {"stanza": version("stanza"), "torch": version("torch").partition("+")[0]}
    return {"name": name, **versions, "files": files, "trained_on": {}, "held_out": {}}


def bundle(place: Workplace, folder: Path, name: str) -> None:
    """Write the bundle; what it was trained on and how it scores is for its maker to fill in."""
    for part in PARTS:
        target = folder / "en" / part / f"{name}.pt"
        _store(part, place.need(part), target)
        print(f"bundle: {part} {target.stat().st_size / 1e6:.2f} MB")
    (folder / "resources.json").write_text(json.dumps(_resources(folder, name), indent=1) + "\n", encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps(_manifest(folder, name), indent=1) + "\n", encoding="utf-8")
