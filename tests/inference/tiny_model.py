"""Write a chat model of random weights: `tiny_model.py TARGET`.

It runs in the environment of the inference server. Its vocabulary is that of the shipped
sentence model, so that it reads and writes words.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType

TOKENIZER = Path(__file__).parents[2] / "src/docstead/models/minilm/tokenizer.json"
CONTEXT_TOKENS = 1_024
PIECES = 6_000  # of the vocabulary, the commonest first
WIDTH, HEADS, FEED_FORWARD = 32, 2, 64
SEED = 23
_SPECIAL = (("<unk>", TokenType.UNKNOWN), ("<s>", TokenType.CONTROL), ("</s>", TokenType.CONTROL))


def main(target: Path) -> None:
    tokens = list(dict(_tokens()).items())
    writer = GGUFWriter(target, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT_TOKENS)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([token for token, _ in tokens])
    writer.add_token_types([kind for _, kind in tokens])
    writer.add_token_scores([-float(rank) for rank in range(len(tokens))])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    _add_weights(writer, len(tokens))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _tokens() -> Iterator[tuple[str, TokenType]]:
    """Special tokens, bytes, then pieces of words; "▁" begins a word."""
    yield from _SPECIAL
    yield from ((f"<0x{byte:02X}>", TokenType.BYTE) for byte in range(256))
    vocabulary = json.loads(TOKENIZER.read_text())["model"]["vocab"]
    for piece in [each for each in vocabulary if not each.startswith("[")][:PIECES]:
        text = piece.removeprefix("##") if piece.startswith("##") else f"▁{piece}"
        yield text, TokenType.NORMAL


def _add_weights(writer: GGUFWriter, vocabulary: int) -> None:
    random = np.random.default_rng(SEED)
    shapes = {
        "token_embd": (vocabulary, WIDTH),
        "output": (vocabulary, WIDTH),
        "blk.0.attn_q": (WIDTH, WIDTH),
        "blk.0.attn_k": (WIDTH, WIDTH),
        "blk.0.attn_v": (WIDTH, WIDTH),
        "blk.0.attn_output": (WIDTH, WIDTH),
        "blk.0.ffn_gate": (FEED_FORWARD, WIDTH),
        "blk.0.ffn_up": (FEED_FORWARD, WIDTH),
        "blk.0.ffn_down": (WIDTH, FEED_FORWARD),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.standard_normal(shape, dtype=np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, dtype=np.float32))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
