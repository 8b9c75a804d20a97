"""No library sends or collects telemetry: nothing leaves the machine, nothing lies in HOME."""

from __future__ import annotations

import json
import os
from pathlib import Path

from isolated import run_isolated

_HERE = Path(__file__).parent
_SETTINGS = {
    "name": "Parcelo",
    "theme": "mint",
    "colors": {"primary": "#0F766E"},
    "navigation": {"pages": ["index"]},
}
_PAGE = "---\ntitle: Tokens\n---\n\n## Rotate\n\nTo rotate a token, open Settings and press New.\n"


def _environment(home: Path) -> dict[str, str]:
    """Return the environment of an unconfigured service: PATH and an empty HOME."""
    ours = (path for path in ("tests/support", "src"))
    root = _HERE.parent.parent
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(str(root / path) for path in ours),
    }


def _source(folder: Path) -> Path:
    folder.mkdir()
    (folder / "docs.json").write_text(json.dumps(_SETTINGS))
    (folder / "index.mdx").write_text(_PAGE)
    return folder


def test_an_attempt_to_connect_would_be_seen(tmp_path: Path) -> None:
    seen = run_isolated(_HERE / "one_connection.py", [], _environment(tmp_path))
    assert seen["packets"] == ["203.0.113.7"]


def test_publishing_asking_and_exporting_reach_no_host_and_leave_home_empty(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    source = _source(tmp_path / "source")
    done = run_isolated(
        _HERE / "isolated_service.py", [str(source), str(tmp_path)], _environment(home)
    )
    assert (done["page"], done["export"], done["command"]) == (200, "completed", 0)
    assert "press New" in done["answer"]
    assert done["search"]
    assert done["vectors"] == 1
    assert done["packets"] == []
    assert sorted(map(str, home.rglob("*"))) == []
