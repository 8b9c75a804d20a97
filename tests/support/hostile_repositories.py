"""Repositories that try to run a program, or to access files outside of them.

Every case adds its trap to a repository whose documentation is otherwise valid.
`{run}` in a text is a program that leaves a mark when it is started, `{secret}` a file
outside whose text must never be visible, `{outside}` the folder of that file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from git_repositories import Content, GitRepository, Submodule, Symlink, git

SECRET = "the-text-that-nobody-may-read"


@dataclass(frozen=True)
class Trap:
    """Location of the traps of one test."""

    folder: Path

    @property
    def names(self) -> dict[str, str]:
        return {
            "run": str(self.folder / "run"),
            "secret": str(self.folder / "outside" / "secret.txt"),
            "outside": str(self.folder / "outside"),
        }

    @classmethod
    @contextmanager
    def below(cls, folder: Path) -> Iterator[Trap]:
        """Set traps, and check at the end that nothing went into them."""
        trap = cls(folder)
        trap._set()
        yield trap
        trap._check()

    def _set(self) -> None:
        (self.folder / "outside").mkdir()
        (self.folder / "outside" / "secret.txt").write_text(SECRET)
        program = self.folder / "run"
        program.write_text(f"#!/bin/sh\ntouch {self.folder}/started\ncat\n")
        program.chmod(0o755)

    def _check(self) -> None:
        assert not (self.folder / "started").exists(), "something was run"
        found = {p.name: p.read_text() for p in (self.folder / "outside").iterdir()}
        assert found == {"secret.txt": SECRET}, "something was written outside"


@dataclass(frozen=True)
class Hostile:
    """A hostile repository: `files` are committed; `build` does what a commit cannot."""

    name: str
    files: Mapping[str, Content] = field(default_factory=dict)
    build: Callable[[GitRepository, Trap], object] | None = None
    refused: bool = False

    def plant(self, remote: GitRepository, trap: Trap) -> None:
        if self.files:
            remote.commit({path: _filled(each, trap) for path, each in self.files.items()})
        if self.build is not None:
            self.build(remote, trap)


def _filled(content: Content, trap: Trap) -> Content:
    if isinstance(content, Symlink):
        return Symlink(_with_names(content.target, trap))
    return _with_names(content, trap) if isinstance(content, str) else content


def _with_names(text: str, trap: Trap) -> str:
    for name, value in trap.names.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _entry(name: str, mode: str = "100644", content: str = "x\n") -> Hostile:
    """Return a tree with a forbidden name next to a valid docs.json."""

    def build(remote: GitRepository, trap: Trap) -> None:
        if mode == "40000":
            inner = remote.raw_tree(("100644", "config", remote.blob(_with_names(content, trap))))
            made = (mode, name, inner)
        else:
            made = (mode, name, remote.blob(_with_names(content, trap)))
        remote.raw_commit(remote.raw_tree(made, _settings(remote)))

    return Hostile(f"a tree with the name {name!r}, mode {mode}", build=build, refused=True)


def _settings(remote: GitRepository) -> tuple[str, str, str]:
    return ("100644", "docs.json", remote.blob(remote.read("docs.json")))


def _twice(remote: GitRepository, trap: Trap) -> None:
    """Create two entries of one name: a link to the outside, and a folder with a file."""
    link = remote.blob(trap.names["outside"])
    inner = remote.raw_tree(("100644", "secret.txt", remote.blob("overwritten")))
    remote.raw_commit(
        remote.raw_tree(("120000", "a", link), ("40000", "a", inner), _settings(remote))
    )


def _bare_repository(remote: GitRepository, trap: Trap) -> None:
    """Create a folder that git considers a repository, with settings that name a program."""
    remote.commit(
        {
            "HEAD": "ref: refs/heads/main\n", "refs/heads/.keep": "", "objects/info/.keep": "",
            "config": _with_names(CONFIG, trap), "hooks/pre-commit": "#!/bin/sh\n{run}\n",
        }
    )  # fmt: skip


def _odd_branches(remote: GitRepository, trap: Trap) -> None:
    tip = remote.tip()
    names = ("--upload-pack={run}", "-x", "HEAD", "refs/heads/main", "a'b\"c;{run}", "$({run})")
    packed = "".join(f"{tip} refs/heads/{_with_names(name, trap)}\n" for name in names)
    (remote.path / "packed-refs").write_text(packed + f"{tip} refs/heads/main\n")


def _odd_head(remote: GitRepository, trap: Trap) -> None:
    name = _with_names("-{run}", trap)
    (remote.path / "packed-refs").write_text(f"{remote.tip()} refs/heads/{name}\n")
    (remote.path / "HEAD").write_text(f"ref: refs/heads/{name}\n")


def _replaced(remote: GitRepository, trap: Trap) -> None:
    good = git(remote.path, "rev-parse", "main:index.mdx")
    git(remote.path, "update-ref", f"refs/replace/{good}", remote.blob("replaced"))


def _alternates(remote: GitRepository, trap: Trap) -> None:
    other = GitRepository(remote.path.with_name("other.git"))
    other.commit({"index.mdx": SECRET})
    (remote.path / "objects" / "info" / "alternates").write_text(f"{other.path}/objects\n")


def _grafts(remote: GitRepository, trap: Trap) -> None:
    (remote.path / "info").mkdir(exist_ok=True)
    other = remote.commit({"index.mdx": SECRET}, branch="other")
    (remote.path / "info" / "grafts").write_text(f"{remote.tip()} {other}\n")


def _hooks(remote: GitRepository, trap: Trap) -> None:
    for name in ("post-checkout", "pre-commit", "pre-push", "post-index-change", "fsmonitor",
                 "reference-transaction", "post-merge", "pre-auto-gc"):  # fmt: skip
        # The remote's hooks run there on a push; clones have none.
        if name != "reference-transaction":
            remote.hook(name, _with_names("{run}", trap))


def _settings_of_the_remote(remote: GitRepository, trap: Trap) -> None:
    with (remote.path / "config").open("a") as file:
        file.write(_with_names(CONFIG, trap))


def _deep(remote: GitRepository, trap: Trap) -> None:
    tree = remote.raw_tree(("100644", "f", remote.blob("x")))
    for _ in range(1_500):
        tree = remote.raw_tree(("40000", "d", tree))
    remote.raw_commit(remote.raw_tree(("40000", "d", tree), _settings(remote)))


def _commit_with_escapes(remote: GitRepository, trap: Trap) -> None:
    text = f"tree {git(remote.path, 'rev-parse', 'main^{tree}')}\nauthor \x1b[2J<x> <y> 0 +0000\n"
    data = f"{text}committer a <b> 99999999999 +9999\n\nDocstead-Job: aj_1\n\x1b]0;x\x07".encode()
    made = git(
        remote.path, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", sent=data
    )
    git(remote.path, "update-ref", "refs/heads/main", made)


CONFIG = """
[core]
\tfsmonitor = {run}
\tsshCommand = {run}
\thooksPath = {outside}
\tpager = {run}
\teditor = {run}
\tgitProxy = {run}
\taskPass = {run}
[include]
\tpath = {secret}
[filter "x"]
\tsmudge = {run}
\tclean = {run}
\tprocess = {run}
\trequired = true
[diff "x"]
\ttextconv = {run}
\tcommand = {run}
[merge "x"]
\tdriver = {run}
[credential]
\thelper = !{run}
[uploadpack]
\tpackObjectsHook = {run}
[gpg]
\tprogram = {run}
[alias]
\tfetch = !{run}
"""
_MODULES = '[submodule "x"]\n\tpath = sub\n\turl = {url}\n\tupdate = !{{run}}\n\tbranch = .\n'
_LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "a" * 64 + "\nsize 12345\n"

LINKS = (
    Hostile("a link to a file by its full path", {"a.mdx": Symlink("{secret}")}),
    Hostile("a link to a folder by its full path", {"a": Symlink("{outside}")}),
    Hostile("a link to a file above", {"a.mdx": Symlink("../../../../../outside/secret.txt")}),
    Hostile("a link to a folder above", {"guides/a": Symlink("../../../../../outside")}),
    Hostile("a link to the root", {"a": Symlink("/")}),
    Hostile("links in a chain", {"a.mdx": Symlink("b.mdx"), "b.mdx": Symlink("{secret}")}),
    Hostile("a chain through folders",
            {"d": Symlink("guides"), "e": Symlink("d/../../../../../outside")}),
    Hostile("a chain whose links stay inside one by one",
            {"x/y/z/f": "x", "a": Symlink("x/y/z"), "b": Symlink("a/../../../..")}),
    Hostile("a link to itself", {"a.mdx": Symlink("a.mdx"), "b": Symlink("c"), "c": Symlink("b")}),
    Hostile("a link to git's own folder", {"a": Symlink(".git"), "b": Symlink("../git/config")}),
    Hostile("a link that is very long", {"a": Symlink("x/" * 3_000)}),
    Hostile("a link with a newline", {"a": Symlink("{secret}\n"), "b\nc.mdx": Symlink("{secret}")}),
    Hostile("a link without a target", {"a": Symlink("")}),
    Hostile("a link to a device", {"a.mdx": Symlink("/dev/zero"), "b.mdx": Symlink("/dev/stdin")}),
    Hostile("a link to the environment", {"a.mdx": Symlink("/proc/self/environ")}),
    Hostile("a link in place of an ignore file",
            {".docsignore": Symlink("{secret}"), ".gitignore": Symlink("{secret}")}),
    Hostile("a link in place of the rules", {".docs/AGENTS.md": Symlink("{secret}")}),
    Hostile("a link in place of an OpenAPI file", {"openapi.json": Symlink("{secret}")}),
    Hostile("a link in place of the attributes", {".gitattributes": Symlink("{secret}")}),
    Hostile("a link beside a folder of the same name in another case",
            {"Guides/new.mdx": "x\n", "gUIDES": Symlink("{outside}")}),
    Hostile("a link to a folder, and a file below it", build=_twice, refused=True),
)  # fmt: skip
PROGRAMS = (
    Hostile("filters", {".gitattributes": "* filter=x\n", "config": CONFIG}),
    Hostile("a text conversion", {".gitattributes": "* diff=x\n", ".gitconfig": CONFIG}),
    Hostile("a merge driver", {".gitattributes": "* merge=x\n"}),
    Hostile("an encoding", {".gitattributes": "* working-tree-encoding=UTF-7\n"}),
    Hostile("line ends and idents",
            {".gitattributes": "* text eol=crlf ident\n", "a.mdx": "$Id$\n"}),
    Hostile("a macro of attributes",
            {".gitattributes": "[attr]all filter=x diff=x merge=x\n* all\n"}),
    Hostile("attributes in a folder", {"guides/.gitattributes": "* filter=x -diff\n"}),
    Hostile("a tracked config", {"config": CONFIG, ".git-config": CONFIG, "git/config": CONFIG}),
    Hostile("tracked hooks",
            {"hooks/pre-push": "#!/bin/sh\n{run}\n", ".husky/pre-push": "{run}\n"}),
    Hostile("a repository within the documentation", build=_bare_repository),
    Hostile("hooks of the remote", build=_hooks),
    Hostile("settings of the remote", build=_settings_of_the_remote),
    Hostile("a submodule by a shell", {".gitmodules": _MODULES.format(url="ext::{run}"),
                                      "sub": Submodule()}),
    Hostile("a submodule with an option",
            {".gitmodules": _MODULES.format(url="--upload-pack={run}"), "sub": Submodule()}),
    Hostile("a submodule from the outside", {".gitmodules": _MODULES.format(url="file://{outside}"),
                                             "sub": Submodule()}),
    Hostile("a submodule that was never registered", {"sub": Submodule(), "a/b/sub": Submodule()}),
    Hostile("large files elsewhere", {".gitattributes": "*.png filter=lfs diff=lfs -text\n",
                                      ".lfsconfig": "[lfs]\n\turl = file://{outside}\n",
                                      "a.png": _LFS}),
    Hostile("files that machines run", {"Makefile": "all:\n\t{run}\n", ".envrc": "{run}\n",
                                        "package.json": '{"scripts": {"postinstall": "{run}"}}'}),
)  # fmt: skip
TREES = (
    _entry(".git", "40000", CONFIG),
    _entry(".GIT", "40000", CONFIG),
    _entry(".git", "120000", "{outside}"),
    _entry(".git ", "40000", CONFIG),
    _entry(".git.", "40000", CONFIG),
    _entry("git~1", "40000", CONFIG),
    _entry(".g\u200cit", "40000", CONFIG),
    _entry(".git::$INDEX_ALLOCATION", "40000", CONFIG),
    _entry(".gitmodules", "120000", "{outside}"),
    _entry("..", "40000"),
    _entry("."),
    _entry("../secret.txt", content="overwritten"),
    _entry("/etc/passwd"),
    Hostile("names for other systems", {"a\\..\\b.mdx": "x\n", "con.mdx": "x\n", "a:b.mdx": "x\n"}),
    Hostile("names in two cases", {"A.mdx": "x\n", "a.mdx": "y\n", "GUIDES/start.mdx": "z\n"}),
    Hostile("names in two forms of Unicode", {"\u00e9.mdx": "x\n", "e\u0301.mdx": "y\n"}),
    Hostile("names with control characters", {"a\x1b[2J.mdx": "x\n", "b\n.mdx": "x\n"}),
    Hostile("names that turn around", {"a\u202exdm.js": "x\n", "b\u200b.mdx": "x\n"}),
    Hostile("names that look like options", {"--help": "x\n", "-rf.mdx": "x\n", ":(top)x": "x\n"}),
    Hostile("names that are long", {"n" * 250 + ".md": "x\n"}),
    Hostile("folders without end", build=_deep, refused=True),
)
REFERENCES = (
    Hostile("branches with odd names", build=_odd_branches),
    Hostile("a default branch that looks like an option", build=_odd_head),
    Hostile("replaced objects", build=_replaced),
    Hostile("borrowed objects", build=_alternates),
    Hostile("grafts", build=_grafts),
    Hostile("a commit with escape codes", build=_commit_with_escapes),
)
HOSTILE = (*LINKS, *PROGRAMS, *TREES, *REFERENCES)
