"""Parts of messages that both chat protocols have."""

from __future__ import annotations

from typing import Literal

from docstead.api.json_body import Shape


class TextPart(Shape):
    type: Literal["text"]
    text: str


class StepStartPart(Shape):
    type: Literal["step-start"]
