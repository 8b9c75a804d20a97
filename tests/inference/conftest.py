"""A real inference server on this machine; `make test-inference` compiles it first."""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from docstead.models.openai_compatible import OpenAICompatible
from free_ports import free_port

FOLDER = Path(__file__).parent
PYTHON = FOLDER.parents[1] / ".tools" / "inference" / "bin" / "python"
KEY = "key-of-this-test"
# Models of the server: one answers in words only, the other calls tools as well.
_CHAT_FORMATS = {"words": "chatml", "tools": "chatml-function-calling"}
_START_SECONDS = 120

Model = Callable[..., OpenAICompatible]


@pytest.fixture(scope="session")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("inference")
    weights, config, log = folder / "tiny.gguf", folder / "server.json", folder / "server.log"
    subprocess.run([PYTHON, FOLDER / "tiny_model.py", weights], check=True)
    port = free_port()
    config.write_text(json.dumps(_config(port, weights)))
    with log.open("wb") as output:
        process = subprocess.Popen(
            [PYTHON, "-m", "llama_cpp.server", "--config_file", config],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/v1/models", process, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()  # asked to end, it waits for answers that nobody reads
            process.wait()


@pytest.fixture
def model(server_url: str) -> Model:
    """Make a client of the server; its options are those of the request."""

    def make(name: str = "words", key: str = KEY, **options: object) -> OpenAICompatible:
        # Without these, random weights give other words each time.
        steady = {"temperature": 0, "seed": 1}
        return OpenAICompatible(server_url, key, name, options={**steady, **options})

    return make


def _config(port: int, weights: Path) -> dict[str, object]:
    models = [
        {"model": str(weights), "model_alias": name, "chat_format": chat_format, "n_ctx": 1_024}
        for name, chat_format in _CHAT_FORMATS.items()
    ]
    return {
        "host": "127.0.0.1",
        "port": port,
        "api_key": KEY,
        "interrupt_requests": False,
        "models": models,
    }


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {KEY}"})
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(urllib.error.URLError):
            urllib.request.urlopen(request).close()
            return
        time.sleep(0.1)
    pytest.fail(f"the inference server did not start:\n{log.read_text()}")
