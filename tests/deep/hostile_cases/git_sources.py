"""Git repositories: what they unpack to, what they would run, and what they refer to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from hostile_cases.case import Case, CaseFiles, site, write_files

_WHO = {f"GIT_{who}_{what}": "x@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
Change = Callable[[Path, CaseFiles], None]


def git(root: Path, *arguments: str, text: str | bytes | None = None, **more: str) -> str:
    given = text.encode() if isinstance(text, str) else text
    environment = os.environ | _WHO | {"GIT_CONFIG_GLOBAL": "/dev/null"} | more
    command = ["git", "-C", str(root), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, check=True, env=environment)
    return done.stdout.decode().strip()


def _committed(change: Change) -> Change:
    """A repository with an honest site to which `change` was done before its commit."""

    def write(root: Path, around: CaseFiles) -> None:
        git(root, "init", "-q", "-b", "main")
        write_files(root, site())
        change(root, around)
        git(root, "add", "-A", "-f")
        git(root, "commit", "-qm", "x")

    return write


def _after(change: Change) -> Change:
    """A repository whose `.git` was changed after an honest commit."""

    def write(root: Path, around: CaseFiles) -> None:
        _committed(lambda *_: None)(root, around)
        change(root, around)

    return write


def _of_tree(tree: Callable[[Path], str], **environment: str) -> Change:
    """A repository whose only commit has a tree that was put together by hand."""

    def write(root: Path, _: CaseFiles) -> None:
        git(root, "init", "-q", "-b", "main")
        commit = git(root, "commit-tree", tree(root), text="x", **environment)
        git(root, "update-ref", "refs/heads/main", commit)

    return write


def _blob(root: Path, content: bytes = b"Text.") -> str:
    return git(root, "hash-object", "-w", "--stdin", text=content)


def _tree(root: Path, *rows: str) -> str:
    return git(root, "mktree", "-z", "--missing", text="\0".join(rows) + "\0")


def _honest_rows(root: Path) -> list[str]:
    files = site()
    return [
        f"100644 blob {_blob(root, str(content).encode())}\t{name}"
        for name, content in files.items()
    ]


def _doubling(root: Path) -> str:
    inner = _tree(root, *(f"100644 blob {_blob(root)}\tf{n}.mdx" for n in range(10)))
    for _ in range(10):
        inner = _tree(root, *(f"040000 tree {inner}\td{n}" for n in range(10)))
    return _tree(root, *_honest_rows(root), f"040000 tree {inner}\td")


def _empty_folders(root: Path) -> str:
    """Billions of folders in which no file is ever found."""
    inner = git(root, "mktree", text="")
    for _ in range(10):
        inner = _tree(root, *(f"040000 tree {inner}\td{n}" for n in range(10)))
    return _tree(root, *_honest_rows(root), f"040000 tree {inner}\td")


def _deep(root: Path) -> str:
    inner = _tree(root, f"100644 blob {_blob(root)}\ta.mdx")
    for _ in range(300):
        inner = _tree(root, f"040000 tree {inner}\td")
    return _tree(root, *_honest_rows(root), f"040000 tree {inner}\td")


def _names(*names: str) -> Callable[[Path], str]:
    return lambda root: _tree(
        root, *_honest_rows(root), *(f"100644 blob {_blob(root)}\t{name}" for name in names)
    )


def _odd_folder(name: str) -> Callable[[Path], str]:
    def tree(root: Path) -> str:
        inner = _tree(root, f"100755 blob {_blob(root, b'#!/bin/sh')}\tpost-checkout")
        return _tree(root, *_honest_rows(root), f"040000 tree {inner}\t{name}")

    return tree


def _missing(root: Path) -> str:
    return _tree(root, *_honest_rows(root), f"100644 blob {'1' * 40}\tgone.mdx")


def _zeros(root: Path, _: CaseFiles) -> None:
    with (root / "zeros.json").open("wb") as file:
        file.truncate(300_000_000)


def _many_zeros(root: Path, _: CaseFiles) -> None:
    for n in range(400):
        (root / f"z{n}.json").write_bytes(b"\0" * 1_000_000)  # one object, 400 files


def _attributes(root: Path, around: CaseFiles) -> None:
    """Filters that are configured after the commit, which would run them itself."""
    attributes = _blob(root, b"* filter=x diff=x merge=x working-tree-encoding=UTF-16\n")
    git(root, "update-index", "--add", "--cacheinfo", f"100644,{attributes},.gitattributes")
    git(root, "commit", "-qm", "x")
    _configure(
        f'[filter "x"]\n\tsmudge = touch {around.marker}\n\tclean = touch {around.marker}; cat\n'
        f"\tprocess = touch {around.marker}\n\trequired = true\n"
    )(root, around)


def _submodules(root: Path, around: CaseFiles) -> None:
    lines = (
        f'[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch {around.marker}"\n\tupdate = '
        f'!touch {around.marker}\n[submodule "../../y"]\n\tpath = y\n\turl = --upload-pack=touch\n'
    )
    write_files(root, {".gitmodules": lines})
    git(root, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},x")


def _configure(text: str) -> Change:
    def change(root: Path, around: CaseFiles) -> None:
        with (root / ".git" / "config").open("a") as file:
            file.write(text.replace("MARKER", str(around.marker)))

    return change


def _hooks(root: Path, around: CaseFiles) -> None:
    names = (
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "pre-receive",
        "post-update",
        "fsmonitor-watchman",
        "update",
        "sendemail-validate",
    )
    for name in names:
        hook = root / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {around.marker}\n")
        hook.chmod(0o755)


def _alternates(root: Path, around: CaseFiles) -> None:
    (root / ".git/objects/info").mkdir(exist_ok=True)
    (root / ".git/objects/info/alternates").write_text(
        "\n".join(["/", "../../..", "/proc/self/fd", str(around.canary.parent)] * 200)
    )


def _pipe(name: str) -> Change:
    def change(root: Path, _: CaseFiles) -> None:
        (root / ".git" / name).parent.mkdir(exist_ok=True)
        (root / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(root / ".git" / name)

    return change


def _many_branches(root: Path, _: CaseFiles) -> None:
    commit = git(root, "rev-parse", "HEAD")
    rows = "".join(f"{commit} refs/heads/b{n}\n" for n in range(200_000))
    (root / ".git/packed-refs").write_text("# pack-refs with: peeled fully-peeled \n" + rows)


def _symbolic_circle(root: Path, _: CaseFiles) -> None:
    (root / ".git/refs/heads/main").write_text("ref: refs/heads/other\n")
    (root / ".git/refs/heads/other").write_text("ref: refs/heads/main\n")


def _broken_pack(root: Path, _: CaseFiles) -> None:
    git(root, "repack", "-adq")
    for pack in (root / ".git/objects/pack").glob("*.pack"):
        pack.chmod(0o644)
        content = bytearray(pack.read_bytes())
        content[20:60] = b"\xff" * 40
        pack.write_bytes(bytes(content))


def _long_message(root: Path, _: CaseFiles) -> None:
    git(root, "commit", "-q", "--allow-empty", "-F", "-", text="x" * 20_000_000)


_CHANGES: dict[str, Change] = {
    "zeros": _committed(_zeros),
    "many-zeros": _committed(_many_zeros),
    "tree-doubling": _of_tree(_doubling),
    "tree-empty-folders": _of_tree(_empty_folders),
    "tree-deep": _of_tree(_deep),
    "tree-missing-blob": _of_tree(_missing),
    "tree-dot-git": _of_tree(_odd_folder(".git")),
    "tree-dot-git-folded": _of_tree(_odd_folder(".GIT")),
    "tree-dots": _of_tree(_odd_folder("..")),
    "tree-same-names": _of_tree(_names("a.mdx", "a.mdx", "a.mdx")),
    "tree-newlines": _of_tree(_names("a\nb.mdx", "a\tb.mdx", '"a.mdx')),
    "tree-long-name": _of_tree(_names("a" * 100_000 + ".mdx")),
    "commit-odd-dates": _of_tree(
        _names("a.mdx"),
        GIT_AUTHOR_DATE="@99999999999 +9999",
        GIT_COMMITTER_DATE="@99999999999 -9999",
    ),
    "commit-long-message": _after(_long_message),
    "filters": _after(_attributes),
    "submodules": _committed(_submodules),
    "hooks": _after(_hooks),
    "alternates": _after(_alternates),
    "configured-programs": _after(
        _configure(
            "[core]\n\tfsmonitor = touch MARKER\n\tsshCommand = touch MARKER\n\tpager = touch"
            " MARKER\n\talternateRefsCommand = touch MARKER\n[uploadpack]\n\tpackObjectsHook ="
            " touch MARKER\n[gpg]\n\tprogram = touch MARKER\n[log]\n\tshowSignature = true\n"
        )
    ),
    "configured-broken": _after(_configure("[" * 100_000)),
    "branches": _after(_many_branches),
    "head-circle": _after(_symbolic_circle),
    "pack-broken": _after(_broken_pack),
    "head-pipe": _after(_pipe("HEAD")),
    "config-pipe": _after(_pipe("config")),
    "alternates-pipe": _after(_pipe("objects/info/alternates")),
    "shallow-pipe": _after(_pipe("shallow")),
}

CASES = [Case("git", name, write, git=True) for name, write in _CHANGES.items()]
