"""A small repository of two pages, without diagnostics."""

from __future__ import annotations

import json
from pathlib import Path


def write_handbook(folder: Path) -> Path:
    """Write the repository into a new folder and return the folder."""
    folder.mkdir()
    (folder / "docs.json").write_text(
        json.dumps(
            {
                "name": "Handbook",
                "theme": "mint",
                "colors": {"primary": "#0F766E"},
                "navigation": {"pages": ["index", "guides/keys"]},
            }
        )
    )
    (folder / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nSee [keys](/guides/keys).\n")
    (folder / "guides").mkdir()
    (folder / "guides" / "keys.mdx").write_text(
        "---\ntitle: Keys\n---\n\n## Rotate a key\n\n"
        "To rotate a key, make a new key and revoke the old one.\n"
    )
    return folder
