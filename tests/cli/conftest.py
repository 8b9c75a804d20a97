from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def docstead(tmp_path: Path) -> Command:
    """Runs the command as a user would, with a data folder of its own."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("DOCSTEAD_")
    } | {"DOCSTEAD_DATA": str(tmp_path / "data")}

    def run(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "docstead.cli", *map(str, arguments)],
            cwd=tmp_path,
            env=environment | more,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small repository without a fault."""
    folder = tmp_path / "source"
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
