"""Reader of pages and modules from source files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256

from docstead.content.config import ApiSettings
from docstead.content.packed_text import packed, unpacked
from docstead.content.pages import Page, PageModule
from docstead.content.reference_entries import ComponentSchema, MessageChannel, OpenApiOperation
from docstead.content.slugs import PAGE_SUFFIXES, path_of, slug_of
from docstead.reference.common.descriptions import split_description
from docstead.reference.openapi.manual import written_operation
from docstead.reference.openapi.spec import OperationRef, SpecificationCatalog, parse_reference
from docstead.reference.outline import outline_of
from docstead.repository.frontmatter import SourceDocument, split
from docstead.repository.metas import read_meta
from docstead.repository.modules import (
    DATA_SUFFIXES,
    MODULE_SUFFIXES,
    ModuleImport,
    cached_imports,
    is_snippet,
    leaves_root,
    target_of,
)
from docstead.repository.parse_cache import ParseCache
from docstead.repository.positions import Diagnostics, FilePosition, LineIndex
from docstead.repository.sdk_settings import WrittenSymbol, read_written
from docstead.repository.sources import SourceFiles

_PLAIN_CHARACTERS = 24_000_000  # characters of all pages, some 4,000 of them


class PageReader:
    """Reads every page once. `listed` slugs of the navigation are pages even if imported."""

    def __init__(
        self,
        sources: SourceFiles,
        diagnostics: Diagnostics,
        parse_cache: ParseCache,
        *,
        home_title: str,
        listed: frozenset[str],
    ) -> None:
        self._sources = sources
        self._diagnostics = diagnostics
        self._parse_cache = parse_cache
        self._home_title = home_title
        self._listed = listed
        self._documents: dict[str, SourceDocument] = {}
        self._packed: dict[str, bytes] = {}  # bodies that are stored separately
        self._characters = 0
        self._imported: set[str] = set()
        self._waiting: list[str] = []  # unread files of `_imported`
        self._unknown: list[tuple[FilePosition, OperationRef]] = []  # no file has them yet

    def read(self) -> tuple[dict[str, Page], dict[str, PageModule]]:
        """Return pages by slug and modules by root-absolute path."""
        files = self._sources.page_files()
        for file in files:
            self._document(file)
        modules = self._modules()
        pages: dict[str, Page] = {}
        for file in files:
            if file in self._documents and self._is_page(file):
                self._add_page(pages, self._whole(file))
        return pages, modules

    def with_operations(
        self, pages: Mapping[str, Page], specifications: SpecificationCatalog, api: ApiSettings
    ) -> dict[str, Page]:
        """Return the pages with the operations that their frontmatter refers to."""
        return {
            slug: self._about(page, specifications, api) if page.meta.file else page
            for slug, page in pages.items()
        }

    def report_unknown_operations(self, specifications: SpecificationCatalog) -> None:
        """Report operations that no file has, unless a URL that may have them was unreadable.

        The navigation names more files, so it is read before.
        """
        hint = "File, method and path must match."
        for position, ref in self._unknown:
            names = (ref.file,) if ref.file else ()
            if not specifications.may_lack(*names):
                message = ref.missing_from(names)
                self._diagnostics.warning(position, "unknown-operation", message, hint)

    def symbols(self, pages: Mapping[str, Page]) -> dict[str, WrittenSymbol]:
        """Return the library symbols in frontmatter, by slug."""
        found = {}
        for slug, page in pages.items():
            document = self._documents[page.meta.file] if page.meta.file else None
            if document is None or "sdk" not in document.fields:
                continue
            value, is_titled = document.fields["sdk"], bool(document.fields.get("title"))
            position = document.position("sdk")
            if written := read_written(value, position, self._diagnostics, is_titled=is_titled):
                found[slug] = written
        return found

    def _about(self, page: Page, specifications: SpecificationCatalog, api: ApiSettings) -> Page:
        fields = self._documents[page.meta.file].fields
        if "openapi" in fields:
            return self._with_operation(page, specifications)
        if isinstance(written := fields.get("asyncapi"), str):
            return self._with_named(page, specifications.channel(written), "asyncapi", "channel")
        if isinstance(written := fields.get("openapi-schema"), str):
            return self._with_named(
                page, specifications.schema(written), "openapi-schema", "schema"
            )
        if page.meta.method is None:
            return page
        operation = written_operation(str(fields["api"]), str(fields.get("authMethod") or ""), api)
        return page.changed(page.meta, operation)

    def _with_named(
        self, page: Page, entry: MessageChannel | ComponentSchema | None, key: str, kind: str
    ) -> Page:
        document = self._documents[page.meta.file]
        if entry is None:
            message = f"no file has the {kind} {document.fields[key]!r}"
            hint = f'Write "[file ]{kind}".'
            self._diagnostics.warning(document.position(key), "unknown-operation", message, hint)
            return page
        return _with_entry(page, document, entry)

    def _document(self, file: str) -> SourceDocument | None:
        if file not in self._documents:
            text = self._sources.text(file)
            if text is None:
                return None
            document = self._split(text, file)
            self._follow_imports(document)
            self._documents[file] = self._held(document)
        return self._documents[file]

    def _split(self, text: str, file: str) -> SourceDocument:
        if not file.endswith(PAGE_SUFFIXES):
            return SourceDocument(file, {}, "", text)
        return self._parse_cache.cached(
            ("document", file, text), partial(split, text, file), self._diagnostics,
            characters=2 * len(text),
        )  # fmt: skip

    def _follow_imports(self, document: SourceDocument) -> None:
        script = not document.file.endswith(PAGE_SUFFIXES)
        lines = LineIndex(document.file, document.body, document.body_line)
        for found in cached_imports(document.body, self._parse_cache, script=script):
            target = target_of(found, document.file, self._sources.exists)
            if target is None:
                self._missing(found, document.file, lines)
            elif target.endswith(MODULE_SUFFIXES) and target not in self._imported:
                self._imported.add(target)
                self._waiting.append(target)

    def _missing(self, found: ModuleImport, holder: str, lines: LineIndex) -> None:
        position = lines.position(found.offset)
        if leaves_root(found, holder):
            message = f"the import {found.written!r} leads out of the repository"
            self._diagnostics.error(
                position, "import-outside", message, "Move the file into the root."
            )
            return
        if found.written.endswith(DATA_SUFFIXES):
            message = f"{found.written!r} cannot be imported: it contains data, not a module"
            hint = "Write it as `export const data = {…}` in a .jsx or .mdx file, and import that."
            self._diagnostics.error(position, "data-import", message, hint)
            return
        message = f"there is no file {found.written!r} to import"
        self._diagnostics.error(
            position, "missing-import", message, "Correct the path or add the file."
        )

    def _modules(self) -> dict[str, PageModule]:
        """Read snippets and all imported modules, transitively."""
        modules: dict[str, PageModule] = {}
        self._waiting += self._sources.snippet_files()
        while self._waiting:
            file = self._waiting.pop()
            if f"/{file}" not in modules and self._document(file):
                modules[f"/{file}"] = _module(self._whole(file))
        return dict(sorted(modules.items()))

    def _is_page(self, file: str) -> bool:
        if is_snippet(file):
            return False
        return file not in self._imported or slug_of(file) in self._listed

    def _add_page(self, pages: dict[str, Page], document: SourceDocument) -> None:
        meta = read_meta(document, self._diagnostics, home_title=self._home_title)
        rival = next((r for r in _rivals(meta.slug) if r in pages), None)
        if rival is not None:
            first, second = pages[rival].meta, meta
            keeps_first = rival != meta.slug and not rival.endswith("/index")
            winner, loser = (first, second) if keeps_first else (second, first)
            message = (
                f"{winner.file} has the same path {path_of(winner.slug)}; this one was left out"
            )
            position = self._documents[loser.file].position("title")
            self._diagnostics.warning(position, "same-address", message, "Rename one of the two.")
            if keeps_first:
                return
            del pages[rival]
        body = self._packed.get(document.file, document.body)
        pages[meta.slug] = Page(meta, body, document.body_line)

    def _held(self, document: SourceDocument) -> SourceDocument:
        """Compress bodies of very large repositories, to save memory."""
        self._characters += len(document.body)
        is_page = document.file.endswith(PAGE_SUFFIXES)
        if self._parse_cache.keeps or self._characters < _PLAIN_CHARACTERS or not is_page:
            return document
        self._packed[document.file] = packed(document.body)
        return replace(document, body="")

    def _whole(self, file: str) -> SourceDocument:
        document = self._documents[file]
        if file not in self._packed:
            return document
        return replace(document, body=unpacked(self._packed[file]))

    def _with_operation(self, page: Page, specifications: SpecificationCatalog) -> Page:
        document = self._documents[page.meta.file]
        written = document.fields.get("openapi")
        if not isinstance(written, str):
            return page
        ref = parse_reference(written)
        position = document.position("openapi")
        if ref is None:
            hint = 'Write "[file ]METHOD /path".'
            message = f"{written!r} is not an operation"
            self._diagnostics.warning(position, "unknown-operation", message, hint)
            return page
        operation = specifications.find(ref)
        if operation is None:
            self._unknown.append((position, ref))
            return page.changed(replace(page.meta, method=ref.method))
        return _with_entry(page, document, operation)


def _with_entry(
    page: Page,
    document: SourceDocument,
    entry: OpenApiOperation | MessageChannel | ComponentSchema,
) -> Page:
    """Return a page about an entry, which provides missing metadata."""
    outline, meta = outline_of(entry), page.meta
    lead, rest = split_description(outline.description)
    is_titled = bool(document.fields.get("title"))
    filled = replace(
        meta,
        title=meta.title if is_titled else outline.summary or meta.title,
        description=meta.description or lead,
        deprecated=meta.deprecated or outline.is_deprecated,
        method=outline.method or None,
    )
    return page.changed(filled, entry if meta.description else replace(entry, about=rest))


def _module(document: SourceDocument) -> PageModule:
    return PageModule(
        path=f"/{document.file}",
        source=document.body,
        source_line=document.body_line,
        digest=sha256(document.body.encode()).hexdigest(),
    )


def _rivals(slug: str) -> tuple[str, ...]:
    """Return other slugs with the same URL."""
    return (slug, slug.removesuffix("/index") if slug.endswith("/index") else f"{slug}/index")
