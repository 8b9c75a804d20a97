"""Zip archive for readers without a server: a start page, and the site in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from docstead.export.bundle import write_zip
from docstead.export.static_file import StaticFile

LAUNCHER = "Start Docs.html"
FOLDER = "site"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Start Docs</title>
<meta http-equiv="refresh" content="0; url={folder}/index.html">
</head>
<body><p><a href="{folder}/index.html">Open the documentation</a></p></body>
</html>
"""


def write_offline_zip(files: Iterable[StaticFile], target: Path) -> int:
    """Write the files of an export as such a zip archive; return its size in bytes."""
    launcher = StaticFile.of(LAUNCHER, _PAGE.format(folder=FOLDER).encode())
    return write_zip(files, target, FOLDER, [launcher])
