"""Libraries of a repository, each read on first use.

Unreadable artifacts are reported, and pages are created without them. Artifacts may be in ignored
folders (`.docsignore`), but not outside of the repository.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from docstead.base.errors import DocsteadError, Unavailable
from docstead.base.units import MIB
from docstead.reference.sdk.artifact import FILE_LIMIT_BYTES, Artifact, UnusableArtifact
from docstead.reference.sdk.artifact_files import FolderArtifact, KeptArtifact, ZipArtifact
from docstead.reference.sdk.model import SdkLibrary
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.sdk_settings import LibrarySource, ReadArtifact

_FILES = frozenset({"typedoc", "phpdoc"})
_ARCHIVES = (".zip", ".jar")
_REMEMBERED_BYTES = 4 * MIB  # larger artifacts would leave no room for pages
_PER_BYTE = 4  # size of the cached value relative to the artifact
_ODD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class LibraryArtifacts:
    """Libraries by artifact, each read once; `read_remote` reads those at URLs."""

    def __init__(
        self,
        root: Path,
        diagnostics: Diagnostics,
        parse_cache: ParseCache,
        read_remote: ReadArtifact | None = None,
    ) -> None:
        self._root = root.resolve()
        self._diagnostics = diagnostics
        self._parse_cache = parse_cache
        self._read_remote = read_remote
        self._known: dict[tuple[str, str], SdkLibrary | None] = {}

    def get(self, source: LibrarySource) -> SdkLibrary | None:
        """Return the library of an artifact; None, with a diagnostic, if it is unusable."""
        key = (source.format, source.source)
        if key not in self._known:
            self._known[key] = self._load(source)
        return self._known[key]

    def _load(self, source: LibrarySource) -> SdkLibrary | None:
        try:
            artifact = self._artifact(source)
        except UnusableArtifact as error:
            self._diagnostics.warning(source.position, "sdk-missing", error.message, error.hint)
        except DocsteadError as error:
            message = f"{source.source} could not be read: {error.message}"
            hint = "Put the artifact into the repository, where it needs no other host."
            self._diagnostics.warning(source.position, "sdk-remote", message, hint)
        else:
            make = partial(_read, source, artifact)
            if artifact.size_bytes > _REMEMBERED_BYTES:
                return make(self._diagnostics)
            key = ("sdk", source.format, source.source, source.position, artifact.key)
            characters = _PER_BYTE * artifact.size_bytes
            return self._parse_cache.cached(key, make, self._diagnostics, characters=characters)
        return None

    def _artifact(self, source: LibrarySource) -> KeptArtifact | FolderArtifact | ZipArtifact:
        is_file = source.format in _FILES
        if "://" in source.source:
            data = self._remote(source.source)
            return KeptArtifact(data) if is_file else ZipArtifact(data)
        path = self._path(source.source)
        if path.is_dir():
            if is_file:
                message = f"{source.source!r} is a folder, but {source.format} requires a file"
                raise UnusableArtifact(message, "Name the file in it.")
            return FolderArtifact(path)
        if path.stat().st_size > FILE_LIMIT_BYTES:
            message = f"{source.source!r} is larger than {FILE_LIMIT_BYTES // MIB} MB"
            raise UnusableArtifact(message, "Remove from the artifact what readers do not need.")
        data = path.read_bytes()
        if not is_file and not path.name.endswith(_ARCHIVES):
            message = f"{source.source!r} is a file, but {source.format} requires a folder"
            raise UnusableArtifact(message, "Enter the tool's output folder, or a .zip of it.")
        return KeptArtifact(data) if is_file else ZipArtifact(data)

    def _remote(self, url: str) -> bytes:
        if not url.startswith("https://"):
            message = f"{url} is not an https:// URL"
            raise UnusableArtifact(message, "Write an https URL, or a path in the repository.")
        if self._read_remote is None:
            raise Unavailable("network access is disabled")
        return self._read_remote(url)

    def _path(self, source: str) -> Path:
        try:
            path = (self._root / source.lstrip("/")).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            hint = "Write its path from the root of the documentation."
            raise UnusableArtifact(f"there is no artifact {source!r}", hint) from None
        if not path.is_relative_to(self._root) or ".git" in path.relative_to(self._root).parts:
            raise UnusableArtifact(
                f"{source!r} leads out of the repository", "Put the artifact into it."
            )
        return path


def _read(source: LibrarySource, artifact: Artifact, diagnostics: Diagnostics) -> SdkLibrary | None:
    try:
        return _read_format(source.format, artifact, source.source)
    except UnusableArtifact as error:
        file = "/".join(filter(None, (source.source.rstrip("/"), error.file)))
        if error.line and "://" not in file:
            position = FilePosition(file, error.line, error.column)
            diagnostics.warning(position, "sdk-artifact", error.message, error.hint)
        else:
            message = f"{file}: {error.message}"
            diagnostics.warning(source.position, "sdk-artifact", message, error.hint)
    except _ODD as error:
        reason = f"{type(error).__name__}: {error}"
        message = f"{source.source} has not the form that {source.format} writes: {reason}"
        hint = "Create the artifact again, with a newer version of the tool."
        diagnostics.warning(source.position, "sdk-artifact", message, hint)
    return None


def _read_format(name: str, artifact: Artifact, file: str) -> SdkLibrary:
    """Read an artifact; readers of formats are imported on first use."""
    if name == "typedoc":
        from docstead.reference.sdk.typedoc import read_typedoc

        return read_typedoc(artifact, file)
    if name == "sphinx":
        from docstead.reference.sdk.sphinx import read_sphinx

        return read_sphinx(artifact, file)
    if name == "docfx":
        from docstead.reference.sdk.docfx import read_docfx

        return read_docfx(artifact, file)
    if name == "phpdoc":
        from docstead.reference.sdk.phpdoc import read_phpdoc

        return read_phpdoc(artifact, file)
    from docstead.reference.sdk.javadoc import read_javadoc

    return read_javadoc(artifact, file)
