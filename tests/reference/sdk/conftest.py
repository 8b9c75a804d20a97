from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docstead.content.pages import Repository
from docstead.content.symbols import Symbol
from docstead.reference.sdk.libraries import LibraryArtifacts
from docstead.reference.sdk.model import SdkLibrary
from docstead.repository.parse_cache import no_parse_cache
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sdk_settings import LibrarySource

ARTIFACTS = Path(__file__).parent / "artifacts"

Read = Callable[..., tuple[SdkLibrary | None, list[str]]]
LoadLibrary = Callable[..., Repository]


@pytest.fixture
def artifacts() -> Path:
    """Small ones, as the tools have written them."""
    return ARTIFACTS


@pytest.fixture
def read() -> Read:
    """The library of an artifact, and its diagnostics."""

    def read(
        format_: str, source: str, root: Path = ARTIFACTS
    ) -> tuple[SdkLibrary | None, list[str]]:
        diagnostics = Diagnostics()
        requested = LibrarySource(format_, source, FilePosition("docs.json", 3, 4))
        library = LibraryArtifacts(root, diagnostics, no_parse_cache()).get(requested)
        return library, [str(each) for each in diagnostics.sorted()]

    return read


@pytest.fixture
def load_library(load: Callable[..., Repository], artifacts: Path) -> LoadLibrary:
    """A repository with one artifact on a tab, and what else that tab says."""

    def load_library(
        format_: str, source: str, files: dict[str, Any] | None = None, **tab: Any
    ) -> Repository:
        found = artifacts / source
        within = (
            [found] if found.is_file() else [each for each in found.rglob("*") if each.is_file()]
        )
        copied = {f"sdk/{each.relative_to(artifacts)}": each.read_bytes() for each in within}
        sdk = {"format": format_, "source": f"sdk/{source}"}
        tabs = [{"tab": "Guides", "pages": ["index"]}, {"tab": "SDK", "sdk": sdk, **tab}]
        return load({**copied, **(files or {})}, {"tabs": tabs})

    return load_library


@pytest.fixture
def library(request: pytest.FixtureRequest, read: Read) -> SdkLibrary:
    """The library of a module's `ARTIFACT`, its format and source."""
    found, reported = read(*request.module.ARTIFACT)
    assert reported == []
    assert found is not None
    return found


@pytest.fixture
def symbols(library: SdkLibrary) -> dict[str, Symbol]:
    """The symbols of the library and their members by qualified name."""
    symbols = list(library.all())
    members = [member for each in symbols for member in each.members]
    return {each.qualified: each for each in (*symbols, *members)}
