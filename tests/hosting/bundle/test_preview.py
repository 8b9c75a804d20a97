"""Pages that show themselves again: the script and the error in them, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from docstead.hosting.bundle.preview import PreviewHosting, PreviewState
from in_process import ask

PAGE = "<html><body>grüße</body></html>"


async def shown(scope: Scope, receive: Receive, send: Send) -> None:
    assert not {b"accept-encoding", b"if-none-match"} & dict(scope["headers"]).keys()
    is_page = scope["path"] == "/"
    answer = Response(PAGE, media_type="text/html") if is_page else PlainTextResponse("x")
    answer.headers["ETag"] = '"1"'
    await answer(scope, receive, send)


def get(
    path: str,
    versions: Iterator[str],
    *,
    error: str = "",
    is_over: bool = False,
    method: str = "GET",
) -> httpx.Response:
    app = PreviewHosting(shown, lambda: PreviewState(next(versions), error), lambda: is_over)
    return ask(app, method, path, headers={"If-None-Match": '"1"'}, base_url="http://a")


def test_a_page_has_the_script_and_is_never_kept() -> None:
    page = get("/", iter(["7"]))
    assert page.text == f'{PAGE}<script src="/_docs/preview.js" data-version="7"></script>'
    assert (page.headers["cache-control"], "etag" in page.headers) == ("no-store", False)
    assert int(page.headers["content-length"]) == len(page.content)
    assert "/_docs/preview?after=" in get("/_docs/preview.js", iter(())).text


def test_a_page_shows_the_error_of_a_later_version() -> None:
    page = get("/", iter("7"), error="docs.json:1:2: <b> is not allowed").text
    assert 'role="alert"' in page
    assert "docs.json:1:2: &lt;b&gt; is not allowed" in page
    assert "alert" not in get("/", iter("7")).text


def test_a_head_request_has_the_length_of_the_page() -> None:
    head = get("/", iter("7"), method="HEAD")
    assert head.content == b""
    assert head.headers["content-length"] == get("/", iter("7")).headers["content-length"]


def test_other_files_are_as_they_are() -> None:
    other = get("/a.txt", iter(["7"]))
    assert (other.text, other.headers["etag"]) == ("x", '"1"')


def test_the_answer_waits_for_another_number() -> None:
    assert get("/_docs/preview?after=1", iter("11122")).text == "2"
    assert get("/_docs/preview", iter("55")).text == "5"


def test_nobody_is_kept_waiting_at_the_end() -> None:
    assert get("/_docs/preview?after=1", iter("1"), is_over=True).text == "1"
