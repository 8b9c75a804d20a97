"""Stored code of methods of dataclasses."""

from __future__ import annotations

import builtins
import dataclasses
from pathlib import Path

import pytest

from docstead.base.dataclass_code import CompiledMethods


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr(dataclasses, "exec", exec, raising=False)
    return tmp_path / "methods"


def made() -> type:
    """Return a class; each call makes another one of the same source."""

    @dataclasses.dataclass(frozen=True, slots=True, order=True)
    class Point:
        x: int
        y: int = 2
        names: list[str] = dataclasses.field(default_factory=list, hash=False)

    return Point


def compiled(monkeypatch: pytest.MonkeyPatch, methods: CompiledMethods) -> list[str]:
    """Make a class; return the sources that are compiled for it."""
    sources: list[str] = []
    usual = compile

    def recorded(source: str, *arguments: object, **options: object) -> object:
        sources.append(source)
        return usual(source, *arguments, **options)  # type: ignore[call-overload]

    methods.use()
    with monkeypatch.context() as patched:
        patched.setattr(builtins, "compile", recorded)
        made()
    return sources


def test_methods_are_compiled_once_and_by_later_processes_not_at_all(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = CompiledMethods(path)
    assert len(compiled(monkeypatch, methods)) >= 1  # so `dataclasses` uses it
    assert not compiled(monkeypatch, methods)
    methods.store()
    assert not compiled(monkeypatch, CompiledMethods(path))


def test_classes_are_as_usual(path: Path) -> None:
    usual = made()
    for _ in range(2):  # compiled, and stored
        methods = CompiledMethods(path)
        methods.use()
        point = made()
        methods.store()
        assert point(1) == point(1, 2, [])
        assert (point(1) < point(2), hash(point(1)), repr(point(1))) == (
            (usual(1) < usual(2)), hash(usual(1)), repr(usual(1))
        )  # fmt: skip
        assert point.__init__.__annotations__ == usual.__init__.__annotations__
        with pytest.raises(dataclasses.FrozenInstanceError):
            point(1).x = 2
        with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument"):
            point()


@pytest.mark.parametrize("data", [b"", b"other", b"cut"])
def test_a_damaged_file_is_replaced(
    path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    methods = CompiledMethods(path)
    needed = compiled(monkeypatch, methods)
    methods.store()
    path.write_bytes(path.read_bytes()[:1000] if data == b"cut" else data)
    methods = CompiledMethods(path)
    assert compiled(monkeypatch, methods) == needed
    methods.store()
    assert not compiled(monkeypatch, CompiledMethods(path))


def test_nothing_is_stored_where_modules_are_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    methods = CompiledMethods(path / "nowhere")
    assert compiled(monkeypatch, methods)
    methods.store()
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    methods = CompiledMethods(path)
    assert compiled(monkeypatch, methods)
    methods.store()
    assert not path.exists()
