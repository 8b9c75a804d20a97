"""Operations and references of OpenAPI 3.0 and 3.1 files.

Invalid files are reported; pages that need them are published without their operation.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypedDict
from urllib.parse import unquote

from docstead.base.errors import DocsteadError
from docstead.content.reference_entries import (
    ComponentSchema,
    HttpOperation,
    ListedEntry,
    MessageChannel,
    OpenApiOperation,
    WebhookOperation,
)
from docstead.reference.asyncapi import spec as asyncapi
from docstead.reference.common.server_urls import with_defaults
from docstead.reference.openapi.json_text import json_value
from docstead.reference.openapi.references import resolve_references
from docstead.repository.positions import Diagnostics, FilePosition, LineIndex
from docstead.repository.sources import SPECIFICATION_SUFFIXES
from docstead.repository.yaml_text import YamlError
from docstead.repository.yaml_text import parse as parse_yaml

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
URL_SCHEMES = ("https://", "http://")

ReadRemote = Callable[[str], str]
_ReadBeside = Callable[[str], str | None]
_REFERENCE = re.compile(
    rf"(?:(?P<file>\S.*?)(?<!\s)\s++)?(?P<method>{'|'.join(METHODS)}|webhook)\s++(?P<path>\S.*+)",
    re.IGNORECASE,
)
_SNIFF = re.compile(
    r'^[ \t]*(?:openapi|asyncapi)[ \t]*:|"(?:openapi|asyncapi)"\s*:\s*"', re.MULTILINE
)
_FIX = "Fix the file at this position; pages that need it are published without it."
_LONGEST_REFERENCE = 8_192  # characters: more than the longest path of a file and of a request
_REF_LIMIT = 20  # a longer chain of references is circular


@dataclass(frozen=True, slots=True)
class OperationRef:
    """`[file ]METHOD /path` as written in pages and the navigation."""

    file: str | None
    method: str  # upper case
    path: str

    def missing_from(self, files: Sequence[str]) -> str:
        """Return the message that none of these files has it; without files, that no file has."""
        where = f"{' or '.join(files)} has no" if files else "no OpenAPI file has"
        return f"{where} {self.method} {self.path}"


@dataclass(frozen=True)
class Specification:
    file: str
    document: Mapping[str, Any]
    entries: tuple[ListedEntry, ...]

    def find(self, method: str, path: str) -> OpenApiOperation | None:
        """Return an operation; trailing slashes of the path are ignored."""
        return self._by_path.get((method, path.rstrip("/")))

    @cached_property
    def _by_path(self) -> dict[tuple[str, str], OpenApiOperation]:
        """First operation of each method and path."""
        found = (o for o in reversed(self.entries) if isinstance(o, OpenApiOperation))
        return {(o.method, o.path.rstrip("/")): o for o in found}

    @cached_property
    def _channels(self) -> dict[str, MessageChannel]:
        channels = (each for each in reversed(self.entries) if isinstance(each, MessageChannel))
        return {each.name: each for each in channels}

    def channel(self, name: str) -> MessageChannel | None:
        """Return the channel of an AsyncAPI file by name."""
        return self._channels.get(name)

    def schema(self, name: str) -> ComponentSchema | None:
        """Return a shared schema by name, for a page about it."""
        components = _mapping(self.document.get("components"))
        if name not in _mapping(components.get("schemas")):
            return None
        return ComponentSchema(self.file, name, components)


def parse_reference(text: str) -> OperationRef | None:
    """Parse "openapi.json GET /users"; None if the text is not a reference."""
    if len(text) > _LONGEST_REFERENCE:
        return None
    match = _REFERENCE.fullmatch(text.strip())
    if match is None or not _is_reference(match):
        return None
    return OperationRef(match["file"], match["method"].upper(), match["path"].strip())


def _is_reference(match: re.Match[str]) -> bool:
    return match["method"].lower() == "webhook" or match["path"].startswith("/")


def resolve(components: Mapping[str, Any], ref: str) -> Mapping[str, Any]:
    """Return the target of an internal `$ref` among components; {} if there is none."""
    target: Any = {"$ref": ref}
    for _ in range(_REF_LIMIT):
        if not isinstance(target, Mapping) or not isinstance(target.get("$ref"), str):
            return target if isinstance(target, Mapping) else {}
        target = _pointed(components, target["$ref"])
    return {}


def _pointed(components: Mapping[str, Any], ref: str) -> Any:
    if not ref.startswith("#/components/"):
        return {}
    value: Any = components
    for part in ref.removeprefix("#/components/").split("/"):
        key = unquote(part).replace("~1", "/").replace("~0", "~")
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def looks_like_specification(text: str) -> bool:
    """Report whether a JSON or YAML file declares to be an OpenAPI or AsyncAPI document."""
    return _SNIFF.search(text) is not None


def read_specification(
    text: str, file: str, diagnostics: Diagnostics, read: _ReadBeside | None = None
) -> Specification | None:
    """Return the operations of a file in order; None, with a diagnostic, if there are none.

    `read` returns the text of other files that it references.
    """
    document = _document(text, file, diagnostics)
    if document is None:
        return None
    if str(document.get("asyncapi", "")).startswith(("2.", "3.")):
        return Specification(file, document, tuple(asyncapi.channels(file, document)))
    version = document.get("openapi")
    if not isinstance(version, str) or not version.startswith("3."):
        found = version or document.get("swagger")
        message = f"version {found} of OpenAPI is not supported" if found else "not OpenAPI"
        hint = "Convert the file to OpenAPI 3.0 or 3.1."
        diagnostics.warning(FilePosition(file, 1, 1), "openapi-version", message, hint)
        return None
    resolve_references(document, text, file, partial(_beside, read), diagnostics)
    return Specification(file, document, tuple(_operations(file, document)))


def _beside(read: _ReadBeside | None, file: str) -> Any:
    """Return another file of the repository as values, or None."""
    text = read(file) if read and file.endswith(SPECIFICATION_SUFFIXES) else None
    return None if text is None else _document(text, file, Diagnostics())


def _document(text: str, file: str, diagnostics: Diagnostics) -> dict[str, Any] | None:
    try:
        is_json = file.endswith(".json") or text.lstrip().startswith("{")
        value = json_value(text) if is_json else parse_yaml(text)
    except YamlError as error:
        position = FilePosition(file, error.line, error.column)
        diagnostics.warning(position, "openapi-syntax", f"not YAML: {error.message}", _FIX)
    except json.JSONDecodeError as error:
        position = LineIndex(file, text).position(error.pos)
        diagnostics.warning(position, "openapi-syntax", f"not JSON: {error.msg}", _FIX)
    except ValueError as error:
        diagnostics.warning(
            FilePosition(file, 1, 1), "openapi-syntax", f"not readable: {error}", _FIX
        )
    else:
        if isinstance(value, dict):
            return value
        diagnostics.warning(
            FilePosition(file, 1, 1), "openapi-syntax", "the file contains no object", _FIX
        )
    return None


def _operations(file: str, document: Mapping[str, Any]) -> Iterator[OpenApiOperation]:
    for path, item in _objects(document.get("paths")):
        for method in METHODS:
            if isinstance(definition := item.get(method), dict):
                around = _context_of(document, item, definition)
                yield HttpOperation(file, method.upper(), path, definition, **around)
    for name, item in _objects(document.get("webhooks")):
        for method in METHODS:
            if isinstance(definition := item.get(method), dict):
                around = _context_of(document, item, definition)
                yield WebhookOperation(file, name, definition, **around)
                break


class _OperationContext(TypedDict):
    """Inherited values of an operation, from its path and file."""

    parameters: tuple[Mapping[str, Any], ...]
    servers: tuple[str, ...]
    components: Mapping[str, Any]
    security: tuple[Mapping[str, Any], ...]


def _context_of(
    document: Mapping[str, Any], item: Mapping[str, Any], definition: Mapping[str, Any]
) -> _OperationContext:
    nearest = (definition, item, document)
    return _OperationContext(
        parameters=_mappings(item.get("parameters")),
        servers=_servers(next((o["servers"] for o in nearest if o.get("servers")), None)),
        components=_mapping(document.get("components")),
        security=_mappings(next((o["security"] for o in nearest if "security" in o), None)),
    )


def _servers(value: Any) -> tuple[str, ...]:
    """Return the server URLs with each `{variable}` replaced by its default."""
    urls = []
    for server in _mappings(value):
        url = with_defaults(str(server.get("url") or ""), _objects(server.get("variables")))
        if url:
            urls.append(url)
    return tuple(urls)


def _objects(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield key, item


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _mappings(value: Any) -> tuple[Mapping[str, Any], ...]:
    items = value if isinstance(value, list) else ()
    return tuple(item for item in items if isinstance(item, dict))


#: Arguments: text, file, diagnostics, and a reader of other files.
Parse = Callable[[str, str, Diagnostics, _ReadBeside | None], Specification | None]


class SpecificationCatalog:
    """OpenAPI files of a repository, each read on first use.

    `read` returns the text of a file by path, or None if it is unreadable; `read_remote` that of a
    URL, or raises `DocsteadError`. Files of other formats have other `suffixes`, and another
    `parse`.
    """

    def __init__(
        self,
        files: Sequence[str],
        read: _ReadBeside,
        diagnostics: Diagnostics,
        read_remote: ReadRemote | None = None,
        *,
        suffixes: tuple[str, ...] = SPECIFICATION_SUFFIXES,
        parse: Parse = read_specification,
    ) -> None:
        self._files = sorted(file for file in files if file.endswith(suffixes))
        self._names = frozenset(self._files)
        self._recognized: dict[str, bool] = {}
        self.suffixes = suffixes
        self._parse = parse
        self._read = read
        self._diagnostics = diagnostics
        self._read_remote = read_remote
        self._known: dict[str, Specification | None] = {}
        self._refusals: dict[str, str] = {}

    def refusal(self, url: str) -> str:
        """Return why a URL could not be read, or ""."""
        return self._refusals.get(url, "")

    def may_lack(self, *names: str) -> bool:
        """Whether one of these files is a URL that could not be read; without names, any URL."""
        return any(map(self.refusal, names)) if names else bool(self._refusals)

    def get(self, name: str) -> Specification | None:
        """Return the specification for a path with or without extension."""
        file = self._file(name)
        return self._load(file) if file else None

    def exists(self, name: str) -> bool:
        return self._file(name) is not None

    def all(self) -> Iterator[Specification]:
        """Yield every specification of the repository by file name."""
        for file in self._files:
            if file in self._known or self._is_specification(file):
                specification = self._load(file)
                if specification is not None:
                    yield specification

    def _is_specification(self, file: str) -> bool:
        """Report whether a file looks like a specification, reading it once."""
        if file not in self._recognized:
            self._recognized[file] = looks_like_specification(self._read(file) or "")
        return self._recognized[file]

    @cached_property
    def _by_stem(self) -> dict[str, str]:
        """First file of each name without its extension."""
        return {self._stem(file): file for file in reversed(self._files)}

    def find(self, ref: OperationRef) -> OpenApiOperation | None:
        """Return an operation; without a file, from the first file by name that has it."""
        if ref.file is not None:
            specification = self.get(ref.file)
            return specification.find(ref.method, ref.path) if specification else None
        found = (specification.find(ref.method, ref.path) for specification in self.all())
        return next((operation for operation in found if operation), None)

    def channel(self, written: str) -> MessageChannel | None:
        """Return a channel by "[file ]name", as written in pages."""
        searched, name = self._searched(written)
        return next(filter(None, (each.channel(name) for each in searched)), None)

    def schema(self, written: str) -> ComponentSchema | None:
        """Return a schema by "[file ]name", as written in pages."""
        searched, name = self._searched(written)
        return next(filter(None, (each.schema(name) for each in searched)), None)

    def _searched(self, written: str) -> tuple[Iterable[Specification], str]:
        file, _, name = written.strip().rpartition(" ")
        specification = self.get(file.strip()) if file else None
        return [specification] if specification else [] if file else self.all(), name

    def _file(self, name: str) -> str | None:
        if name.startswith(URL_SCHEMES):
            return name
        path = posixpath.normpath(name.strip().lstrip("/"))
        for candidate in (path, *(path + suffix for suffix in self.suffixes)):
            if candidate in self._names:
                return candidate
        return self._by_stem.get(self._stem(path))

    def _stem(self, file: str) -> str:
        name = posixpath.basename(file)
        return next((name.removesuffix(s) for s in self.suffixes if name.endswith(s)), name)

    def _load(self, file: str) -> Specification | None:
        if file not in self._known:
            text = self._remote(file) if file.startswith(URL_SCHEMES) else self._read(file)
            loaded = (
                self._parse(text, file, self._diagnostics, self._beside)
                if text is not None
                else None
            )
            self._known[file] = loaded
        return self._known[file]

    def _beside(self, file: str) -> str | None:
        return self._read(file) if file in self._names else None

    def _remote(self, url: str) -> str | None:
        if self._read_remote is None:
            self._refusals[url] = "network access is disabled"
            return None
        try:
            return self._read_remote(url)
        except DocsteadError as error:
            self._refusals[url] = error.message
            return None
