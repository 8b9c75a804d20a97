"""A documentation repository with a change on a branch, made with plain git."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BRANCH = "docstead/keys-0f3c"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
    "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
)
BASE = {
    "docs.json": (
        '{"name": "Parcelo", "navigation": {"groups": [{"group": "Start", "pages": '
        '["index", "guides/keys", "guides/labels"]}]}}\n'
    ),
    "index.mdx": "---\ntitle: Welcome\n---\n\nParcelo sends parcels.\n",
    "guides/keys.mdx": (
        "---\ntitle: API keys\n---\n\nKeys let programs act for you.\n\n## Create a key\n\n"
        "Press **New key**.\n\n```python\nkey = load()\n```\n\n![Screen](/images/screen.png)\n"
    ),
    "guides/labels.mdx": "---\ntitle: Labels\n---\n\nLabels are printed.\n",
}
CHANGE = {
    "guides/keys.mdx": (
        "---\ntitle: API keys\n---\n\nKeys let programs act for you. Keep them secret.\n\n"
        "## Create a key\n\nPress **New key**. [Rotate](/guides/rotate) it every month.\n\n"
        '```python\nkey = load("parcelo")\n```\n\n![Screen](/images/screen.png)\n'
    ),
    "guides/rotate.mdx": "---\ntitle: Rotate keys\n---\n\nRotate a key every month.\n",
    "docs.json": (
        '{"name": "Parcelo", "navigation": {"groups": [{"group": "Start", "pages": '
        '["index", "guides/keys", "guides/rotate", "guides/labels"]}]}}\n'
    ),
}
_WHO = {
    "GIT_AUTHOR_NAME": "Writer",
    "GIT_AUTHOR_EMAIL": "writer@example.com",
    "GIT_COMMITTER_NAME": "Writer",
    "GIT_COMMITTER_EMAIL": "writer@example.com",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


@dataclass(frozen=True)
class ReviewRepository:
    """`path` is bare, or a working tree of its branch `main`."""

    path: Path
    work: Path  # a clone to commit with

    @classmethod
    def made(cls, path: Path, *, bare: bool = True, top: str = "") -> ReviewRepository:
        path.mkdir(parents=True)
        made = cls(path, path.with_name(f"{path.name}.work"))
        made.git("init", "-q", *(["--bare"] if bare else []), "-b", "main", at=path)
        made.git("clone", "-q", str(path), str(made.work), at=path.parent)
        (made.work / top / "images").mkdir(parents=True)
        (made.work / top / "images" / "screen.png").write_bytes(PIXEL)
        made.git("checkout", "-q", "-B", "main")
        made.commit({f"{top}{name}": text for name, text in BASE.items()}, push=bare)
        if not bare:
            made.git("push", "-q", "origin", "HEAD:refs/heads/incoming")
            made.git("reset", "-q", "--hard", "incoming", at=path)
        made.git("checkout", "-q", "-b", BRANCH)
        made.commit({f"{top}{name}": text for name, text in CHANGE.items()}, branch=BRANCH)
        return made

    def copied(self, path: Path) -> ReviewRepository:
        """Return a copy at another path, which is faster than creating one."""
        copy = ReviewRepository(path, path.with_name(f"{path.name}.work"))
        shutil.copytree(self.path, copy.path, symlinks=True)
        shutil.copytree(self.work, copy.work, symlinks=True)
        config = copy.work / ".git" / "config"
        config.write_text(config.read_text().replace(str(self.path), str(copy.path)))
        return copy

    @property
    def url(self) -> str:
        return self.path.as_uri()

    def commit(
        self, files: Mapping[str, str | None], *, branch: str = "main", push: bool = True
    ) -> str:
        """Commit these texts on a branch, None for a deleted file, and push it."""
        if self.git("branch", "--show-current") != branch:
            self.git("checkout", "-q", branch)
        if self.git("ls-remote", "origin", f"refs/heads/{branch}"):
            self.git("pull", "-q", "--ff-only", "origin", branch)
        for name, text in files.items():
            file = self.work / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink()
            else:
                file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "A change")
        if push:
            self.git("push", "-q", "origin", f"HEAD:refs/heads/{branch}")
        return self.git("rev-parse", "HEAD")

    def tip(self, branch: str = "main") -> str:
        return self.git("rev-parse", f"refs/heads/{branch}", at=self.path)

    def text(self, file: str, branch: str = "main") -> str:
        return self.git("show", f"refs/heads/{branch}:{file}", at=self.path)

    def git(self, *arguments: str, at: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=at or self.work,
            env={**os.environ, **_WHO},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()


BODY = (
    "Keys were **not** explained.\n\n### Files\n\n- [ ] a diagram\n\n"
    "<script>alert(1)</script> ![i](https://evil.test/i.png) [j](javascript:alert(1))"
)


def opened_review(harness: Any, acme: Any, **more: Any) -> Any:
    """Open a change of the repository's branch."""
    text = {"base": "main", "title": "Explain <keys>", "body": BODY, "draft": False}
    return harness.forges.reviews.open(acme.project_id, BRANCH, **{**text, **more})
