"""Repositories and servers of some bytes on which git would spend all memory or disk."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import time
import zlib
from pathlib import Path

import pytest

from docstead.publishing import git_process
from docstead.publishing.git import Git, GitFailed, GitOutputTooLong
from docstead.publishing.sources import DocumentationSource, checkout
from git_repositories import GitRepository

_BLOCK = b"\0" * 0xFFFFFF
_COPY = b"\xf0\xff\xff\xff"  # instruction of a delta: the whole block
_BLOB, _DELTA = 3, 6


def delta_bomb(copies: int) -> bytes:
    """Return a pack with a block and a delta that repeats it."""
    pack = b"PACK" + struct.pack(">II", 2, 2)
    block = _header(_BLOB, len(_BLOCK)) + zlib.compress(_BLOCK)
    delta = _number(len(_BLOCK)) + _number(len(_BLOCK) * copies) + _COPY * copies
    pack += block + _header(_DELTA, len(delta)) + _offset(len(block)) + zlib.compress(delta)
    return pack + hashlib.sha1(pack, usedforsecurity=False).digest()


def _header(kind: int, size: int) -> bytes:
    first, rest = kind << 4 | size & 15, size >> 4
    return bytes([first | 0x80]) + _number(rest) if rest else bytes([first])


def _number(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _number(rest) if rest else bytes([low])


def _offset(value: int) -> bytes:
    digits, value = [value & 0x7F], value >> 7
    while value:
        value -= 1
        digits.insert(0, 0x80 | value & 0x7F)
        value >>= 7
    return bytes(digits)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "a.git")], check=True)
    return tmp_path / "a.git"


def test_a_delta_that_unpacks_to_more_than_git_may_use(repository: Path) -> None:
    """It took 2.9 GB and a minute to find out that a file of 16 kB in git was too large."""
    pack = delta_bomb(copies=100)  # 1.7 GB
    assert len(pack) < 20_000
    with pytest.raises(GitFailed, match="needs more than 1,024 MB of memory"):
        Git(repository).run("index-pack", "--stdin", sent=pack)


def test_a_program_that_git_started_before_it_was_limited(repository: Path) -> None:
    """The limits are set from outside, a moment after git starts."""
    shell = "alias.late=!sh -c 'sleep 60 & wait'"
    process = subprocess.Popen(["git", "-c", shell, "late"], cwd=repository, start_new_session=True)
    try:
        deadline = time.monotonic() + 30
        while len(family := _family(process.pid)) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        git_process.limit_resources(process, 7, 4096)
        for pid in family:
            limits = Path(f"/proc/{pid}/limits").read_text()
            assert f"Max data size             {git_process.MEMORY_BYTES}" in limits
            assert "Max file size             4096" in limits
    finally:
        git_process.end_group(process)


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in _family(int(child)))]


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_server_that_never_stops_talking(repository: Path, stream: str) -> None:
    """3 GB of messages of a server, or its branches, were held in the service's own memory."""
    talk = f"alias.talk=!yes 'remote: hello' | head -c 400000000 >&{stream}"
    with pytest.raises(GitOutputTooLong, match="prints too much"):
        Git(repository).run("-c", talk, "talk")


def test_a_long_message_is_shortened(repository: Path) -> None:
    talk = f"alias.talk=!echo fatal: {'word ' * 2000} >&2; exit 1"
    with pytest.raises(GitFailed) as caught:
        Git(repository).run("-c", talk, "talk")
    assert len(caught.value.message) <= 500


@pytest.mark.parametrize("attributes", ["* ident\n", "* working-tree-encoding=UTF-32LE\n"])
def test_attributes_do_not_multiply_what_is_written(tmp_path: Path, attributes: str) -> None:
    """Sizes are checked as they are committed; `ident` makes four characters 47."""
    remote = GitRepository(tmp_path / "remote.git")
    text = "$Id$" * 1_000
    remote.commit({"docs.json": "{}", "a.txt": text, ".gitattributes": attributes})
    found = checkout(DocumentationSource(remote.url), tmp_path / "work")
    assert (found.path / "a.txt").read_text() == text
