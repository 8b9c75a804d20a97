"""Link preview image of a page (Open Graph), and its URL.

Hosted sites render one per page on request. A bundle has a single one, because thousands of rarely
used images would make up most of its size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from docstead.content.config import SiteConfig
from docstead.content.contexts import NavigationContexts
from docstead.content.pages import Site
from docstead.content.slugs import repository_path
from docstead.content.written_settings import members
from docstead.markup.assets import FOLDER, BuiltAssets
from docstead.theme.logos import logo_image
from docstead.theme.markup import plain_line
from docstead.theme.mode import ShellMode
from docstead.theme.thumbnails import LOGO_SIZE, ThumbnailRenderer, ThumbnailText, fitted, is_dark

if TYPE_CHECKING:
    from PIL import Image

_FOLDER = f"{FOLDER}/preview/"
_SUFFIX = ".jpg"


class LinkPreviews:
    """Preview images of a site, which needs a public URL; `logo` is the file for a bundle's."""

    def __init__(
        self,
        site: Site,
        mode: ShellMode,
        contexts: NavigationContexts,
        built: BuiltAssets,
        logo: bytes = b"",
    ) -> None:
        self._site = site
        self._mode = mode
        self._contexts = contexts
        self._built = built
        self._logo_file = logo
        settings = site.config.extra.thumbnails
        given = members(settings).get("background")
        self._background = _rooted(given) if isinstance(given, str) and given else ""
        config = site.config
        seen = (config.name, config.description, config.colors, config.background, settings, logo)
        digest = hashlib.sha256(repr(seen).encode()).hexdigest()[:12]
        self._decoding = Lock()
        self._decoded: dict[str, tuple[bytes, Image.Image | None]] = {}  # by path, with digests
        self._shared = f"{FOLDER}/preview.{digest}{_SUFFIX}"

    def path_of(self, slug: str) -> str:
        """Return the preview of a page: a path of the site, an external URL, or ""."""
        if not self._mode.base_url or slug not in self._site.pages:
            return ""
        if self._background and (self._mode.files or "://" in self._background):
            return self._background
        return f"/{self._shared}" if self._mode.files else f"/{_FOLDER}{slug}{_SUFFIX}"

    def is_rendered(self, path: str) -> bool:
        """Report whether the image is generated, so that its size is known."""
        return path.startswith(f"/{FOLDER}/preview")

    def files(self) -> Mapping[str, bytes]:
        """Return the image shared by all pages of a bundle."""
        if not self._mode.files or not self._mode.base_url or self._background:
            return {}
        words = ThumbnailText(
            self._site.config.name, note=plain_line(self._site.config.description or "")
        )
        logo = logo_image(self._logo_file, *LOGO_SIZE)
        image = ThumbnailRenderer(self._site.config, self._built, logo=logo).render(words)
        return {self._shared: image}

    def render(self, path: str, read: Callable[[str], bytes | None]) -> bytes | None:
        """Return the image of a page on a hosted site; `read` returns files of the repository."""
        slug = path.removeprefix(_FOLDER).removesuffix(_SUFFIX)
        if f"/{path}" != self.path_of(slug):
            return None
        meta, groups = self._site.pages[slug], self._contexts.position(slug).groups
        part = groups[-1].label if groups and groups[-1].root != slug else ""
        words = ThumbnailText(meta.title, part, plain_line(meta.description or ""))
        background = self._once(self._background, read, fitted)
        logo = self._once(
            logo_path(self._site.config), read, lambda data: logo_image(data, *LOGO_SIZE)
        )
        return ThumbnailRenderer(self._site.config, self._built, background, logo).render(words)

    def _once(
        self,
        path: str,
        read: Callable[[str], bytes | None],
        decode: Callable[[bytes], Image.Image | None],
    ) -> Image.Image | None:
        """Return an image, decoded once, which takes up to a second and much memory."""
        data = read(path.lstrip("/")) if path else None
        if data is None:
            return None
        digest = hashlib.sha256(data).digest()
        with self._decoding:
            if self._decoded.get(path, (b"",))[0] != digest:
                self._decoded[path] = (digest, decode(data))
            return self._decoded[path][1]


def logo_path(config: SiteConfig) -> str:
    """Return the path of the logo for the color mode of the images, or ""."""
    if config.logo is None:
        return ""
    return _rooted(config.logo.image.dark if is_dark(config) else config.logo.image.light)


def _rooted(path: str) -> str:
    return path if "://" in path else f"/{repository_path(path)}"
