"""Forms with files in a charset that is a codec of Python, but none of text."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request

from docstead.base.errors import InvalidRequest
from docstead.dashboard.forms import read_form

FIELD = b'--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nxn--99999\r\n--b--\r\n'


def posted(charset: str) -> Request:
    kind = f"multipart/form-data; boundary=b; charset={charset}"
    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())]}

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": FIELD}

    return Request(scope, receive)


@pytest.mark.parametrize("charset", ["undefined", "idna", "punycode"])
def test_a_codec_that_reads_no_text_is_refused(charset: str) -> None:
    with pytest.raises(InvalidRequest, match="malformed"):
        asyncio.run(read_form(posted(charset), 1_000))


@pytest.mark.parametrize("charset", ["utf-8", "no-such-charset"])
def test_others_are_read(charset: str) -> None:
    assert asyncio.run(read_form(posted(charset), 1_000)).text("title") == "xn--99999"
