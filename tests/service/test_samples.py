"""Samples of the guides in Python and JavaScript, run as printed against a running service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from documented_commands import blocks
from running_service import Service

GUIDES = Path(__file__).parent.parent.parent / "docs" / "guides"
PROGRAMS = {"python": sys.executable, "javascript": "node"}
SAMPLES = {
    "http-api.mdx search.py": "/guides/export",
    "http-api.mdx search.mjs": "/guides/export",
    "http-api.mdx ask.py": "export",
    "http-api.mdx update.py": "success",
    "mcp.mdx client.py": "export",
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_sample_prints_its_result(service: Service, sample: str, tmp_path: Path) -> None:
    page, title = sample.split()
    (block,) = (b for b in blocks(page, (GUIDES / page).read_text()) if b.title == title)
    file = tmp_path / title
    file.write_text(block.text.replace("127.0.0.1:8080", f"127.0.0.1:{service.port}"))
    variables = {
        "ASSISTANT_KEY": service.facts["assistantKey"],
        "ADMIN_KEY": service.facts["adminKey"],
        "PROJECT_ID": service.facts["projectId"],
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }
    ended = subprocess.run(
        [PROGRAMS[block.language], str(file)],
        env=variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert SAMPLES[sample] in ended.stdout
