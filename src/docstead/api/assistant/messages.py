"""Message endpoints, `/discovery/{version}/assistant/{domain}/…`, for all chat protocols.

Request errors are answered before the stream starts, as `{"error": …}`. After that the status is
200, and errors are part of the stream.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Request
from pydantic import Field
from starlette.responses import Response

from docstead.accounts.key_records import Caller
from docstead.accounts.tenancy import Deployment
from docstead.api.assistant.admission import Admission
from docstead.api.assistant.asking import AskRequest
from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.assistant.sizes import check_size
from docstead.api.assistant.stream import AnswerStream
from docstead.api.authentication import Authentication
from docstead.api.client_address import ClientAddress
from docstead.api.errors import responses
from docstead.api.json_body import BodyModel, parsed, request_body
from docstead.api.routers import new_router
from docstead.assistant.conversation import QuestionChannel, ThreadAccess
from docstead.assistant.events import AnswerStarted
from docstead.assistant.feedback import AnswerFeedback, AnswerFeedbackRecords
from docstead.assistant.streams import AnswerStreams
from docstead.base.errors import InvalidRequest
from docstead.base.texts import clean

_LONGEST_COMMENT = 4_000
_ANONYMOUS = "anonymous"
_THREAD_HEADERS = {
    "X-Thread-Id": "The thread. Also sent if the answer fails.",
    "X-Thread-Key": "Key of a new thread, sent once.",
}
_DEPRECATION = {"Deprecation": "`true`: clients of version 5 and later use the second version."}
_NOTHING = {"description": "There is nothing to resume."}
_THREAD_KEY = {
    "name": "X-Thread-Key",
    "in": "header",
    "required": False,
    "description": "The thread's key, where one is required.",
    "schema": {"type": "string"},
}


class FeedbackRequest(BodyModel):
    """The body of `POST /discovery/v2/assistant/{domain}/feedback`."""

    message_id: str = Field(description="The answer's id, from its stream.")
    helpful: bool
    comment: str | None = Field(default=None, max_length=_LONGEST_COMMENT)
    fp: str | None = Field(default=_ANONYMOUS, description="As for messages.")

    def feedback(self) -> AnswerFeedback:
        return AnswerFeedback(
            self.helpful, self.comment and clean(self.comment), clean(self.fp or _ANONYMOUS)
        )


class MessageService:
    """Answers messages and stores feedback on answers."""

    def __init__(
        self,
        *,
        client_address: ClientAddress,
        admission: Admission,
        streams: AnswerStreams[Deployment],
        feedback: AnswerFeedbackRecords,
    ) -> None:
        self._client_address = client_address
        self._admission = admission
        self._streams = streams
        self._feedback = feedback

    async def ask(
        self, protocol: ChatProtocol, domain: str, request: Request, caller: Caller
    ) -> Response:
        asked = self._read(protocol, await request.body())
        groups = caller.groups(asked.groups)
        question = replace(
            asked.question(),
            channel=_channel(request),
            groups=groups,
            reads_groups=caller.reads_groups,
        )
        client_ip = self._client_address.of(request)
        deployment = await to_thread.run_sync(
            self._admission.to_ask, caller, domain, client_ip, protocol.version
        )
        answer = await self._streams.ask(deployment, question, chat=asked.chat_id, asker=client_ip)
        return AnswerStream(answer, protocol, _thread_headers(answer.started))

    def _read(self, protocol: ChatProtocol, body: bytes) -> AskRequest:
        try:
            asked = parsed(protocol.request, body)
        except InvalidRequest:
            check_size(body)  # whose message is more specific
            raise
        check_size(body, asked.files())
        return asked

    async def resume(
        self, protocol: ChatProtocol, domain: str, chat: str, request: Request, caller: Caller
    ) -> Response:
        deployment = await to_thread.run_sync(self._admission.to_resume, caller, domain)
        answer = await self._streams.resume(
            deployment,
            clean(chat),
            asker=self._client_address.of(request),
            access=ThreadAccess(request.headers.get("x-thread-key"), caller.reads_groups),
        )
        if answer is None:
            return Response(status_code=204)
        started = (await answer.after(0)).events[0]
        assert isinstance(started, AnswerStarted)  # noqa: S101 - the events promise it
        return AnswerStream(answer, protocol, {"x-thread-id": started.thread_id})

    async def judge(self, domain: str, request: Request, caller: Caller) -> Response:
        given = parsed(FeedbackRequest, await request.body())

        def keep() -> None:
            deployment = self._admission.to_judge(caller, domain)
            self._feedback.give(
                deployment.id,
                clean(given.message_id),
                given.feedback(),
                reads_groups=caller.reads_groups,
            )

        await to_thread.run_sync(keep)
        return Response(status_code=204)


def message_routes(
    messages: MessageService, authentication: Authentication, protocols: Sequence[ChatProtocol]
) -> APIRouter:
    """Return the message routes of all protocols, and the feedback route."""
    router = new_router(prefix="/discovery", tags=["assistant"])
    authenticated = Depends(authentication.assistant)
    for protocol in protocols:
        _add_ask(router, messages, authenticated, protocol)
        _add_resume(router, messages, authenticated, protocol)
    _add_feedback(router, messages, authenticated)
    return router


def _add_ask(
    router: APIRouter, messages: MessageService, authenticated: Any, protocol: ChatProtocol
) -> None:
    @router.post(
        f"/{protocol.version}/assistant/{{domain}}/message",
        name=f"createAssistantMessage{_suffix(protocol)}",
        summary=protocol.summary,
        deprecated=protocol.deprecated,
        response_class=Response,
        responses={
            200: _stream("Message generated. The body is a stream.", protocol),
            **responses(400, 401, 403, 404, 413, 415, 429, 503),
        },
        openapi_extra=request_body(protocol.request),
    )
    async def create_message(
        domain: str, request: Request, caller: Annotated[Caller, authenticated]
    ) -> Response:
        return await messages.ask(protocol, domain, request, caller)


def _add_resume(
    router: APIRouter, messages: MessageService, authenticated: Any, protocol: ChatProtocol
) -> None:
    @router.get(
        f"/{protocol.version}/assistant/{{domain}}{protocol.resume_path}",
        name=f"resumeAssistantMessage{_suffix(protocol)}",
        summary="Resume the latest answer of a chat from its start",
        deprecated=protocol.deprecated,
        response_class=Response,
        responses={
            200: _stream("The answer so far, and the rest as it is generated.", protocol),
            204: _NOTHING,
            # A path parameter is always present.
            **({} if "{chatId}" in protocol.resume_path else responses(400)),
            **responses(401, 403, 404, 429, 503),
        },
        openapi_extra={"parameters": [_THREAD_KEY]},
    )
    async def resume_message(
        domain: str,
        chatId: str,  # noqa: N803 - the name on the wire
        request: Request,
        caller: Annotated[Caller, authenticated],
    ) -> Response:
        return await messages.resume(protocol, domain, chatId, request, caller)


def _add_feedback(router: APIRouter, messages: MessageService, authenticated: Any) -> None:
    @router.post(
        "/v2/assistant/{domain}/feedback",
        name="giveAssistantFeedback",
        summary="Send feedback on an answer",
        status_code=204,
        response_class=Response,
        responses=responses(400, 401, 403, 404, 413, 415, 429, 503),
        openapi_extra=request_body(FeedbackRequest),
    )
    async def give_feedback(
        domain: str, request: Request, caller: Annotated[Caller, authenticated]
    ) -> Response:
        return await messages.judge(domain, request, caller)


def _channel(request: Request) -> QuestionChannel:
    """Return the channel of a question: browsers send an origin, servers do not."""
    headers = request.headers
    return (
        QuestionChannel.WEB
        if "origin" in headers or "sec-fetch-site" in headers
        else QuestionChannel.API
    )


def _suffix(protocol: ChatProtocol) -> str:
    return "" if protocol.deprecated else protocol.version.upper()


def _stream(description: str, protocol: ChatProtocol) -> dict[str, Any]:
    headers = {**_THREAD_HEADERS, **(_DEPRECATION if protocol.deprecated else {})}
    return {
        "description": description,
        "content": dict(protocol.body),
        "headers": {
            name: {"description": text, "schema": {"type": "string"}}
            for name, text in headers.items()
        },
    }


def _thread_headers(started: AnswerStarted) -> dict[str, str]:
    key = {} if started.thread_key is None else {"x-thread-key": started.thread_key}
    return {"x-thread-id": started.thread_id, **key}
