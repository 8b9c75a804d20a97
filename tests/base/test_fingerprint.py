"""Fingerprints of code, compared with the graph of imports."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import docstead
from docstead.base.fingerprint import code_fingerprint, reached_modules

PACKAGE = Path(docstead.__file__).parent
RENDERING = ("docstead.publishing.build", "docstead.rendering.worker")


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("docstead", cache_dir=None)


def imported(imports: grimp.ImportGraph, root: str) -> set[str]:
    inner = {module for module in imports.modules if f"{module}.".startswith(f"{root}.")}
    return inner.union(*map(imports.find_upstream_modules, inner))


@pytest.mark.parametrize("module", RENDERING)
def test_all_that_rendering_imports_is_reached(imports: grimp.ImportGraph, module: str) -> None:
    assert imported(imports, module) - reached_modules("docstead.publishing.build").keys() == set()


def test_all_that_an_export_imports_is_reached(imports: grimp.ImportGraph) -> None:
    reached = reached_modules("docstead.publishing.build", "docstead.export").keys()
    assert imported(imports, "docstead.export") - reached == set()


def test_surfaces_are_not_reached_from_rendering() -> None:
    reached = reached_modules("docstead.publishing.build")
    packages = {module.split(".")[1] for module in reached if "." in module}
    assert packages.isdisjoint({"agent", "api", "app", "assistant", "cli", "dashboard", "hosting"})


def test_a_root_without_module() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"docstead\.missing"):
        code_fingerprint("docstead.missing")


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("markup/lexing.py", True),
        ("rendering/worker.py", True),  # started by its name
        ("reference/openapi/spec.py", True),
        ("publishing/page_notes.py", True),
        ("markup/translations/de.json", True),
        ("dashboard/pages.py", False),
    ],
)
def test_changed_files(copied: Path, file: str, changes: bool) -> None:
    before = fingerprint_in(copied)
    path = copied / "docstead" / file
    original = path.read_bytes()
    path.write_bytes(original + b"\n")
    try:
        assert (fingerprint_in(copied) != before) is changes
    finally:
        path.write_bytes(original)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, without the large files of the engine."""
    folder = tmp_path_factory.mktemp("copied")
    ignored = shutil.ignore_patterns("__pycache__", "built", "minilm")
    shutil.copytree(PACKAGE, folder / "docstead", ignore=ignored)
    return folder


def fingerprint_in(folder: Path) -> str:
    program = (
        "from docstead.base.fingerprint import code_fingerprint;"
        "print(code_fingerprint('docstead.publishing.build'))"
    )
    command = [sys.executable, "-B", "-c", program]
    environment = {"PYTHONPATH": str(folder)}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout
