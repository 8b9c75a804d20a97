"""A full disk was a traceback; it is a sentence, and once there is space the same works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from docstead.base.units import MIB

MOUNTED = ("unshare", "--map-root-user", "--mount", "sh", "-c")


def can_mount(folder: Path) -> bool:
    """Report whether this machine lets a test mount a small disk."""
    command = [*MOUNTED, f"mount -t tmpfs -o size=1m tmpfs '{folder}'"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def test_a_full_disk_is_said_and_overcome(tmp_path: Path) -> None:
    disk, source = tmp_path / "disk", tmp_path / "source"
    disk.mkdir()
    source.mkdir()
    if not can_mount(disk):
        pytest.skip("no disk can be mounted here")
    (source / "docs.json").write_text('{"name": "Site", "navigation": {"pages": ["index"]}}')
    (source / "index.mdx").write_text("# Site\n")
    (source / "large.svg").write_bytes(os.urandom(12 * MIB))
    publish = f"'{sys.executable}' -m docstead.cli publish '{source}' --domain site"
    steps = (
        f"mount -t tmpfs -o size=8m tmpfs '{disk}'",
        f"{publish}; echo status $?",
        f"mount -o remount,size=200m '{disk}'",
        f"{publish}; echo status $?",
    )
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
    made = subprocess.run(
        [*MOUNTED, "; ".join(steps)],
        env={**inherited, "DOCSTEAD_DATA": str(disk)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    refused, _, published = made.stdout.partition("status 1\n")
    assert "no space is left on its disk" in refused, made.stdout
    assert "Traceback" not in made.stdout
    assert published.endswith("status 0\n"), made.stdout
