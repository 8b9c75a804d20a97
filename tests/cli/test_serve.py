"""The greeting of `serve`."""

from __future__ import annotations

import pytest

from docstead.cli.serve import _greet
from docstead.settings import Settings

PUBLIC = "https://docs-api.example.com"


@pytest.mark.parametrize(
    ("base_url", "line"),
    [
        (PUBLIC, f"{PUBLIC}, listening on 0.0.0.0 port 8090"),
        ("", "http://127.0.0.1:8090"),
    ],
)
def test_it_says_where_it_listens_behind_a_proxy(
    base_url: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    host = "0.0.0.0" if base_url else "127.0.0.1"
    _greet(Settings(base_url=base_url, host=host, port=8090))
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"Docstead serves on {line}. Ctrl-C stops it."
    assert second.startswith("Dashboard: ")
