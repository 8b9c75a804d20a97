"""The versions of the message endpoint: what each reads, and how it writes the events.

A further protocol is a module here with a `ChatProtocol`, and its name in `PROTOCOLS`.
"""

from __future__ import annotations

from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.assistant.protocols.v1 import V1
from docstead.api.assistant.protocols.v2 import V2

PROTOCOLS: tuple[ChatProtocol, ...] = (V1, V2)
