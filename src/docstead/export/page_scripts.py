"""Scripts of a bundle's 404 page, each with data of the site."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from docstead.markup.assets import hashed_name

_ASSETS = Path(__file__).parent / "assets"


@dataclass(frozen=True, slots=True)
class PageScript:
    """A script by its name in `assets`, and the id of the element with its data."""

    name: str
    data_id: str

    def file(self) -> tuple[str, bytes]:
        """Return path and contents of the script."""
        data = (_ASSETS / self.name).read_bytes()
        return hashed_name(self.name, data), data

    def added(self, html: str, data: object, root: str) -> str:
        """Return a page with the script and its data; `root` is the relative path to the root."""
        path, _ = self.file()
        written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
        elements = (
            f'<script type="application/json" id="{self.data_id}">{written}</script>\n'
            f'<script src="{root}{path}"></script>\n'
        )
        return html.replace("</body>", f"{elements}</body>", 1)
