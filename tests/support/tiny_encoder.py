"""Makes a transformer folder for tests: two layers of 32 units with random weights, and a WordPiece tokenizer of few words."""

import string

from wdw_bench.systems.encoders import TOKENIZER

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def make_tiny_encoder(folder, words, positions=64, kind="BertModel", family="Bert", **config):
    """Write model and tokenizer. ``words`` are whole word pieces; other words are spelled letter by letter."""
    import torch
    import transformers

    signs = string.ascii_lowercase + string.digits + string.punctuation
    vocabulary = [*SPECIAL, *sorted(set(words)), *signs, *(f"##{sign}" for sign in signs)]
    vocabulary = list(dict.fromkeys(vocabulary))
    torch.manual_seed(0)
    settings = {"vocab_size": len(vocabulary), "max_position_embeddings": positions, "initializer_range": 0.2}
    settings |= {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    settings |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    made = getattr(transformers, f"{family}Config")(**(settings | config))
    getattr(transformers, kind)(made).save_pretrained(folder)
    _tokenizer(vocabulary).save(str(folder / TOKENIZER))
    return folder


def _tokenizer(vocabulary):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(SPECIAL))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary.index("[CLS]")), ("[SEP]", vocabulary.index("[SEP]"))],
    )
    # Files of published tokenizers cut and pad, which readers must switch off.
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    return tokenizer
