"""Updates of links, images and imports after files have moved."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from docstead.content.slugs import PAGE_SUFFIXES, find_slug, path_below, path_of, slug_of
from docstead.repository.links import linked_path, links_of
from docstead.repository.modules import MODULE_SUFFIXES, imports_of, target_of

_BARE = re.compile(r"[^?#]*")
_SCRIPTS = (".jsx", ".tsx", ".js", ".ts")


@dataclass(frozen=True, slots=True)
class FileMoves:
    """Moved files; `files` are all that existed before."""

    moved: Mapping[str, str]  # path before -> path now
    files: frozenset[str]
    slugs: frozenset[str]
    base: str  # base path at which the repository expects its site, "" at the root

    @classmethod
    def of(cls, moved: Mapping[str, str], files: Iterable[str], base: str) -> FileMoves:
        known = frozenset(files)
        slugs = frozenset(slug_of(file) for file in known if file.endswith(PAGE_SUFFIXES))
        return cls(moved, known, slugs, base)

    @property
    def files_now(self) -> list[str]:
        """All files, sorted by their paths after the moves."""
        return sorted(self.moved.get(file, file) for file in self.files)


class LinkEdits:
    """Updates references to moved files, keeping anchors and spelling."""

    def __init__(self, moves: FileMoves) -> None:
        self._moves = moves
        self._slugs = moves.slugs
        self._new_slugs = {
            slug_of(old): slug_of(new)
            for old, new in moves.moved.items()
            if old.endswith(PAGE_SUFFIXES)
        }
        self._names = _names(moves.moved)

    def rewritten(self, text: str, before: str, now: str) -> str:
        """Return the text of a file that moved from `before` to `now`."""
        if before == now and not any(name in text for name in self._names):
            return text
        edits = dict(self._edits(text, before, now))
        for start in sorted(edits, reverse=True):
            end, new = edits[start]
            text = text[:start] + new + text[end:]
        return text

    def target(self, target: str) -> str | None:
        """Return a root-absolute link's new target, or None if it is unchanged."""
        return self._link(target, "", "")

    def _edits(self, text: str, before: str, now: str) -> Iterator[tuple[int, tuple[int, str]]]:
        old_folder, new_folder = posixpath.dirname(before), posixpath.dirname(now)
        if before.endswith((*PAGE_SUFFIXES, *_SCRIPTS)):
            for link in links_of(text):
                new = self._link(link.target, old_folder, new_folder)
                if new is not None and new != link.target:
                    yield link.offset, (link.offset + len(link.target), new)
            for found in imports_of(text, script=before.endswith(_SCRIPTS)):
                target = target_of(found, before, self._moves.files.__contains__)
                new = self._import(found.written, target, now, snippet=found.snippet)
                if new is not None and new != found.written:
                    yield found.offset, (found.offset + len(found.written), new)

    def _link(self, target: str, old_folder: str, new_folder: str) -> str | None:
        match = _BARE.match(target)
        bare = match.group() if match else ""
        path = linked_path(target, old_folder)
        inner = path_below(self._moves.base, path)
        prefix = path[: len(path) - len(inner)] if path.endswith(inner) and path != inner else ""
        destination = self._destination(inner, bare)
        relative = not bare.startswith("/")
        if destination is None:
            if not relative or old_folder == new_folder or not self._exists(inner):
                return None
            destination = path  # the target stays, but the referring file moves
        if relative:
            new = posixpath.relpath(destination, f"/{new_folder}")
            new = f"./{new}" if bare.startswith("./") and not new.startswith("../") else new
        else:
            new = prefix + destination
        return _spelled_as(bare, new) + target[len(bare) :]

    def _destination(self, inner: str, bare: str) -> str | None:
        """Return the new target of a root-absolute path, or None if it is unchanged."""
        slug = find_slug(self._slugs, inner)
        if slug is not None:
            if slug not in self._new_slugs:
                return None
            suffix = next((s for s in PAGE_SUFFIXES if bare.endswith(s)), "")
            new = self._new_slugs[slug]
            return f"/{new}{suffix}" if suffix else path_of(new)
        new_file = self._moves.moved.get(inner.strip("/"))
        return f"/{new_file}" if new_file is not None else None

    def _exists(self, inner: str) -> bool:
        return find_slug(self._slugs, inner) is not None or inner.strip("/") in self._moves.files

    def _import(self, written: str, target: str | None, now: str, *, snippet: bool) -> str | None:
        if target is None:
            return None
        new = self._moves.moved.get(target, target)
        bare = not written.endswith(MODULE_SUFFIXES)
        if bare:
            new = next((new.removesuffix(s) for s in MODULE_SUFFIXES if new.endswith(s)), new)
        if snippet:
            return None if target not in self._moves.moved else _snippet_name(new)
        if written.startswith("/"):
            return f"/{new}" if target in self._moves.moved else None
        relative = posixpath.relpath(f"/{new}", f"/{posixpath.dirname(now)}")
        return relative if relative.startswith(".") else f"./{relative}"


def _snippet_name(path: str) -> str:
    for folder in ("_snippets/", "snippets/"):
        if path.startswith(folder):
            return path.removeprefix(folder)
    return f"/{path}"


def _spelled_as(old: str, new: str) -> str:
    """Return a target with the old one's escaping and trailing slash."""
    new = quote(new, safe="/:@!$&'()*+,;=-._~") if "%" in old else new
    return f"{new}/" if old.endswith("/") and not new.endswith("/") else new


def _names(moved: Mapping[str, str]) -> frozenset[str]:
    """Return strings one of which every link to one of the files contains."""
    names = set()
    for path in moved:
        slug = slug_of(path)
        name = posixpath.basename(slug.removesuffix("/index")) or slug
        names |= {name, quote(name)}
        if slug == "index":
            names.add("/")
    return frozenset(names)
