"""Pages that show themselves again: the script in them, and what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from docstead.hosting.bundle.preview import PreviewHosting

PAGE = "<html><body>grüße</body></html>"


async def shown(scope: Scope, receive: Receive, send: Send) -> None:
    assert not {b"accept-encoding", b"if-none-match"} & dict(scope["headers"]).keys()
    is_page = scope["path"] == "/"
    answer = Response(PAGE, media_type="text/html") if is_page else PlainTextResponse("x")
    answer.headers["ETag"] = '"1"'
    await answer(scope, receive, send)


def get(path: str, numbers: Iterator[int], *, is_over: bool = False) -> httpx.Response:
    async def asked() -> httpx.Response:
        app = PreviewHosting(shown, lambda: next(numbers), lambda: is_over)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
            return await client.get(path, headers={"If-None-Match": '"1"'})

    return asyncio.run(asked())


def test_a_page_has_the_script_and_is_never_kept() -> None:
    page = get("/", iter([7]))
    assert page.text == f'{PAGE}<script src="/_docs/preview.js" data-number="7"></script>'
    assert (page.headers["cache-control"], "etag" in page.headers) == ("no-store", False)
    assert int(page.headers["content-length"]) == len(page.content)
    assert "/_docs/preview?after=" in get("/_docs/preview.js", iter(())).text


def test_other_files_are_as_they_are() -> None:
    other = get("/a.txt", iter([7]))
    assert (other.text, other.headers["etag"]) == ("x", '"1"')


def test_the_answer_waits_for_another_number() -> None:
    assert get("/_docs/preview?after=1", iter([1, 1, 1, 2, 2])).text == "2"
    assert get("/_docs/preview", iter([5, 5])).text == "5"


def test_nobody_is_kept_waiting_at_the_end() -> None:
    assert get("/_docs/preview?after=1", iter([1]), is_over=True).text == "1"
