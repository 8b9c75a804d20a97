"""Complete responses without streaming, for durable jobs, rewriting and judging."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

from anyio.from_thread import BlockingPortal, start_blocking_portal

from docstead.models.chat import (
    ChatMessage,
    ChatModel,
    ChatRole,
    FinishReason,
    ModelEvent,
    ModelFinish,
    ModelReasoning,
    ModelReasoningDelta,
    ModelTextDelta,
    ModelUsage,
    ProviderMessage,
    ToolCall,
    ToolSpec,
    ToolUse,
)
from docstead.models.usage_estimates import estimated_usage, written_characters

Listener = Callable[[ModelEvent], None]

_WATCH_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Completion:
    """Everything that a model returned in one call."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: ModelUsage = field(default_factory=ModelUsage)
    finish: FinishReason = FinishReason.STOP
    reasoning: tuple[ModelReasoning, ...] = ()
    original: ProviderMessage | None = None

    @property
    def message(self) -> ChatMessage:
        """The same as a message for continuing the conversation."""
        return ChatMessage(
            ChatRole.ASSISTANT,
            self.text,
            tool_calls=self.tool_calls,
            reasoning=self.reasoning,
            original=self.original,
        )


@dataclass(slots=True)
class Transcript:
    """Collects the events of one call."""

    text: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    usage: ModelUsage = field(default_factory=ModelUsage)
    finish: FinishReason = FinishReason.STOP
    reasoning: list[ModelReasoning] = field(default_factory=list)
    original: ProviderMessage | None = None
    _reasoning_text: str = ""

    def add(self, event: ModelEvent) -> None:
        match event:
            case ModelTextDelta(text):
                self.text += text
            case ModelReasoningDelta(text, signature):
                self._think(text, signature)
            case ToolCall():
                self.tool_calls.append(event)
            case ProviderMessage():
                self.original = event
            case ModelUsage():
                self.usage += event
            case ModelFinish(reason):
                self.finish = reason

    def paid(
        self, model_name: str, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> ModelUsage:
        """Return the usage of a call that was stopped; an estimate if none was reported."""
        if self.usage.has_tokens:
            return self.usage
        received = written_characters(self.completion().message)
        return estimated_usage(model_name, messages, tools, received)

    def completion(self) -> Completion:
        reasoning = [
            *self.reasoning,
            *([ModelReasoning(self._reasoning_text)] if self._reasoning_text else []),
        ]
        return Completion(
            self.text,
            tuple(self.tool_calls),
            self.usage,
            self.finish,
            tuple(reasoning),
            self.original,
        )

    def _think(self, text: str, signature: str) -> None:
        self._reasoning_text += text
        if signature:
            self.reasoning.append(ModelReasoning(self._reasoning_text, signature))
            self._reasoning_text = ""


async def complete(
    model: ChatModel,
    messages: Sequence[ChatMessage],
    *,
    tools: Sequence[ToolSpec] = (),
    tool_use: ToolUse = ToolUse.AUTO,
    max_output_tokens: int | None = None,
    listener: Listener | None = None,
) -> Completion:
    """Return a complete response; `listener` is called with events as they arrive.

    Raises:
        ModelError: the model failed; exceptions of the listener abort the call, too.
    """
    stream = model.stream(
        messages, tools=tools, tool_use=tool_use, max_output_tokens=max_output_tokens
    )
    async with aclosing(stream) as events:
        return await _collected(events, listener)


async def _collected(events: AsyncIterable[ModelEvent], listener: Listener | None) -> Completion:
    transcript = Transcript()
    async for event in events:
        transcript.add(event)
        if listener is not None:
            listener(event)
    return transcript.completion()


class CompletionClient:
    """`complete` for synchronous code, such as steps of durable jobs.

    Thread-safe: calls share one event loop in its own thread, which starts with the first call and
    ends with `close`.
    """

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None
        self._starting = Lock()

    @property
    def name(self) -> str:
        return self._model.name

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[ToolSpec] = (),
        tool_use: ToolUse = ToolUse.AUTO,
        max_output_tokens: int | None = None,
        listener: Listener | None = None,
        watch: Callable[[], None] | None = None,
    ) -> Completion:
        """Return a complete response; `listener` is called in another thread.

        `watch` is called repeatedly during the call; its exceptions abort it.

        Raises:
            ModelError: the model failed.
        """
        call = partial(
            complete,
            self._model,
            messages,
            tools=tools,
            tool_use=tool_use,
            max_output_tokens=max_output_tokens,
            listener=listener,
        )
        if watch is None:
            return self._running().call(call)
        return _watched(self._running().start_task_soon(call), watch)

    def close(self) -> None:
        if self._portal is not None:
            self._portal.call(self._model.close)
        self._stack.close()

    def _running(self) -> BlockingPortal:
        with self._starting:
            if self._portal is None:
                self._portal = self._stack.enter_context(start_blocking_portal())
            return self._portal


def _watched(call: Future[Completion], watch: Callable[[], None]) -> Completion:
    try:
        while not wait([call], _WATCH_SECONDS).done:
            watch()
    except BaseException:
        call.cancel()
        raise
    return call.result()
