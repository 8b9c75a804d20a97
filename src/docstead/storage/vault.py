"""Encryption of credentials in the database.

Stored text that is not encrypted is returned unchanged; installations encrypt it at their next
start.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from docstead.base.errors import DocsteadError

PREFIX = "sealed."
_NONCE_BYTES = 12
_CREDENTIALS = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<user>[^/]*)@")


class CredentialVault:
    """AES-256-GCM with one key. `owner` is the row's id, to which a ciphertext is bound."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, text: str, owner: str) -> str:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, text.encode(), owner.encode())
        return PREFIX + urlsafe_b64encode(sealed).decode()

    def open(self, stored: str, owner: str) -> str:
        """Decrypt a stored value.

        Raises:
            DocsteadError: it was modified or encrypted with another key.
        """
        if not stored.startswith(PREFIX):
            return stored
        data = urlsafe_b64decode(stored.removeprefix(PREFIX))
        try:
            opened = self._cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], owner.encode())
        except InvalidTag as error:
            raise DocsteadError(f"the stored secret of {owner} cannot be read") from error
        return opened.decode()

    def seal_url(self, url: str, owner: str) -> str:
        """Encrypt the user part of a URL, except a mere user name of an SSH URL."""
        found = _CREDENTIALS.match(url)
        if found is None or found["user"].startswith(PREFIX) or _is_ssh_user(found):
            return url
        sealed = self.seal(found["user"], owner)
        return f"{found['scheme']}://{sealed}@{url[found.end() :]}"

    def open_url(self, stored: str, owner: str) -> str:
        """Decrypt a URL. Raises the errors of `open`."""
        found = _CREDENTIALS.match(stored)
        if found is None or not found["user"].startswith(PREFIX):
            return stored
        return f"{found['scheme']}://{self.open(found['user'], owner)}@{stored[found.end() :]}"


def without_sealed(stored: str) -> str:
    """Return the URL without its user part, if that is encrypted."""
    found = _CREDENTIALS.match(stored)
    if found is None or not found["user"].startswith(PREFIX):
        return stored
    return f"{found['scheme']}://{stored[found.end() :]}"


def _is_ssh_user(found: re.Match[str]) -> bool:
    return found["scheme"].lower() == "ssh" and ":" not in found["user"]
