"""The next steps that the demo, README and quickstart name, in a shell of this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from free_ports import free_port
from sampled_cases import one_in

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).parent / "docstead"
USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"  # of a shell that knows nothing of the project


@dataclass
class Clone:
    """A folder in which `make demo` has just printed its text."""

    folder: Path
    port: int
    printed: str

    def shell(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a command as in another terminal in the same folder."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
        return subprocess.run(
            ["/bin/sh", "-c", script],
            cwd=self.folder,
            env=kept | {"PATH": USUAL_PATH},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    folder = tmp_path_factory.mktemp("docstead")
    (folder / ".venv").symlink_to(PROGRAM.parents[1], target_is_directory=True)
    for name in ("docs", "handbook"):
        (folder / name).mkdir()
        (folder / name / "docs.json").write_text(
            '{"name": "Site", "theme": "mint", "colors": {"primary": "#123456"},'
            ' "navigation": {"pages": ["index"]}}'
        )
        (folder / name / "index.mdx").write_text("---\ntitle: Home\n---\n\nWords.\n")
    port, kept = free_port(), {k: v for k, v in os.environ.items() if "DOCSTEAD_" not in k}
    process = subprocess.Popen(
        [folder / ".venv/bin/docstead", "demo", "docs"],
        cwd=folder,
        env=kept | {"DOCSTEAD_PORT": str(port), "DOCSTEAD_RENDER_WORKERS": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    printed = ""
    while "Ctrl-C stops" not in printed:
        line = process.stdout.readline()
        assert line, printed
        printed += line
    yield Clone(folder, port, printed)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=120)


def _published(clone: Clone, command: str) -> subprocess.CompletedProcess[str]:
    return clone.shell(command.replace("../handbook", "handbook"))


def test_the_printed_command_publishes(clone: Clone) -> None:
    (command,) = re.findall(r"^.*docstead publish .*$", clone.printed, re.MULTILINE)
    ended = _published(clone, command)
    assert ended.returncode == 0, ended.stderr
    assert f"in the service at http://127.0.0.1:{clone.port}" in ended.stderr


@pytest.mark.parametrize("page", one_in(2, ["docs/quickstart.mdx", "README.md"]))
def test_the_documented_command_publishes(clone: Clone, page: str) -> None:
    (command,) = re.findall(r"^ *(\S*docstead publish \.\./.*)$", (ROOT / page).read_text(), re.M)
    ended = _published(clone, command)
    assert ended.returncode == 0, ended.stderr
    assert "in the service at" in ended.stderr


def test_the_keys_of_the_quickstart_are_set(clone: Clone) -> None:
    page = (ROOT / "docs/quickstart.mdx").read_text()
    blocks = re.findall(r"^ *```bash\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    ask, export = (block for block in blocks if "curl" in block)
    script = f"set -e\n{ask}\n{export}".replace("8080", str(clone.port))
    ended = clone.shell(script.replace("curl ", "curl -sSf "))
    assert ended.returncode == 0, ended.stderr
    assert '"threadId"' in ended.stdout
    assert '"jobId"' in ended.stdout
    variables = clone.folder / ".docstead" / "demo.env"
    assert variables.stat().st_mode & 0o077 == 0
