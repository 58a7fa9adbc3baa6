"""tokenizer, pos, ner: runs Stanza's trainers with the options of the shipped models, on the CPU.

The models are small, so that one core processes hundreds of sentences a second. None uses a character language model.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from training.layout import Workplace

TREEBANKS = ("ewt", "gum")
SENTENCES_A_PARAGRAPH = 10
STEPS = {"tokenizer": 4000, "pos": 3000, "ner": 12000}


def _rows(conllu: str) -> Iterator[list[list[str]]]:
    for block in conllu.split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        if rows:
            yield rows


def plain_text(conllu: str) -> str:
    """The text of a treebank, restored from its tokens and SpaceAfter, with ten sentences to a paragraph."""
    sentences = [
        "".join(row[1] + ("" if "SpaceAfter=No" in row[9] else " ") for row in rows).strip() for rows in _rows(conllu)
    ]
    step = SENTENCES_A_PARAGRAPH
    return "\n\n".join(" ".join(sentences[at : at + step]) for at in range(0, len(sentences), step)) + "\n\n"


def _treebank(place: Workplace, part: str) -> str:
    return place.text(*(f"ud/{name}_{part}.pos.conllu" for name in TREEBANKS))


def _schedule(place: Workplace, part: str, interval: int) -> tuple[int, int]:
    steps = place.steps or STEPS[part]
    return steps, min(interval, steps)


def _train(trainer: Any, place: Workplace, part: str, **options: object) -> None:
    """Run one of Stanza's trainers with options, as command-line arguments; True gives a flag without a value."""
    options |= {"shorthand": "en_wdw", "cpu": True, "seed": place.seed}
    options |= {"save_dir": place.work.resolve(), "save_name": f"{part}.pt"}
    words: list[str] = []
    for name, value in options.items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    trainer.main(words)


def train_tokenizer(place: Workplace) -> None:
    """Train the tokenizer and sentence splitter on EWT and GUM."""
    from stanza.models import tokenizer
    from stanza.utils.datasets import prepare_tokenizer_data

    train, dev = _treebank(place, "train"), _treebank(place, "dev")
    files = {
        "train.conllu": train,
        "dev.conllu": dev,
        "train.txt": place.text(*(f"ud/{name}_train.tok.txt" for name in TREEBANKS)),
        "dev.txt": plain_text(dev),
    }
    path = {name: place.write(f"tokenizer/{name}", text).resolve() for name, text in files.items()}
    folder = path["train.txt"].parent
    for part in ("train", "dev"):
        labels, words = folder / f"{part}.labels", folder / f"{part}-mwt.json"
        source = [str(path[f"{part}.txt"]), str(path[f"{part}.conllu"])]
        prepare_tokenizer_data.main([*source, "-o", str(labels), "-m", str(words)])
    steps, interval = _schedule(place, "tokenizer", 400)
    _train(
        tokenizer,
        place,
        "tokenize",
        txt_file=path["train.txt"],
        label_file=folder / "train.labels",
        dev_txt_file=path["dev.txt"],
        dev_label_file=folder / "dev.labels",
        dev_conll_gold=path["dev.conllu"],
        mwt_json_file=folder / "dev-mwt.json",
        lang="en",
        max_seqlen=300,
        steps=steps,
        eval_steps=interval,
        report_steps=100,
        no_use_mwt=True,
    )


def train_pos(place: Workplace) -> None:
    """Train the part-of-speech tagger on EWT and GUM."""
    from stanza.models import tagger

    steps, interval = _schedule(place, "pos", 250)
    _train(
        tagger,
        place,
        "pos",
        lang="en",
        fix_eval_interval=True,
        train_file=place.write("pos_train.conllu", _treebank(place, "train")),
        eval_file=place.write("pos_dev.conllu", _treebank(place, "dev")),
        wordvec_pretrain_file=place.need("pretrain"),
        hidden_dim=180,
        char_hidden_dim=100,
        char_emb_dim=50,
        deep_biaff_hidden_dim=100,
        transformed_dim=100,
        word_emb_dim=50,
        word_cutoff=3,
        num_layers=1,
        batch_size=80,
        max_steps=steps,
        eval_interval=interval,
        max_steps_before_stop=1200,
        log_step=50,
        augment_nopunct=0.1,
        dropout=0.4,
    )


def train_ner(place: Workplace) -> None:
    """Train the NER tagger on the output of prepare-ner, always from scratch, because --finetune ignores --lr."""
    from stanza.models import ner_tagger

    steps, interval = _schedule(place, "ner", 800)
    _train(
        ner_tagger,
        place,
        "ner",
        train_file=place.prepared("ner_train.json", "prepare-ner"),
        eval_file=place.prepared("ner_dev.json", "prepare-ner"),
        wordvec_pretrain_file=place.need("pretrain"),
        hidden_dim=200,
        char_hidden_dim=80,
        char_emb_dim=32,
        num_layers=1,
        dropout=0.5,
        word_dropout=0.05,
        no_emb_finetune=True,
        batch_size=32,
        max_batch_words=1500,
        optim="adam",
        lr=0.0015,
        lr_decay=0.5,
        patience=1,
        eval_interval=interval,
        max_steps=steps,
        max_steps_no_improve=5000,
        log_step=200,
    )
