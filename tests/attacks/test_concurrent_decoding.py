"""Threads that decode a type for the first time at once ended the process by SIGSEGV."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import docstead

_SOURCE = Path(docstead.__file__).parent
_PROGRAM = Path(__file__).parents[1] / "support" / "first_decodes.py"
_BUILDERS = {"json_decoder", "msgpack_decoder"}
_TYPED = {"Decoder", "convert"}
_IMPORTED = """
import sys, docstead.app.service
print(*sorted(name for name in sys.modules if name.startswith("docstead.")))
"""
#: Decode in commands and in workers of one thread, or decode lists of strings only.
_OUTSIDE_THE_SERVICE = {
    "docstead.cli.announcement",
    "docstead.cli.publish",
    "docstead.cli.export_command",
    "docstead.export.cache",
    "docstead.export.known_files",
    "docstead.rendering.devtools",
    "docstead.export.writers",
    "docstead.hosting.bundle.releases",
    "docstead.rendering.isolate",
    "docstead.markup.diagrams",
    "docstead.markup.grammars",
}


def test_threads_may_decode_the_same_types_for_the_first_time() -> None:
    assert _printed(str(_PROGRAM), "25") == "0"


def test_nothing_decodes_to_a_type_but_with_decoders_built_one_at_a_time() -> None:
    found = [
        f"{path.relative_to(_SOURCE)}:{line}"
        for path, tree in _modules()
        if path.name != "decoders.py"
        for line in _typed_calls(tree)
    ]
    assert not found


def test_the_service_has_its_decoders_before_it_starts_threads() -> None:
    imported = set(_printed("-c", _IMPORTED).split())
    decoding = {_name(path) for path, tree in _modules() if _BUILDERS & _called(tree)}
    assert len(decoding) > 10
    assert decoding - imported <= _OUTSIDE_THE_SERVICE


def _printed(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    """Yield the modules that name msgspec or a decoder."""
    for path in sorted(_SOURCE.rglob("*.py")):
        text = path.read_text()
        if "msgspec" in text or "_decoder" in text:
            yield path, ast.parse(text)


def _name(path: Path) -> str:
    return ".".join(("docstead", *path.relative_to(_SOURCE).with_suffix("").parts))


def _called(tree: ast.AST) -> set[str]:
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {call.id for call in calls if isinstance(call, ast.Name)}


def _typed_calls(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that ask msgspec for a type itself, or import its functions by name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("msgspec"):
            yield node.lineno
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
            function = ast.unparse(node.func).rpartition(".")[2]
            is_typed = len(node.args) > 1 or any(word.arg == "type" for word in node.keywords)
            if function in _TYPED or (function == "decode" and is_typed):
                yield node.lineno
