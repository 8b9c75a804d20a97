"""Files of a repository by purpose, and their text."""

from __future__ import annotations

from pathlib import Path

from docstead.base.units import MIB
from docstead.content.reserved import is_reserved
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.repository.modules import MODULE_SUFFIXES, is_snippet
from docstead.repository.positions import Diagnostics, FilePosition

TEXT_LIMIT_BYTES = 20_000_000  # the format's limit per file
SITE_SKILL = "skill.md"  # Markdown for agents, instead of a page
SPECIFICATION_SUFFIXES = (".json", ".yaml", ".yml")  # OpenAPI and AsyncAPI
SCHEMA_SUFFIXES = (".graphql", ".graphqls", ".gql")
EXPECTED_ANSWERS = "answers.yaml"  # used by `check` only
# Files that are never served. Settings may exist in both formats.
_UNPUBLISHED = ("docs.json", "mint.json", EXPECTED_ANSWERS)
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".bmp", ".svg", ".ico")
_MEDIA = (".mp4", ".webm", ".mov", ".m4v", ".ogv", ".mp3", ".wav", ".m4a", ".ogg", ".vtt")
_WEB = (".css", ".js", ".woff", ".woff2", ".ttf", ".otf", ".eot", ".webmanifest")
_DATA = (".json", ".yaml", ".yml", ".pdf", ".txt", ".xml", ".csv", ".zip", ".gz")
ASSET_SUFFIXES = (*_IMAGES, *_MEDIA, *_WEB, *_DATA, *SCHEMA_SUFFIXES)


def is_image(path: str) -> bool:
    """Report whether a path is that of a picture."""
    return path.lower().endswith(_IMAGES)


def is_media(path: str) -> bool:
    """Report whether a path is that of a video, a recording or subtitles."""
    return path.lower().endswith(_MEDIA)


class SourceFiles:
    """`files` are root-relative paths from `tree.list_files`."""

    def __init__(self, root: Path, files: list[str], diagnostics: Diagnostics) -> None:
        self._root = root
        self._files = files
        self._known = frozenset(files)
        self._public = self._unreserved(files, diagnostics)
        self._diagnostics = diagnostics

    def exists(self, file: str) -> bool:
        return file in self._known

    def page_files(self) -> list[str]:
        """Return files that are pages unless they are imported."""
        files = (f for f in self._public if f.endswith(PAGE_SUFFIXES) and not is_snippet(f))
        return [f for f in files if f != SITE_SKILL]

    def snippet_files(self) -> list[str]:
        return [f for f in self._files if is_snippet(f) and f.endswith(MODULE_SUFFIXES)]

    def data_files(self) -> list[str]:
        """Return JSON and YAML files, which may be OpenAPI."""
        return [
            f for f in self._files if f.endswith(SPECIFICATION_SUFFIXES) and f not in _UNPUBLISHED
        ]

    def schema_files(self) -> list[str]:
        """Return GraphQL schemas."""
        return [f for f in self._files if f.endswith(SCHEMA_SUFFIXES)]

    def assets(self) -> tuple[str, ...]:
        """Return files that are served unchanged."""
        return tuple(
            f for f in self._public if f.lower().endswith(ASSET_SUFFIXES) and f not in _UNPUBLISHED
        )

    def beginning(self, file: str) -> str:
        """Return the first megabyte of a file as text, without diagnostics; "" if unreadable."""
        try:
            with (self._root / file).open("rb") as stream:
                return stream.read(MIB).decode(errors="replace")
        except OSError:
            return ""

    def text(self, file: str) -> str | None:
        """Return the text with normalized line ends; None, with a diagnostic, if unreadable."""
        try:
            path = self._root / file
            if path.stat().st_size > TEXT_LIMIT_BYTES:
                self._refuse(FilePosition(file), "file-too-large", "the file is larger than 20 MB")
                return None
            data = path.read_bytes()
            return plain_lines(data.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            before = error.object[: error.start]
            line = before.count(b"\n") + 1
            column = len(before) - (before.rfind(b"\n") + 1) + 1
            message = f"not UTF-8: byte 0x{error.object[error.start]:02x}; the file was left out"
            self._refuse(FilePosition(file, line, column), "not-utf8", message)
        except OSError as error:
            self._refuse(FilePosition(file), "unreadable-file", error.strerror or "not readable")
        return None

    @staticmethod
    def _unreserved(files: list[str], diagnostics: Diagnostics) -> list[str]:
        """Return the files that may be published. Pages may still import the others."""
        for file in filter(is_reserved, files):
            message = f"paths below '/{file.partition('/')[0]}/' are reserved; it is not published"
            diagnostics.warning(
                FilePosition(file), "reserved-path", message, "Move it to another folder."
            )
        return [file for file in files if not is_reserved(file)]

    def _refuse(self, position: FilePosition, code: str, message: str) -> None:
        hint = "Save the file as UTF-8." if code == "not-utf8" else ""
        self._diagnostics.error(position, code, message, hint)


def plain_lines(text: str) -> str:
    """Normalize line ends, keeping line numbers."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
