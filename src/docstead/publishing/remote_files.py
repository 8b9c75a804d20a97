"""Specifications that a repository names by their address, read while it is published."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.outbound import Outbound
from docstead.base.units import MIB

_MOST_BYTES = 10 * MIB
_OK = 200

_log = logging.getLogger(__name__)


class RemoteFiles:
    """Reads files of other hosts. `kept` holds the last copies, for when a host is away."""

    def __init__(self, outbound: Outbound, kept: Path | None = None) -> None:
        self._outbound = outbound
        self._kept = kept

    def read(self, address: str) -> str:
        """The text at an address, or the copy of the last time.

        Raises:
            InvalidRequest: the address must not be asked.
            Unavailable: nothing came, or too much, or no text, and there is no copy.
        """
        try:
            text = self._asked(address)
        except DocsteadError as error:
            copy = self._copy(address)
            if copy is None or not copy.exists():
                raise
            _log.warning("%s: %s; the copy of the last time is used", address, error.message)
            return copy.read_text(encoding="utf-8")
        self._keep(address, text)
        return text

    def _asked(self, address: str) -> str:
        data = bytearray()
        with self._outbound.get(address) as answer:
            if answer.status != _OK:
                raise Unavailable(f"it answers with status {answer.status}")
            for block in answer.blocks:
                data += block
                if len(data) > _MOST_BYTES:
                    raise Unavailable("it is larger than 10 MB")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Unavailable("it is not UTF-8") from error

    def _keep(self, address: str, text: str) -> None:
        copy = self._copy(address)
        if copy is None:
            return
        copy.parent.mkdir(parents=True, exist_ok=True)
        fresh = copy.with_suffix(".part")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(copy)

    def _copy(self, address: str) -> Path | None:
        name = hashlib.sha256(address.encode()).hexdigest()
        return self._kept / name if self._kept else None
