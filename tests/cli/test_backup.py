"""The backup of the guide, word for word, and what is restored from it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

_GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "backup.mdx"


def test_a_restored_backup_serves_and_knows_its_keys(docstead, source: Path) -> None:
    folder = docstead.folder
    settings = {"DOCSTEAD_DATA": ".docstead"}
    assert docstead("publish", source, "--domain", "handbook", **settings).returncode == 0
    made = docstead("keys", "create", "admin", "--name", "nightly", **settings)
    assert made.returncode == 0
    _run("Back up", folder)
    shutil.rmtree(folder / ".docstead")
    _run("Restore", folder)
    listed = docstead("keys", "list", **settings)
    assert (listed.returncode, "nightly" in listed.stdout) == (0, True), listed.stderr
    found = docstead("search", "rotate", "--json", **settings)
    assert (found.returncode, "guides/keys" in found.stdout) == (0, True), found.stderr
    assert docstead("publish", source, "--domain", "handbook", **settings).returncode == 0


def test_a_backup_without_the_secret_says_so(docstead, source: Path) -> None:
    settings = {"DOCSTEAD_DATA": ".docstead"}
    assert docstead("publish", source, "--domain", "handbook", **settings).returncode == 0
    _run("Back up", docstead.folder)
    (docstead.folder / "backup" / "secret").unlink()
    _run("Restore", docstead.folder)
    ended = docstead("keys", "list", **settings)
    assert ended.returncode == 2
    assert ".docstead/secret" in ended.stderr


def _run(title: str, folder: Path) -> None:
    """The commands of the guide under this title."""
    block = re.search(rf"```bash {title}\n(.*?)```", _GUIDE.read_text(), re.DOTALL)
    assert block
    subprocess.run(["bash", "-euc", block[1]], cwd=folder, check=True)
