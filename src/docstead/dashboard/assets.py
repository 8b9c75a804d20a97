"""Style sheets, scripts and fonts of the dashboard, at content-addressed URLs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from docstead.content.style_settings import SiteFontSettings
from docstead.markup.assets import BuiltAssets
from docstead.markup.highlight import pygments_css
from docstead.theme.fonts import site_fonts

_FOLDER = Path(__file__).parent / "assets"
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class DashboardAssets:
    """In-memory static files: the assets folder, the site fonts and the syntax colors."""

    def __init__(self, prefix: str) -> None:
        fonts = site_fonts(SiteFontSettings(), BuiltAssets(), ())
        made = {"code.css": pygments_css().encode(), "fonts.css": fonts.css.encode()}
        shipped = {Path(path).name: data for path, data in fonts.files.items()}
        kept = {file.name: file.read_bytes() for file in _FOLDER.iterdir()}
        self._files: Mapping[str, tuple[bytes, str]] = {
            name: (data, _TYPES[Path(name).suffix])
            for name, data in (made | shipped | kept).items()
        }
        self.first_font = Path(fonts.first[0]).name
        self._prefix = f"{prefix}/{self._version()}/"

    def url(self, name: str) -> str:
        return self._prefix + name

    def find(self, path: str) -> tuple[bytes, str] | None:
        """Return the content and media type of the file at a path, or None."""
        is_ours = path.startswith(self._prefix)
        return self._files.get(path.removeprefix(self._prefix)) if is_ours else None

    def _version(self) -> str:
        digest = hashlib.sha256()
        for name, (data, _) in sorted(self._files.items()):
            digest.update(name.encode() + data)
        return digest.hexdigest()[:12]
