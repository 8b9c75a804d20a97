"""`dev` as an author runs it: a change is shown, and what cannot be read is reported."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import patient_http
from free_ports import free_port

SECONDS = 120


@pytest.fixture
def url(source: Path, tmp_path: Path) -> Iterator[str]:
    port = free_port()
    with (tmp_path / "output").open("w") as output:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "docstead.cli",
                "dev",
                str(source.parent),
                "--root",
                source.name,
                "--port",
                str(port),
            ],
            env=os.environ | {"TMPDIR": str(tmp_path), "DOCSTEAD_RENDER_WORKERS": "1"},
            stderr=output,
            stdout=output,
        )
    yield f"http://127.0.0.1:{port}"
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == 0
    assert list(tmp_path.glob("docstead-dev-*")) == []


def until(url: str, text: str) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        try:
            if text in patient_http.get(url).text:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"{text!r} is not shown at {url}")


@pytest.fixture
def unreadable(source: Path) -> Path:
    """Settings that cannot be read, and their path."""
    (source / "docs.json").write_text("{")
    return source / "docs.json"


def test_before_the_first_readable_state_the_browser_shows_the_error(
    unreadable: Path, url: str
) -> None:
    until(f"{url}/", "docs.json:1:2")
    assert "Nothing to preview yet" in patient_http.get(url).text
    unreadable.write_text('{"name": "Acme", "navigation": {"pages": ["index", "guides/keys"]}}')
    until(f"{url}/guides/keys", 'data-version="1"')


def test_a_change_is_shown(url: str, source: Path, tmp_path: Path) -> None:
    until(f"{url}/guides/keys", 'data-version="1"')
    assert patient_http.get(url, headers={"Host": "evil.test"}).status_code == 403
    (source / "docs.json").write_text("{")
    end = time.monotonic() + SECONDS
    while "docs.json:1:2" not in (tmp_path / "output").read_text():
        assert time.monotonic() < end
        time.sleep(0.1)
    page = patient_http.get(f"{url}/guides/keys").text
    assert re.search(r'data-version="1-\d+"', page)  # it may also have seen the file empty
    assert "docs.json:1:2" in page[page.index('role="alert"') :]
    config = '{"name": "Acme", "navigation": {"pages": ["index", "guides/keys"]}}'
    (source / "docs.json").write_text(config)
    (source / "guides" / "keys.mdx").write_text("# Keys\n\nKeys of elephants.\n")
    until(f"{url}/guides/keys", "Keys of elephants.")
    assert 'role="alert"' not in patient_http.get(f"{url}/guides/keys").text
