from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Command
from ready_processes import ReadyProcesses


@pytest.fixture
def docstead(tmp_path: Path, ready: ReadyProcesses) -> Command:
    return Command(tmp_path, ready)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small repository without diagnostics."""
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
