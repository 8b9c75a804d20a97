"""Chat protocols: versions of the message endpoint that parse requests and encode events.

To add a protocol, add a module with a `ChatProtocol` and list it in `PROTOCOLS`.
"""

from __future__ import annotations

from docstead.api.assistant.protocols.protocol import ChatProtocol
from docstead.api.assistant.protocols.v1 import V1
from docstead.api.assistant.protocols.v2 import V2

PROTOCOLS: tuple[ChatProtocol, ...] = (V1, V2)
