"""Loading of a folder as a `Repository`: settings, navigation, pages, modules, diagnostics.

Only invalid settings raise an error; other problems are diagnostics, and the rest is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from docstead.base.errors import SourceUnreadable
from docstead.base.texts import counted
from docstead.content.config import SiteConfig
from docstead.content.navigation import Navigation
from docstead.content.pages import Page, Repository, Site
from docstead.content.setting_keys import declared, key_of
from docstead.content.slugs import PAGE_SUFFIXES
from docstead.loading.navigation_reader import NavigationReader
from docstead.loading.page_reader import PageReader
from docstead.reference.graphql.spec import cached_schema
from docstead.reference.openapi.spec import ReadRemote, SpecificationCatalog
from docstead.reference.pages import ApiPages
from docstead.reference.sdk.navigating import LibraryReader
from docstead.repository.assistant_notes_reader import read_assistant_notes, read_site_skills
from docstead.repository.config_reader import read_config
from docstead.repository.grammars_reader import read_grammars
from docstead.repository.image_sizes import image_sizes
from docstead.repository.json_fields import ObjectReader
from docstead.repository.links import check_pages
from docstead.repository.mounting import mounted
from docstead.repository.parse_cache import ParseCache, no_parse_cache
from docstead.repository.positions import Diagnostics, FilePosition
from docstead.repository.remote_assets import ReadAsset, RemoteAssets
from docstead.repository.sdk_settings import ReadArtifact
from docstead.repository.settings_file import listed_slugs, read_settings
from docstead.repository.site_scripts import published
from docstead.repository.sources import SCHEMA_SUFFIXES, SourceFiles
from docstead.repository.tree import list_files, read_ignore, report_equal_names
from docstead.repository.tree_limits import TreeLimits
from docstead.repository.variables import check_variables
from docstead.repository.visibility import pages_in_navigation

# Pages show navigation entries, so their number is limited by the number of pages.
NODE_LIMIT, NODES_PER_PAGE = 10_000, 10


@dataclass(frozen=True, slots=True)
class PartialRepository:
    """A repository whose pages can be rendered while the rest is still being computed."""

    repository: Repository  # without image sizes and diagnostics
    settings: ObjectReader
    diagnostics: Diagnostics
    parse_cache: ParseCache

    def finished(self) -> Repository:
        """Return the complete repository."""
        found = self.repository
        check_pages(found, self.settings, self.diagnostics, self.parse_cache)
        check_variables(found, self.diagnostics)
        sizes = image_sizes(found.root, found.assets, self.parse_cache)
        site = replace(found.site, image_sizes=sizes)
        return replace(found, site=site, diagnostics=self.diagnostics.sorted())


def load_repository(root: Path, *, parse_cache: ParseCache | None = None) -> Repository:
    """Load a repository completely. Raises the errors of `read_repository`."""
    return read_repository(root, parse_cache=parse_cache).finished()


def read_repository(
    root: Path,
    *,
    read_remote: ReadRemote | None = None,
    read_artifact: ReadArtifact | None = None,
    read_asset: ReadAsset | None = None,
    parse_cache: ParseCache | None = None,
    limits: TreeLimits | None = None,
) -> PartialRepository:
    """Read the inputs of a site.

    `read_remote` reads API specifications by URL, `read_artifact` library artifacts, `read_asset`
    logos, favicons and fonts; without them none is read. A `parse_cache` speeds up repeated
    readings without changing the result.

    Raises:
        SourceUnreadable: the settings are invalid (with file, line and column), or `limits` are
            exceeded.
    """
    root = root.resolve()
    diagnostics, parse_cache = Diagnostics(), parse_cache or no_parse_cache()
    found = read_settings(root, diagnostics)
    settings = found.keys
    remote = RemoteAssets(settings, read_asset)
    config = remote.fetched(read_config(settings))
    found.check(diagnostics)
    sources = _source_files(root, found.files, diagnostics, limits)
    reader = PageReader(
        sources, diagnostics, parse_cache, home_title=config.name, listed=listed_slugs(settings)
    )
    pages, modules = reader.read()
    specifications = SpecificationCatalog(
        sources.data_files(), sources.text, diagnostics, read_remote
    )
    pages = reader.with_operations(pages, specifications, config.api)
    schemas = _schemas(sources, diagnostics, read_remote, parse_cache)
    libraries = LibraryReader(
        root, {slug: page.meta for slug, page in pages.items()}, diagnostics,
        written=reader.symbols(pages), parse_cache=parse_cache, read_artifact=read_artifact,
    )  # fmt: skip
    navigation, pages = _navigate(
        settings, config, pages, specifications, schemas, libraries=libraries,
        diagnostics=diagnostics, is_on_disk=partial(_is_on_disk, root),
    )  # fmt: skip
    reader.report_unknown_operations(specifications)
    notes, skills = read_assistant_notes(root, diagnostics), read_site_skills(root, diagnostics)
    metas = {slug: page.meta for slug, page in pages.items()}
    assets = (*published(sources.assets(), sources.beginning, diagnostics), *remote.paths)
    config = mounted(config, metas, assets)
    site = Site(config, navigation, metas, notes, skills=skills)
    grammars = read_grammars(settings, sources, diagnostics)
    repository = Repository(root, site, pages, modules, assets, (), grammars)
    return PartialRepository(repository, settings, diagnostics, parse_cache)


def _source_files(
    root: Path,
    settings_files: Collection[str],
    diagnostics: Diagnostics,
    limits: TreeLimits | None,
) -> SourceFiles:
    """Return the files of the repository. Settings files are neither served nor read as an API."""
    listed = list_files(root, read_ignore(root, diagnostics), diagnostics, limits)
    report_equal_names(listed, diagnostics)
    return SourceFiles(root, [each for each in listed if each not in settings_files], diagnostics)


def _schemas(
    sources: SourceFiles,
    diagnostics: Diagnostics,
    read_remote: ReadRemote | None,
    parse_cache: ParseCache,
) -> SpecificationCatalog:
    """Return the GraphQL schemas."""
    return SpecificationCatalog(
        sources.schema_files(), sources.text, diagnostics, read_remote,
        suffixes=SCHEMA_SUFFIXES, parse=partial(cached_schema, parse_cache),
    )  # fmt: skip


def _is_on_disk(root: Path, written: str) -> bool:
    path = written.strip("/")
    return any((root / f"{path}{suffix}").is_file() for suffix in ("", *PAGE_SUFFIXES))


def _navigate(
    settings: ObjectReader,
    config: SiteConfig,
    pages: Mapping[str, Page],
    specifications: SpecificationCatalog,
    schemas: SpecificationCatalog,
    *,
    libraries: LibraryReader,
    diagnostics: Diagnostics,
    is_on_disk: Callable[[str], bool],
) -> tuple[Navigation, dict[str, Page]]:
    """Return the navigation, and all pages including those that it generates."""
    api = ApiPages(pages, diagnostics)
    reader = NavigationReader(
        {slug: page.meta for slug, page in pages.items()},
        specifications,
        schemas,
        api,
        diagnostics,
        libraries=libraries,
        documented=frozenset(slug for slug, page in pages.items() if page.reference),
        is_on_disk=is_on_disk,
    )
    navigation_key = key_of(declared(SiteConfig).languages)  # which are part of it
    reader.check_files(settings.child(key_of(declared(SiteConfig).api)), config.api.openapi)
    navigation = reader.read(settings.child(navigation_key), config.api.openapi)
    pages = libraries.with_symbols({**pages, **api.pages})
    found = pages_in_navigation(pages, navigation)
    most = NODE_LIMIT + NODES_PER_PAGE * len(found)
    if (nodes := navigation.size()) > most:
        position = settings.values.position(navigation_key)
        pages_found = counted(len(found), "page")
        message = f"the navigation has {nodes:,} entries, over {most:,} for {pages_found}"
        raise SourceUnreadable(f"{position}: {message}")
    _check_listed(found, navigation, settings.values.position(navigation_key), diagnostics)
    return navigation, found


def _check_listed(
    pages: Mapping[str, Page],
    navigation: Navigation,
    position: FilePosition,
    diagnostics: Diagnostics,
) -> None:
    """Report a site without pages, or whose navigation has none for no reported reason."""
    if not pages:
        message, hint = "it does not name an existing page", "Add pages, and list them there."
        diagnostics.error(position, "no-pages", message, hint)
        return
    is_reported = any(each.file == position.file for each in diagnostics.sorted())
    if pages.keys().isdisjoint(navigation.pages()) and not is_reported:
        home = "index" if "index" in pages else next(iter(pages))
        message = f"it names no existing page, so the site begins with {home!r}"
        hint = "Its paths must match the files, without their extension."
        diagnostics.warning(position, "empty-navigation", message, hint)
