"""Keys under which rendered pages are kept: equal keys, equal pages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from docstead.content.modules import imports_of, target_of
from docstead.content.pages import Operation, Page, Repository
from docstead.content.slugs import base_path
from docstead.site.engine.version import engine_version

# Links that name neither a root nor a folder lead to whichever of the two exists.
_BARE_LINK = re.compile(
    r"""(?:\]\(<?|\]:[ \t]*<?|href=["'{]+)(?![a-zA-Z][a-zA-Z\d+.-]*:|[./#])[^\s)"']"""
)
_SCRIPTS = (".jsx", ".tsx", ".js", ".ts")


def page_key(repository: Repository, slug: str) -> str:
    """Digest of all that a page's HTML depends on: source, imports, settings, engine."""
    page = repository.pages[slug]
    digest = hashlib.sha256(engine_version().encode())
    for part in _parts(repository, page):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _parts(repository: Repository, page: Page) -> Iterator[bytes]:
    config = repository.site.config
    yield json.dumps(
        [
            page.meta.file,
            page.body_line,
            config.icon_library,
            base_path(config),
            config.styling.get("latex"),
        ]
    ).encode()
    yield page.body.encode()
    yield json.dumps(dict(config.variables), sort_keys=True).encode()
    sources = [page.body]
    for path in sorted(_modules(repository, page)):
        module = repository.modules[path]
        sources.append(module.source)
        yield f"{path}\n{module.source_line}\n{module.source}".encode()
    if any(_BARE_LINK.search(source) for source in sources):
        yield _paths_digest(tuple(repository.pages), repository.assets)
    if page.operation is not None:
        yield repr(config.api).encode()
        yield _operation(page.operation)


def _modules(repository: Repository, page: Page) -> set[str]:
    """The modules that a page imports, and those that they import."""
    found: set[str] = set()
    waiting = [(page.meta.file, page.body)]
    while waiting:
        file, source = waiting.pop()
        for path in _imported(repository, file, source):
            if path not in found:
                found.add(path)
                waiting.append((path[1:], repository.modules[path].source))
    return found


def _imported(repository: Repository, file: str, source: str) -> Iterator[str]:
    for each in imports_of(source, script=file.endswith(_SCRIPTS)):
        target = target_of(each, file, lambda name: f"/{name}" in repository.modules)
        if target is not None:
            yield f"/{target}"


@lru_cache(maxsize=4)
def _paths_digest(pages: tuple[str, ...], assets: tuple[str, ...]) -> bytes:
    return hashlib.sha256("\n".join(sorted((*pages, "", *assets))).encode()).digest()


def _operation(operation: Operation) -> bytes:
    own = [
        operation.spec,
        operation.method,
        operation.path,
        operation.definition,
        operation.parameters,
        operation.servers,
        operation.security,
        operation.kind,
    ]
    shared = _referenced(own, operation.components)
    return json.dumps([own, shared], sort_keys=True, default=_plain).encode()


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)


def _referenced(value: object, components: Mapping[str, Any]) -> dict[str, object]:
    """The shared parts of a specification that a value names, and that those name."""
    found: dict[str, object] = {}
    waiting: list[object] = [value]
    while waiting:
        for reference in _references(waiting.pop()):
            if reference not in found:
                found[reference] = _resolved(reference, components)
                waiting.append(found[reference])
    found["securitySchemes"] = components.get("securitySchemes")
    return found


def _references(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        reference = value.get("$ref")
        if isinstance(reference, str):
            yield reference
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _references(each)


def _resolved(reference: str, components: Mapping[str, Any]) -> object:
    value: object = {"components": components}
    for part in reference.removeprefix("#/").split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
