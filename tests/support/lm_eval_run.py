"""Runs the lm-evaluation-harness on an export with a tiny GPT-2 that is made on the spot, and prints what it logged.

usage: python lm_eval_run.py EXPORT FOLDER: the model is written to FOLDER.
"""

import json
import os
import sys
from pathlib import Path

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": f"{sys.argv[2]}/hf"}
os.environ |= {"LMEVAL_LOG_LEVEL": "ERROR", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import torch
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

END = "<end>"
CONTEXT = 1024


def make_model(folder, texts):
    """A GPT-2 of 2 layers and 32 units with random weights, and a byte-level tokenizer trained on the texts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    ready = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END, model_max_length=CONTEXT)
    ready.save_pretrained(folder)
    torch.manual_seed(0)
    sizes = {"n_layer": 2, "n_head": 2, "n_embd": 32, "n_positions": CONTEXT, "bos_token_id": 0, "eos_token_id": 0}
    GPT2LMHeadModel(GPT2Config(vocab_size=len(ready), **sizes)).save_pretrained(folder)


def main(export, folder):
    lines = (export / "train.jsonl").read_bytes().splitlines()
    make_model(folder, [json.loads(line)["passage"] for line in lines])
    runs = {}
    for shots in (0, 2):
        manager = TaskManager(include_path=str(export), include_defaults=False)
        settings = {"tasks": ["wdw_all"], "task_manager": manager, "device": "cpu", "bootstrap_iters": 0}
        done = simple_evaluate(model="hf", model_args=f"pretrained={folder}", num_fewshot=shots, **settings)
        runs[shots] = {"results": done["results"], "samples": done["samples"]}
    print(json.dumps(runs, default=str))


main(Path(sys.argv[1]), Path(sys.argv[2]))
