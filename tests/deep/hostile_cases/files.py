"""Links, pipes, devices, and many or deep files."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from hostile_cases.case import CaseFiles, of_writers, write_files

Writer = Callable[[Path, CaseFiles], None]


def _link(name: str, to: str) -> Writer:
    return lambda root, _: (root / name).symlink_to(to)


def _instead(name: str, to: str) -> Writer:
    def write(root: Path, _: CaseFiles) -> None:
        (root / name).unlink()
        (root / name).symlink_to(to)

    return write


def _pipe(name: str) -> Writer:
    def write(root: Path, _: CaseFiles) -> None:
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)

    return write


def _socket(root: Path, _: CaseFiles) -> None:
    here = Path.cwd()
    os.chdir(root)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("a.mdx")
    finally:
        os.chdir(here)


def _link_to_canary(root: Path, around: CaseFiles) -> None:
    for name in ("canary.txt", "canary.mdx", "canary.svg", "canary.json"):
        (root / name).symlink_to(around.canary)


def _link_of_links(root: Path, around: CaseFiles) -> None:
    (root / "a").symlink_to(around.canary.parent)
    (root / "b.txt").symlink_to("a/" + around.canary.name)
    (root / "c.txt").symlink_to("b.txt")


def _link_doubling(root: Path, _: CaseFiles) -> None:
    for n in range(30):
        folder = root / f"d{n}"
        folder.mkdir()
        (folder / "a").symlink_to(f"../d{n + 1}")
        (folder / "b").symlink_to(f"../d{n + 1}")
    (root / "d30").mkdir()


def _link_chain(root: Path, _: CaseFiles) -> None:
    for n in range(3_000):
        (root / f"l{n}.mdx").symlink_to(f"l{n + 1}.mdx")


def _deep(root: Path, _: CaseFiles) -> None:
    here = os.open(root, os.O_RDONLY)
    for _number in range(3_000):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("a.mdx", os.O_CREAT, dir_fd=here))
    os.close(here)


def _many(count: int, extension: str, content: str = "x") -> Writer:
    return lambda root, _: write_files(
        root, {f"m{n % 100}/f{n}.{extension}": content for n in range(count)}
    )


def _folders(root: Path, _: CaseFiles) -> None:
    for n in range(20_000):
        (root / f"e{n}").mkdir()


def _sparse(name: str, size: int) -> Writer:
    def write(root: Path, _: CaseFiles) -> None:
        with (root / name).open("wb") as file:
            file.truncate(size)

    return write


def _unreadable(root: Path, _: CaseFiles) -> None:
    write_files(root, {"closed/a.mdx": "x", "b.mdx": "x"})
    (root / "b.mdx").chmod(0)
    (root / "closed").chmod(0)


def _hard_link(root: Path, around: CaseFiles) -> None:
    write_files(root, {"a.mdx": "x"})
    for n in range(5_000):
        (root / f"h{n}.txt").hardlink_to(root / "a.mdx")


_WRITERS: dict[str, Writer] = {
    "link-out": _link_to_canary,
    "link-of-links": _link_of_links,
    "link-to-root": _link("a", "/"),
    "link-to-itself": _link("a.mdx", "a.mdx"),
    "link-to-parent": _link("a", ".."),
    "link-to-folder": _link("a", "."),
    "link-doubling": _link_doubling,
    "link-chain": _link_chain,
    "link-zero": _link("a.mdx", "/dev/zero"),
    "link-random": _link("a.json", "/dev/urandom"),
    "link-stdin": _link("a.mdx", "/dev/stdin"),
    "link-memory": _link("a.txt", "/proc/self/mem"),
    "link-environment": _link("a.txt", "/proc/self/environ"),
    "link-process": _link("a", "/proc"),
    "page-zero": _instead("index.mdx", "/dev/zero"),
    "settings-zero": _instead("docs.json", "/dev/zero"),
    "settings-tty": _instead("docs.json", "/dev/tty"),
    "settings-folder": _instead("docs.json", "."),
    "page-pipe": _pipe("index.mdx"),
    "settings-pipe": _pipe("docs.json"),
    "ignore-pipe": _pipe(".docsignore"),
    "style-pipe": _pipe("a.css"),
    "picture-pipe": _pipe("a.png"),
    "ignore-zero": _link(".docsignore", "/dev/zero"),
    "socket": _socket,
    "deep": _deep,
    "many-files": _many(20_000, "txt"),
    "many-pages": _many(2_000, "mdx"),
    "many-empty-pages": _many(5_000, "mdx", ""),
    "many-folders": _folders,
    "sparse-page": _sparse("big.mdx", 3_000_000_000),
    "sparse-settings": _sparse("docs.json", 3_000_000_000),
    "sparse-ignore": _sparse(".docsignore", 3_000_000_000),
    "sparse-data": _sparse("a.json", 3_000_000_000),
    "sparse-style": _sparse("a.css", 3_000_000_000),
    "unreadable": _unreadable,
    "hard-links": _hard_link,
}

CASES = of_writers("files", _WRITERS)
