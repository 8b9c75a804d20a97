"""Estimates of tokens, for calls whose usage the provider does not report.

Servers report it at the end of a response, some never. What has begun is paid nevertheless.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from docstead.models.chat import ChatMessage, InputFile, ModelEvent, ModelUsage, ToolSpec
from docstead.models.inputs import PDF

T = TypeVar("T")

_CHARACTERS_PER_TOKEN = 4
_PICTURE_TOKENS = 1_600  # tokens of the largest image that providers do not scale down
_PDF_BYTES_PER_TOKEN = 25  # 50 kB of a PDF page are sent as text and image


def estimated_usage(
    model_name: str,
    messages: Sequence[ChatMessage],
    tools: Sequence[ToolSpec],
    received_characters: int,
) -> ModelUsage:
    """Return the estimated usage of a call with these messages."""
    written = sum(map(written_characters, messages)) + sum(map(_described_characters, tools))
    files = sum(file_tokens(file) for message in messages for file in message.files)
    return ModelUsage(
        input_tokens=_tokens(written) + files,
        output_tokens=_tokens(received_characters),
        model=model_name,
        is_estimated=True,
    )


def written_characters(message: ChatMessage) -> int:
    """Return the number of characters of a message, without its files."""
    calls = sum(len(call.arguments) + len(call.name) for call in message.tool_calls)
    return len(message.text) + sum(len(each.text) for each in message.reasoning) + calls


def file_tokens(file: InputFile) -> int:
    """Return the estimated tokens of a file."""
    is_pdf = file.media_type == PDF
    return len(file.data) // _PDF_BYTES_PER_TOKEN if is_pdf else _PICTURE_TOKENS


@dataclass(slots=True)
class UsageMeter:
    """Counts what a response has brought, for an estimate if it reports no usage."""

    characters: int = 0
    is_reported: bool = False

    async def counted(
        self, items: AsyncIterable[T], characters_of: Callable[[T], int]
    ) -> AsyncIterator[T]:
        """Yield the items of a provider's library."""
        async for item in items:
            self.characters += characters_of(item)
            yield item

    def note(self, event: ModelEvent) -> None:
        if isinstance(event, ModelUsage) and event.has_tokens:
            self.is_reported = True

    def missing(self, estimate: Callable[[int], ModelUsage]) -> Iterator[ModelUsage]:
        """Yield an estimate if the response has begun, and no usage was reported."""
        if self.characters and not self.is_reported:
            yield estimate(self.characters)


def _described_characters(tool: ToolSpec) -> int:
    return len(tool.name) + len(tool.description) + len(json.dumps(dict(tool.parameters)))


def _tokens(characters: int) -> int:
    return -(-characters // _CHARACTERS_PER_TOKEN)
