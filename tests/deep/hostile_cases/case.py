"""One hostile repository, and the parts that most of them share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

CANARY = "canary-7f3a91c2"  # text of a file outside each repository; no page may show it
Files = Mapping[str, str | bytes]

_SETTINGS = {"name": "x", "theme": "mint", "colors": {"primary": "#0055ff"}}


@dataclass(frozen=True)
class CaseFiles:
    """Paths around the repository under attack."""

    canary: Path  # a file that holds `CANARY`
    marker: Path  # a file that exists once a repository has run a program


@dataclass(frozen=True)
class Case:
    family: str
    name: str
    write: Callable[[Path, CaseFiles], None]
    git: bool = False  # `write` makes a git repository, which is published by its URL

    @property
    def title(self) -> str:
        return f"{self.family}/{self.name}"


def settings(**more: object) -> str:
    return json.dumps({**_SETTINGS, "navigation": {"pages": ["index"]}, **more})


def site(body: str = "Text.", files: Files | None = None, **more: object) -> Files:
    """Files of a site of one page; `more` are keys of `docs.json`."""
    return {"docs.json": settings(**more), "index.mdx": body, **(files or {})}


def write_files(root: Path, files: Files) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def of_files(family: str, makers: Mapping[str, Callable[[], Files]]) -> list[Case]:
    return [Case(family, name, _writer(make)) for name, make in makers.items()]


def of_bodies(family: str, makers: Mapping[str, Callable[[], str]]) -> list[Case]:
    """Cases that differ in the body of their page only."""
    return of_files(family, {name: _page_of(make) for name, make in makers.items()})


def of_writers(family: str, writers: Mapping[str, Callable[[Path, CaseFiles], None]]) -> list[Case]:
    """Cases that need more than files; each begins as an honest site."""
    return [Case(family, name, _after_site(write)) for name, write in writers.items()]


def _page_of(make: Callable[[], str]) -> Callable[[], Files]:
    return lambda: site(make())


def _writer(make: Callable[[], Files]) -> Callable[[Path, CaseFiles], None]:
    return lambda root, _: write_files(root, make())


def _after_site(
    write: Callable[[Path, CaseFiles], None],
) -> Callable[[Path, CaseFiles], None]:
    def written(root: Path, around: CaseFiles) -> None:
        write_files(root, site())
        write(root, around)

    return written
