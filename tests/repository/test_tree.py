from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.base.errors import SourceUnreadable
from docstead.content.reserved import CACHE_SIGNATURE
from docstead.repository.positions import Diagnostics
from docstead.repository.tree import list_files, read_ignore, report_equal_names

Write = Callable[[dict[str, str | bytes]], Path]


def files(root: Path, diagnostics: Diagnostics | None = None) -> list[str]:
    diagnostics = diagnostics or Diagnostics()
    return list_files(root, read_ignore(root, diagnostics), diagnostics)


def test_built_in_ignores_hold_at_every_depth(write: Write) -> None:
    kept = ["guide.mdx", "builder/a.mdx", ".well-known/security.txt", "readme.mdx"]
    left = [
        "README.md",
        "deep/CHANGELOG.md",
        ".git/config",
        ".github/a.md",
        "node_modules/x/a.mdx",
        "deep/build/a.mdx",
        ".env",
        ".docs/AGENTS.md",
        "tmp/a.mdx",
    ]
    root = write(dict.fromkeys([*kept, *left], ""))

    assert files(root) == sorted(kept)


def test_names_that_some_systems_take_for_one_are_reported() -> None:
    diagnostics = Diagnostics()
    names = ["Guide.mdx", "a/b.png", "a/é.mdx", "a/e\u0301.mdx", "guide.mdx", "straße/x.md"]
    report_equal_names(sorted([*names, "A/c.png"]), diagnostics)
    assert [(each.file, each.code) for each in diagnostics.sorted()] == [
        ("a/é.mdx", "equal-names"),
        ("guide.mdx", "equal-names"),
    ]
    assert "'Guide.mdx'" in diagnostics.sorted()[1].message


def test_what_tools_keep_beside_the_pages_is_left_out(write: Write) -> None:
    left = [
        "package.json",
        "deep/package-lock.json",
        "pnpm-lock.yaml",
        "gt-lock.json",
        "gt.config.json",
        "tailwind.config.js",
        "tsconfig.build.json",
        "guides/_category_.json",
    ]
    kept = ["api/openapi.json", "config.js", "docker-compose.yml", "lock.json", "packages.json"]
    root = write(dict.fromkeys([*kept, *left], ""))

    assert files(root) == sorted(kept)
    (root / ".docsignore").write_text("!package.json")
    assert files(root) == sorted([*kept, "package.json"])


def test_the_ignore_file_has_the_syntax_of_git(write: Write) -> None:
    patterns = "# notes\ndrafts/\n*.draft.mdx\n/private.md\n**/internal/**\n!README.md\n"
    root = write(
        {
            ".docsignore": patterns,
            "drafts/a.mdx": "",
            "deep/drafts/a.mdx": "",
            "a.draft.mdx": "",
            "private.md": "",
            "deep/private.md": "",
            "x/internal/deep/a.mdx": "",
            "README.md": "",
            "a.mdx": "",
        }
    )

    assert files(root) == ["README.md", "a.mdx", "deep/private.md"]


def test_the_older_ignore_file_counts_too(write: Write) -> None:
    assert files(write({".mintignore": "a.mdx", "a.mdx": "", "b.mdx": ""})) == ["b.mdx"]


@pytest.mark.parametrize("name", [".docsignore", ".mintignore"])
def test_an_ignore_file_has_a_limit(write: Write, name: str) -> None:
    lines = "a.mdx\n" + "#" * 65_529 + "\n"
    root = write({name: lines[:-1], "a.mdx": "", "b.mdx": ""})
    assert files(root) == ["b.mdx"]
    (root / name).write_text(lines + "\n" * 1_000)
    with pytest.raises(SourceUnreadable) as refused:
        files(root)
    message = "the file is larger than 64 KB; list folders or use wildcards instead of single files"
    assert str(refused.value) == f"{name}:3:1: {message}"


def test_long_patterns_of_both_ignore_files_are_read(write: Write) -> None:
    lines = ("?" * 4_000 + "\n") * 16
    assert files(write({".docsignore": lines, ".mintignore": lines, "a.mdx": ""})) == ["a.mdx"]


def test_links_inside_the_root_are_followed(write: Write) -> None:
    root = write({"shared/a.mdx": "A", "b.mdx": ""})
    (root / "copy.mdx").symlink_to("shared/a.mdx")
    (root / "folder").symlink_to("shared")

    assert files(root) == ["b.mdx", "copy.mdx", "folder/a.mdx", "shared/a.mdx"]


@pytest.mark.parametrize("target", ["../secret.mdx", "/etc", "../", "missing.mdx", ".", "deep"])
def test_links_that_lead_elsewhere_are_left_out(write: Write, tmp_path: Path, target: str) -> None:
    (tmp_path / "secret.mdx").write_text("secret")
    root = write({"a.mdx": "", "deep/b.mdx": ""})
    position = "deep/link" if target == "deep" else "link"
    (root / position).symlink_to(root / target if target == "deep" else target)
    diagnostics = Diagnostics()

    assert files(root, diagnostics) == ["a.mdx", "deep/b.mdx"]
    assert [(diagnostic.code, diagnostic.file) for diagnostic in diagnostics.sorted()] == [
        ("symbolic-link", position)
    ]


def test_a_link_is_no_way_round_the_ignores(write: Write) -> None:
    root = write(
        {"a.mdx": "", ".git/config": "token", ".docsignore": "drafts/", "drafts/x.mdx": ""}
    )
    (root / "config.txt").symlink_to(".git/config")
    (root / "open").symlink_to("drafts")

    assert files(root) == ["a.mdx"]


def test_a_directory_is_entered_once(write: Write) -> None:
    root = write({"shared/a.mdx": ""})
    (root / "shared" / "again").symlink_to("../shared")
    (root / "one").symlink_to("shared")
    diagnostics = Diagnostics()

    assert "shared/a.mdx" in files(root, diagnostics)
    assert diagnostics.sorted()


def test_names_that_no_url_can_hold(write: Write) -> None:
    root = write({"a.mdx": "", "back\\slash.mdx": "", "new\nline.mdx": ""})
    descriptor = os.open(os.fsencode(root) + b"/bad\xff.mdx", os.O_CREAT | os.O_WRONLY)
    os.close(descriptor)
    diagnostics = Diagnostics()

    assert files(root, diagnostics) == ["a.mdx"]
    assert {diagnostic.code for diagnostic in diagnostics.sorted()} == {"unsafe-file-name"}


def test_only_regular_files_are_listed(write: Write) -> None:
    root = write({"a.mdx": ""})
    os.mkfifo(root / "pipe.mdx")

    assert files(root) == ["a.mdx"]


def test_bundles_in_the_repository_are_not_its_content(write: Write) -> None:
    bundle = ["site/_docs/export.json", "site/index.html", "site/guides/a.md", "deep/out/x.md"]
    root = write(dict.fromkeys(["a.mdx", "deep/out/_docs/export.json", "deep/b.mdx", *bundle], ""))

    assert files(root) == ["a.mdx", "deep/b.mdx"]


def test_a_bundle_itself_can_be_read(write: Write) -> None:
    assert files(write({"_docs/export.json": "", "index.html": ""})) == [
        "_docs/export.json",
        "index.html",
    ]


def test_tagged_caches_are_not_content(write: Write) -> None:
    tag = f"{CACHE_SIGNATURE}\n# A cache.\n"
    root = write(
        {"a.mdx": "", "cache/CACHEDIR.TAG": tag, "cache/x/b.md": "", "c/CACHEDIR.TAG": "no"}
    )

    assert files(root) == ["a.mdx", "c/CACHEDIR.TAG"]
