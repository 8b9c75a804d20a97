"""Error responses with the body `{"error": message}` (docs/reference/errors-and-limits.mdx).

Docstead errors keep their status and headers. Errors of the framework (unknown path, wrong method,
invalid body) get the same format. Unexpected errors are logged with their traceback and answered
with 500 without details.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.api.methods import allowed
from docstead.base.errors import DocsteadError, InvalidRequest
from docstead.base.texts import logged_path
from docstead.base.unexpected import request_failure
from docstead.base.validation_texts import validation_text

_log = logging.getLogger(__name__)

_DESCRIPTIONS = {
    400: "The request is not valid.",
    401: "The API key is missing, malformed, unknown or expired.",
    403: "This API key does not allow the request.",
    404: "The resource does not exist.",
    409: "The resource is not in a state that allows this.",
    413: "The request body is too large.",
    415: "The request body is compressed.",
    429: "Too many requests.",
    500: "Something went wrong. The log of the service has details.",
    503: "The service is temporarily unavailable, or the feature is disabled.",
}
_MESSAGES = {
    404: "there is no such path",
    405: "this path does not support that method",
}
_RATE_LIMIT_HEADERS = {
    "Retry-After": "Seconds until the next request is accepted.",
    "RateLimit": "Remaining requests of the exceeded limit.",
    "RateLimit-Policy": "The exceeded limit and its window in seconds.",
}
# Names are unique within a request, so messages mention only these locations.
_LOCATIONS = {"body": "", "path": "", "query": "query ", "header": "header ", "cookie": "cookie "}


class ErrorBody(BaseModel):
    """Body of every error."""

    error: str = Field(description="Human-readable message.")


# A reference, because FastAPI would build a validator per status and route for the
# class.
_ERROR_SCHEMA = {"$ref": f"#/components/schemas/{ErrorBody.__name__}"}


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return a route's `responses=` argument for these statuses, for the OpenAPI document."""
    return {status: _response(status) for status in statuses}


def _response(status: int) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": _DESCRIPTIONS[status],
        "content": {"application/json": {"schema": _ERROR_SCHEMA}},
    }
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        described["headers"] = _described(_RATE_LIMIT_HEADERS)
    if status == HTTPStatus.UNAUTHORIZED:
        described["headers"] = _described({"WWW-Authenticate": "`Bearer`."})
    return described


def _described(headers: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()
    }


def error_response(error: DocsteadError) -> JSONResponse:
    """Return the response for an error."""
    is_unknown = error.status == HTTPStatus.UNAUTHORIZED
    challenge = {"WWW-Authenticate": "Bearer"} if is_unknown else {}
    return JSONResponse({"error": error.message}, error.status, {**error.headers, **challenge})


def install_error_handlers(app: FastAPI) -> None:
    """Register handlers that give all errors the same format."""
    app.add_exception_handler(DocsteadError, _answer_docstead_error)
    app.add_exception_handler(HTTPException, _answer_framework_error)
    app.add_exception_handler(RequestValidationError, _answer_validation_error)


async def _answer_docstead_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DocsteadError)  # noqa: S101 - the registration says so
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and type(error) is DocsteadError:
        path = logged_path(request.url.path)
        _log.error("%s %s failed: %s", request.method, path, error, exc_info=error)
    return error_response(error)


async def _answer_framework_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - the registration says so
    message = _MESSAGES.get(error.status_code, str(error.detail))
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # FastAPI lists only the methods of the first matching route.
        headers["Allow"] = allowed(request.app.routes, request.scope)
    return JSONResponse({"error": message}, error.status_code, headers)


async def _answer_validation_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - the registration says so
    return error_response(InvalidRequest(validation_message(error.errors())))


Problem = TypeVar("Problem", bound=Mapping[str, Any])


def validation_message(problems: Sequence[Problem]) -> str:
    """Return one sentence for validation errors, with the name of each field."""
    return "; ".join(dict.fromkeys(_problem_text(problem) for problem in problems))


def _problem_text(problem: Mapping[str, Any]) -> str:
    location, *names = [str(part) for part in problem["loc"]] or ["body"]
    if problem["type"] == "json_invalid":
        return f"the body is not valid JSON: {problem.get('ctx', {}).get('error', problem['msg'])}"
    if location not in _LOCATIONS:
        location, names = "body", [location, *names]
    is_missing, text = problem["type"] == "missing", validation_text(problem)
    if not names:
        return "the body is missing" if is_missing else f"the body: {text}"
    return f"{_LOCATIONS[location]}{'.'.join(names)}{' ' if is_missing else ': '}{text}"


class CatchUnexpected:
    """Middleware that logs unexpected errors once, with traceback, and answers 500."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_noting_start)
        except ClientDisconnect:
            raise  # the client has disconnected; the server logs one line
        except Exception:
            if scope["type"] != "http" or started:
                raise  # the response has started: the server closes the connection
            failure = request_failure(_log, scope["method"], scope["path"])
            await error_response(failure)(scope, receive, send)
