"""Errors of an S3 store: what failed, why, whether it may pass, and the setting to correct."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from docstead.base.errors import NotFound, ObjectsUnavailable, ObjectsUnreachable
from docstead.storage.objects import S3Objects

BUCKET_ADVICE = "; create it, or correct DOCSTEAD_S3_BUCKET"
KEY_ADVICE = "; correct DOCSTEAD_S3_ACCESS_KEY_ID and DOCSTEAD_S3_SECRET_ACCESS_KEY"
SERVER_ADVICE = "; start its server, or correct DOCSTEAD_S3_ENDPOINT"


class RefusingStore(BaseHTTPRequestHandler):
    """Answers every request with one status and one text."""

    status = 200
    body = b""

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    do_GET = do_PUT = _answer  # noqa: N815 - the base's names

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def refusing(status: int, body: str) -> Iterator[S3Objects]:
    handler = type("Handler", (RefusingStore,), {"status": status, "body": body.encode()})
    keys = {"access_key_id": "key", "secret_access_key": "secret"}
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            endpoint = f"http://127.0.0.1:{server.server_port}"
            yield S3Objects("docs", endpoint=endpoint, retry_seconds=0, **keys)
        finally:
            server.shutdown()


def coded(code: str) -> str:
    return f"<Error><Code>{code}</Code><Message>Text of the store</Message></Error>"


@pytest.mark.parametrize(
    ("status", "code", "advice", "kind"),
    [
        (404, "NoSuchBucket", BUCKET_ADVICE, ObjectsUnavailable),
        (403, "InvalidAccessKeyId", KEY_ADVICE, ObjectsUnavailable),
        (403, "SignatureDoesNotMatch", KEY_ADVICE, ObjectsUnavailable),
        (403, "AccessDenied", KEY_ADVICE, ObjectsUnavailable),
        (403, "AccountProblem", KEY_ADVICE, ObjectsUnavailable),
        (400, "InvalidAccessKeyId", KEY_ADVICE, ObjectsUnavailable),
        (400, "SignatureDoesNotMatch", KEY_ADVICE, ObjectsUnavailable),
        (400, "AccessDenied", KEY_ADVICE, ObjectsUnavailable),
        (400, "InvalidRequest", SERVER_ADVICE, ObjectsUnreachable),
        (501, "NotImplemented", SERVER_ADVICE, ObjectsUnreachable),
    ],
)
def test_an_error_names_its_code_and_the_setting_to_correct(
    status: int, code: str, advice: str, kind: type[ObjectsUnavailable]
) -> None:
    with refusing(status, coded(code)) as store:
        for use in (store.check, lambda: store.put("a/b.txt", b"content")):
            with pytest.raises(ObjectsUnavailable) as caught:
                use()
            assert type(caught.value) is kind
            assert caught.value.message == f"the object store failed: {code}"
            assert caught.value.detail.endswith(f": {code}{advice}")


def test_an_error_without_a_code_is_shortened() -> None:
    with refusing(400, "word " * 400) as store, pytest.raises(ObjectsUnavailable) as caught:
        store.get("a")
    reason = caught.value.message.removeprefix("the object store failed: ")
    assert 250 < len(reason) <= 300
    assert "word word" in reason


def test_a_missing_object_is_no_error_of_the_store() -> None:
    with refusing(404, coded("NoSuchKey")) as store, pytest.raises(NotFound):
        store.get("a")
