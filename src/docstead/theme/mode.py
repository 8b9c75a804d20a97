"""Serving mode of pages: hosted or as files, with base path and URL."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ShellMode:
    """`base_url` is the public URL of the home page, or "" if unknown.

    A hosted site is served below `base_path` ("" or "/docs"), with URLs without extension. Pages of
    a bundle are files with relative links, so that it works at any URL and from a disk.
    """

    files: bool
    base_path: str
    base_url: str
    is_placed: bool = True  # whether the final location is known
    is_shared: bool = False  # the host also serves others, so pages are sandboxed

    @classmethod
    def hosted(
        cls, base_path: str = "", base_url: str = "", *, is_shared: bool = False
    ) -> ShellMode:
        return cls(False, base_path.rstrip("/"), base_url.rstrip("/"), is_shared=is_shared)

    @classmethod
    def bundle(cls, base_url: str = "", base_path: str | None = None) -> ShellMode:
        """Return the mode of a bundle. The base path is for the 404 page, shown at any depth.

        By default it is the path of `base_url`; otherwise it is appended to a URL without path.
        """
        base_url = base_url.rstrip("/")
        own = urlsplit(base_url).path
        if base_path is None:
            return cls(True, own, base_url, bool(base_url))
        return cls(True, base_path, base_url + base_path if base_url and not own else base_url)
