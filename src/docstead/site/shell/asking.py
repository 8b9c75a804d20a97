"""What the assistant's panel of a page has to know to reach the service."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AssistantLink:
    """Where the service answers for a site. The key is public, made for pages."""

    address: str  # of the interface, up to and with `/discovery`
    domain: str
    key: str

    def told(self, version: str, language: str) -> str:
        """As JSON, for one page, whose version and language answers keep to."""
        known = {"address": self.address, "domain": self.domain, "key": self.key}
        return json.dumps({**known, "version": version, "language": language})
