"""Message parts shared by the chat protocols."""

from __future__ import annotations

from typing import Literal

from docstead.api.json_body import BodyModel


class TextPart(BodyModel):
    type: Literal["text"]
    text: str


class StepStartPart(BodyModel):
    type: Literal["step-start"]
