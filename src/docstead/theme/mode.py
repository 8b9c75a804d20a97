"""Mode of serving pages: hosted or as files, with their base path and URL."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ShellMode:
    """`base_url` is the public address of the home page, "" where nobody knows it yet.

    A hosted site lives below `base_path` ("" or "/docs") and its addresses have no
    extension. The pages of a bundle are files that find each other by relative links, so
    that it works at any address and from a disk.
    """

    files: bool
    base_path: str
    base_url: str
    is_placed: bool = True  # whether anybody knows where the site will stand
    is_shared: bool = False  # its host also serves others, so pages are sandboxed there

    @classmethod
    def hosted(
        cls, base_path: str = "", base_url: str = "", *, is_shared: bool = False
    ) -> ShellMode:
        return cls(False, base_path.rstrip("/"), base_url.rstrip("/"), is_shared=is_shared)

    @classmethod
    def bundle(cls, base_url: str = "", base_path: str | None = None) -> ShellMode:
        """The base path serves the 404 page, which is shown at any depth.

        It is the path of `base_url` unless it is given; then it is added to an address that
        has none.
        """
        base_url = base_url.rstrip("/")
        own = urlsplit(base_url).path
        if base_path is None:
            return cls(True, own, base_url, bool(base_url))
        return cls(True, base_path, base_url + base_path if base_url and not own else base_url)
