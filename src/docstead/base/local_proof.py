"""Proofs that a command and a service on one machine hold the same key.

Command and service each choose a random number. Each proves the key for both numbers and the
port of the service, so a proof is worth nothing a second time, or at another service.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

_NONCE_BYTES = 32


@dataclass(frozen=True, slots=True)
class Challenge:
    """Nonces of one exchange, and the port of the service."""

    command: str
    service: str
    port: int

    def proof_of_service(self, key: bytes) -> str:
        return self._proof(key, "service")

    def proof_of_command(self, key: bytes) -> str:
        return self._proof(key, "command")

    def _proof(self, key: bytes, party: str) -> str:
        said = f"{party}\0{self.command}\0{self.service}\0{self.port}"
        return hmac.new(key, said.encode(), hashlib.sha256).hexdigest()


def new_nonce() -> str:
    return secrets.token_hex(_NONCE_BYTES)


def is_same(proof: str, expected: str) -> bool:
    """Report whether two proofs are equal, in constant time."""
    return hmac.compare_digest(proof.encode(), expected.encode())
