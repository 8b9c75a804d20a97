"""The dashboard's style sheet and script, at addresses that change with their content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from docstead.site.highlight import pygments_css

_FOLDER = Path(__file__).parent / "assets"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class Assets:
    """Every file of the folder, and the colours of code, in memory."""

    def __init__(self, prefix: str) -> None:
        self._files: Mapping[str, tuple[bytes, str]] = {
            "code.css": (pygments_css().encode(), _TYPES[".css"]),
            **{file.name: (file.read_bytes(), _TYPES[file.suffix]) for file in _FOLDER.iterdir()},
        }
        self._prefix = f"{prefix}/{self._version()}/"

    def address(self, name: str) -> str:
        return self._prefix + name

    def find(self, path: str) -> tuple[bytes, str] | None:
        """Bytes and content type of the file at this address."""
        is_ours = path.startswith(self._prefix)
        return self._files.get(path.removeprefix(self._prefix)) if is_ours else None

    def _version(self) -> str:
        digest = hashlib.sha256()
        for name, (data, _) in sorted(self._files.items()):
            digest.update(name.encode() + data)
        return digest.hexdigest()[:12]
