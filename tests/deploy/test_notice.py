"""NOTICE names every package that is shipped, with its license."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

from docstead.markup.assets import BuiltAssets

ROOT = Path(__file__).parents[2]
NOTICE = ROOT / "NOTICE"
SCRIPT = ROOT / "deploy" / "notice.py"


def test_notice_fits_the_locks() -> None:
    checked = subprocess.run(
        [sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test_packages_of_weak_copyleft_and_those_inside_mermaid_are_named() -> None:
    lines = {tuple(line.split(maxsplit=1)) for line in NOTICE.read_text().splitlines()}
    assert {
        ("elkjs", "EPL-2.0"),
        ("dompurify", "Apache-2.0"),
        ("psycopg", "LGPL-3.0-only"),
        ("certifi", "MPL-2.0"),
        ("tqdm", "MPL-2.0 AND MIT"),
        ("pathspec", "Mozilla Public License 2.0 (MPL 2.0)"),
    } <= lines


def test_everything_that_is_built_into_a_script_is_in_the_table() -> None:
    """Compare with all that npm installs for pages, except tools that leave nothing in them."""
    lock = json.loads((ROOT / "engine" / "package-lock.json").read_text())["packages"]
    shipped = runpy.run_path(str(SCRIPT))["npm_packages"]()
    runtime = {
        path.rpartition("node_modules/")[2]
        for path, entry in lock.items()
        if path and not entry.get("dev") and not entry.get("optional") and not entry.get("peer")
    }
    assert {name for name in runtime - set(shipped) if not name.startswith("@types/")} == set()


def test_the_script_for_diagrams_names_the_licenses_of_what_it_contains() -> None:
    """Exported sites carry it without NOTICE."""
    for name in ("mermaid.js", "mermaid-all.js"):
        start = BuiltAssets().read(name)[:300].decode()
        licenses = ("Mermaid (MIT)", "elkjs (EPL-2.0", "DOMPurify (Apache")
        assert all(each in start for each in licenses)
