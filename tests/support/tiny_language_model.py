"""Makes a GPT-2 folder for tests: two layers of 32 units with random weights, and a byte-level tokenizer of single bytes."""

from wdw_bench.systems.encoders.files import TOKENIZER

END = "<end>"


def make_tiny_language_model(folder, positions=128):
    """Write model and tokenizer; every byte is a token, and the first of two end tokens, which is the start token, has the id 0."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel

    vocabulary = {piece: index for index, piece in enumerate([END, *sorted(pre_tokenizers.ByteLevel.alphabet())])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens([END])
    tokenizer.save(str(folder / TOKENIZER))
    torch.manual_seed(0)
    sizes = {"n_layer": 2, "n_head": 2, "n_embd": 32, "n_positions": positions, "initializer_range": 0.3}
    GPT2LMHeadModel(
        GPT2Config(vocab_size=len(vocabulary), bos_token_id=None, eos_token_id=[0, 1], **sizes)
    ).save_pretrained(folder)
    return folder
