"""Sentence models: the one that comes along, and any behind the OpenAI protocol."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from docstead.base.errors import Unavailable
from docstead.models.embedding import QueryEmbeddings
from docstead.models.minilm import MiniLM
from docstead.models.openai_embeddings import OpenAIEmbeddings


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> MiniLM:
    return MiniLM(tmp_path_factory.mktemp("models"))


def test_like_meanings_lie_close(minilm: MiniLM) -> None:
    reset, forgotten, weather = minilm.embed(
        ["How do I reset my password?", "Resetting a forgotten password", "The weather is nice"]
    )
    assert np.linalg.norm(reset) == pytest.approx(1, abs=1e-5)
    assert reset @ forgotten > 0.7
    assert reset @ weather < 0.3


def test_it_is_let_go_and_comes_back(minilm: MiniLM) -> None:
    before = minilm.embed(["text"])
    minilm.release()
    assert not minilm.is_loaded
    assert np.allclose(minilm.embed(["text"]), before)


def test_no_texts_have_no_vectors(minilm: MiniLM) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_a_model_that_cannot_be_made_ready_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable):
        MiniLM(tmp_path / "file").embed(["text"])


class _Embeddings(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] == "broken":
            self.send_error(500)
            return
        size = 0 if asked["model"] == "short" else len(asked["input"])
        data = [{"object": "embedding", "index": i, "embedding": [3.0, 4.0]} for i in range(size)]
        body = json.dumps({"object": "list", "data": data, "model": "m"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def test_an_endpoint_gives_vectors_of_length_one(endpoint: str) -> None:
    found = OpenAIEmbeddings(endpoint, "", "any").embed(["a", "b"])
    assert np.allclose(found, [[0.6, 0.8], [0.6, 0.8]])


@pytest.mark.parametrize("model", ["broken", "short"])
def test_an_endpoint_that_fails_is_unavailable(endpoint: str, model: str) -> None:
    with pytest.raises(Unavailable):
        OpenAIEmbeddings(endpoint, "key", model).embed(["a"])


def test_each_endpoint_and_model_has_a_space_of_its_own() -> None:
    spaces = {OpenAIEmbeddings(*each).space for each in [("u", "k", "m"), ("u", "x", "m")]}
    assert len(spaces) == 1
    assert OpenAIEmbeddings("u", "k", "other").space not in spaces


class CountingEmbedder:
    space = "counted"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails = False

    def embed(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        if self.fails:
            raise Unavailable
        return np.ones((len(texts), 1), np.float32)


def test_queries_are_remembered() -> None:
    model = CountingEmbedder()
    queries = QueryEmbeddings(model)
    assert queries.vector("a") is not None
    assert queries.vector("a") is not None
    assert model.asked == ["a"]


def test_of_several_texts_the_model_is_asked_for_those_it_was_not_asked_for_yet() -> None:
    model = CountingEmbedder()
    queries = QueryEmbeddings(model)
    assert queries.vector("a") is not None
    assert len(queries.vectors(["b", "a", "b", "c"]) or ()) == 4
    assert model.asked == ["a", "b", "c"]
    model.fails = True
    assert queries.vectors(["a", "d"]) is None


def test_a_vector_comes_while_something_else_is_done() -> None:
    model = CountingEmbedder()
    queries = QueryEmbeddings(model)
    assert queries.begin("a", len)() == 1
    model.fails = True
    assert queries.begin("b", len)() is None


def test_closed_queries_end_what_was_begun() -> None:
    queries = QueryEmbeddings(CountingEmbedder())
    begun = queries.begin("a", len)
    queries.close()
    assert begun() == 1
    with pytest.raises(RuntimeError):
        queries.begin("b", len)


def test_a_model_that_failed_is_skipped_for_a_while() -> None:
    model, time = CountingEmbedder(), [0.0]
    model.fails = True
    queries = QueryEmbeddings(model, lambda: time[0])
    assert queries.vector("a") is None
    assert queries.vector("a") is None
    assert model.asked == ["a"]
    model.fails, time[0] = False, 31.0
    assert queries.vector("a") is not None
