"""Page documents of a site: one HTML document per page, and shared files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from urllib.parse import quote

from docstead.base.features import ALL_FEATURES, Features
from docstead.content.contexts import NavigationContext, NavigationContexts, PagePosition
from docstead.content.generated_files import LLMS, feed_of
from docstead.content.navigation import NodeKind
from docstead.content.pages import PageMeta, Site
from docstead.content.slugs import path_of
from docstead.content.written_settings import members
from docstead.markup.assets import BuiltAssets, SharedFiles
from docstead.markup.icons import IconSet
from docstead.markup.rendered import RenderedPage, has_updates
from docstead.markup.words import ShellTexts, direction, language_tag, shell_texts
from docstead.theme.actions import ActionMenus
from docstead.theme.enabled_services import EnabledServices
from docstead.theme.external_services import NOTHING, ExternalServices
from docstead.theme.feedback import FeedbackViews
from docstead.theme.fonts import SiteFonts, site_fonts
from docstead.theme.frame import ShellFrame, build_frame, in_language
from docstead.theme.ids import shell_ids
from docstead.theme.links import SiteLinks, marked
from docstead.theme.markup import templates
from docstead.theme.menus import ChoiceMenus, MenuBuilder
from docstead.theme.mode import ShellMode
from docstead.theme.not_found import NOT_FOUND, not_found_view, translated_texts
from docstead.theme.oauth import oauth_files
from docstead.theme.page import PageView, PageViewBuilder, PlaygroundView
from docstead.theme.policy import bundle_policy
from docstead.theme.previews import LinkPreviews
from docstead.theme.redirect_pages import redirect_pages
from docstead.theme.repeated_parts import RepeatedParts
from docstead.theme.script_words import words_file, words_files
from docstead.theme.searching import SearchView, search_view
from docstead.theme.seo import HeadWriter
from docstead.theme.sidebar.page_sidebars import PageSidebars
from docstead.theme.sidebar.sidebar import SidebarRenderer
from docstead.theme.styles import feature_files, site_files, with_page_script
from docstead.theme.summaries import described

_PROXY = "/_docs/api/request"
_SHARED_STYLES = ("extras.css", "site.css", "math.css", "diagrams.css")


class PageShell:
    """Renders the pages of a site with their chrome.

    `assets` are the paths of the repository's static files: its style sheets and scripts are
    included on every page, and override generated files of the same name. `features` are all by
    default. `utilities` is the style sheet of the utility classes in use, `page_features` are the
    browser features that pages need. `external_services` are used by pages as far as the features
    allow them: the assistant, and the collector of reader events and feedback.
    """

    def __init__(
        self,
        site: Site,
        mode: ShellMode,
        assets: Sequence[str] = (),
        *,
        features: Features = ALL_FEATURES,
        utilities: str = "",
        page_features: Collection[str] = (),
        external_services: ExternalServices = NOTHING,
        icons: IconSet | None = None,
        built: BuiltAssets | None = None,
        logo: bytes = b"",
    ) -> None:
        self.site = site
        self._mode = mode
        self.features = features
        self._utilities = utilities
        self._page_features = page_features
        self.services = EnabledServices.of(
            external_services, features, site.config, is_shared=mode.is_shared
        )
        self.own_files = frozenset(assets)
        self._assets = assets
        self._icons = icons or IconSet()
        self._built = built or BuiltAssets()
        self.links = SiteLinks(site, mode)
        self.contexts = NavigationContexts(site)
        sidebars = SidebarRenderer(site, self.contexts, self._icons)
        self._page_sidebars = PageSidebars(site, self.contexts, sidebars, self.links)
        self._menu_builder = MenuBuilder(site, self.contexts, sidebars)
        self._views = PageViewBuilder(site, self.contexts, sidebars, self._playground())
        self._actions = ActionMenus(
            site.config, self.links, self._icons, has_assistant=self.services.assistant is not None
        )
        self._feedback = FeedbackViews(
            site.config.feedback,
            self.links,
            external_services.repository,
            has_collector=self.services.readers is not None,
        )
        self._previews = LinkPreviews(site, mode, self.contexts, self._built, logo)
        self._seo = HeadWriter(site, self.links, self.contexts, self._previews)
        self._frames: dict[str | None, ShellFrame] = {}
        self._rendered: dict[NavigationContext, ChoiceMenus] = {}
        self._repeated_parts = RepeatedParts()

    # URLs

    def file_of(self, slug: str) -> str:
        """Return the file of a page in a bundle."""
        return self.links.file_of(slug)

    def markdown_of(self, slug: str) -> str:
        """Return the file of a page's Markdown version."""
        return self.links.markdown_of(slug)

    def href(self, from_slug: str, to_path: str) -> str:
        """Return the link from a page to a path of the site."""
        return self.links.href(from_slug, to_path)

    @property
    def home(self) -> str | None:
        """Slug of the page at the root, or of the page that it redirects to if not "index"."""
        return self.contexts.home

    @property
    def is_hidden(self) -> bool:
        """Whether search engines and agents should ignore the whole site."""
        return self._seo.site_hidden

    # Pages

    def page(self, rendered: RenderedPage) -> str:
        """Return the HTML document of a page."""
        meta = self.site.pages[rendered.slug]
        position = self.contexts.position(meta.slug)
        prefix = self.links.prefix(meta.slug)
        view = self._views.view(rendered, position)
        if not rendered.failed:
            markdown_url = prefix + quote(self.markdown_of(meta.slug))
            words = shell_texts(self.contexts.language(meta.slug))
            actions = self._actions.of(meta, words, markdown_url)
            has_feed = has_updates(rendered) and bool(self.links.public(meta.slug))
            feed = prefix + quote(feed_of(meta.slug)) if has_feed else None
            view = replace(
                view,
                markdown=markdown_url,
                actions=actions,
                feed=feed,
                feedback=self._feedback.of(meta),
            )
        return self._document(view, described(meta, rendered), position, prefix)

    def not_found(self, language: str | None = None) -> str:
        """Return the 404 page, in a language or the default one; its links work at any depth."""
        own = self.contexts.first_of(language) if language else None
        position = PagePosition(own) if own else self.contexts.position(NOT_FOUND)
        words = shell_texts(_language(position))
        search = self._search(position.context, words)
        view = not_found_view(self.site.config.not_found, words, search, self._home(language))
        meta = PageMeta(NOT_FOUND, "", view.title, noindex=True)
        is_lost = self._mode.files and not self._mode.is_placed
        root_finder = self._built.read("root.js").decode().strip() if is_lost else ""
        return self._document(view, meta, position, self.links.root, root_finder)

    def not_found_texts(self) -> dict[str, dict[str, str]]:
        """Return texts of the 404 page in the languages of folders (`translated_texts`)."""
        config = self.site.config
        folders = self.contexts.language_folders
        homes = {
            language: self.links.resolve_below(marked(self._home(language)), self.links.root)
            for language in folders.values()
        }
        return translated_texts(config.not_found, config.search_prompt, folders, homes)

    def _home(self, language: str | None) -> str:
        """Return the path of the first page in a language, or of the site's home page."""
        slug = self.contexts.home_in(language) if language else None
        return path_of(slug) if slug else "/"

    def redirect_pages(self) -> Mapping[str, str]:
        """Redirect pages of a bundle: of the root if it has no page, and of redirects."""
        return redirect_pages(self.site, self.links, self.home, self.own_files)

    def view(self, rendered: RenderedPage) -> PageView:
        """Return title, lead and content of a page, without chrome."""
        return self._views.view(rendered, self.contexts.position(rendered.slug))

    # Files

    @property
    def style_sheets(self) -> tuple[str, ...]:
        """Paths of the style sheets that pages load: the theme's, then the repository's."""
        shared = map(self._shared.names.get, _SHARED_STYLES)
        own = (path for path in sorted(self._assets) if path.endswith(".css"))
        return (*filter(None, shared), *own)

    def path_of(self, name: str) -> str | None:
        """Return the path of a shared file such as "diagrams.js", or None if the site has none."""
        return self._shared.names.get(name)

    def assets(self) -> Mapping[str, bytes]:
        """Style sheet, scripts and fonts, by content-addressed path."""
        return {
            **self._shared.by_path,
            **oauth_files(self._shared.names.get("oauth.js")),
            **self._fonts.files,
            **dict(self._page_sidebars.scripts()),
            **self._previews.files(),
        }

    def preview(self, path: str, read: Callable[[str], bytes | None]) -> bytes | None:
        """Return the link preview image of a page on a hosted site.

        `read` returns the bytes of files of the repository.
        """
        return self._previews.render(path, read)

    def search_location(self, slug: str) -> tuple[str, str]:
        """Return the URL of a page in search results, and its position in the navigation."""
        position = self.contexts.position(slug)
        levels = (level for level in position.context.levels if level.kind is not NodeKind.LANGUAGE)
        chosen = [level.chosen for level in levels if level.chosen]
        names = dict.fromkeys(node.label for node in (*chosen, *position.groups[-1:]))
        part = " › ".join(name for name in names if name)
        return self.links.target_of(slug), part

    # Rendering of a document

    def _document(
        self,
        view: PageView,
        meta: PageMeta,
        position: PagePosition,
        prefix: str,
        root_finder: str = "",
    ) -> str:
        language = _language(position) or meta.language
        languages = self._menu_builder.choice(NodeKind.LANGUAGE, position.context, view.slug)
        html = (
            templates()
            .get_template("page.html")
            .render(
                lang=language_tag(language),
                dir=direction(language),
                words=shell_texts(language),
                head=self._seo.head(meta, position),
                files=self._shared.names,
                words_file=words_file(language),
                styles=self._styles,
                scripts=self._scripts,
                has_llms=LLMS in self.own_files or not self.is_hidden,
                frame=self._frame(_language(position)),
                policy=self._policy_with(root_finder) if root_finder else self._policy,
                root_finder=root_finder,
                first_fonts=() if self._mode.files else self._fonts.first,
                menus=self._menus(position.context),
                languages=languages,
                detects_language=self._detects_language and view.slug == self.home,
                versions=self._menu_builder.choice(NodeKind.VERSION, position.context, view.slug),
                sidebar=self._page_sidebars.html(view.slug, position, prefix),
                search=self._search(position.context, shell_texts(language)),
                whole_sidebar=self._page_sidebars.script_of(position.context),
                page=view,
                assistant=self._asking(position),
                readers=self.services.marked_readers,
                integrations=self.services.third_party.as_json(),
                ids=shell_ids(view.html),
                once=self._repeated_parts,
            )
        )
        return self.links.resolve_below(html, prefix)

    @cached_property
    def _detects_language(self) -> bool:
        return members(self.site.config.extra.interaction).get("detectLanguage") is True

    @property
    def _has_choices(self) -> bool:
        """Whether pages have a menu of languages or versions."""
        levels = chain.from_iterable(context.levels for context in self.contexts.all)
        return any(level.kind in (NodeKind.LANGUAGE, NodeKind.VERSION) for level in levels)

    def _menus(self, context: NavigationContext) -> ChoiceMenus:
        if context not in self._rendered:
            self._rendered[context] = self._menu_builder.build(context)
        return self._rendered[context]

    def _search(self, context: NavigationContext, words: ShellTexts) -> SearchView | None:
        if "search.js" not in self._shared.names:
            return None
        script = marked(f"/{self._shared.names['search.js']}")
        prompt = self.site.config.search_prompt or words.search
        return search_view(context, script, prompt, self.contexts.default_version)

    @cached_property
    def _shared(self) -> SharedFiles:
        files = site_files(
            self.site.config,
            self._built,
            self._fonts,
            self._utilities,
            has_styles=any(each.endswith((".css", ".js")) for each in self._assets),
        )
        has_playground = self.features.playground and "playground" in self._page_features
        optional = {
            "search.js": self.features.search,
            "assistant.js": self.services.assistant is not None,
            "assistant-panel.js": self.services.assistant is not None,
            "readers.js": self.services.readers is not None,
            "sections.js": self._has_choices,
            "integrations.js": bool(self.services.third_party.vendors),
            "playground.js": has_playground,
            "playground-dialog.js": has_playground,
            "playground.css": has_playground,
            "oauth.js": has_playground and "oauth" in self._page_features,
        }
        files |= {name: self._built.read(name) for name, is_needed in optional.items() if is_needed}
        files |= feature_files(self._page_features, self._built)
        spoken = {self.contexts.language(slug) for slug in (*self.site.pages, NOT_FOUND)}
        return SharedFiles(with_page_script(files) | words_files(spoken, files))

    def _asking(self, position: PagePosition) -> str | None:
        if (assistant := self.services.assistant) is None:
            return None
        version = position.context.chosen(NodeKind.VERSION)
        return assistant.as_json(version.label if version else "", _language(position) or "")

    def _playground(self) -> PlaygroundView | None:
        """Return the playground settings: the service is a proxy for sites at their own hosts.

        Pages of shared hosts have an opaque origin, for which the service sends no requests.
        """
        if not self.features.playground:
            return None
        api = self.site.config.api
        proxied = api.playground_proxy and not self._mode.files and not self._mode.is_shared
        return PlaygroundView(marked(_PROXY) if proxied else "", api.playground_credentials)

    def _frame(self, language: str | None) -> ShellFrame:
        """Return the frame with the settings of a language."""
        if language not in self._frames:
            favicon = f"/{self._shared.names['favicon.svg']}"
            config = in_language(self.site.config, language)
            self._frames[language] = build_frame(
                config, self._icons, self.own_files, favicon, self.site.image_sizes
            )
        return self._frames[language]

    @cached_property
    def _fonts(self) -> SiteFonts:
        return site_fonts(self.site.config.fonts, self._built, self.own_files)

    @cached_property
    def _policy(self) -> str:
        return self._policy_with("")

    def _policy_with(self, own_script: str) -> str:
        if not self._mode.files:
            return ""
        services = self.services
        return bundle_policy(
            self.features, services.connects, services.third_party.scripts, own_script
        )

    @cached_property
    def _styles(self) -> tuple[str, ...]:
        return tuple(marked(path) for path in sorted(self._assets) if path.endswith(".css"))

    @cached_property
    def _scripts(self) -> tuple[str, ...]:
        if self._mode.is_shared:
            return ()
        return tuple(marked(path) for path in sorted(self._assets) if path.endswith(".js"))


def _language(position: PagePosition) -> str | None:
    node = position.context.chosen(NodeKind.LANGUAGE)
    return node.label if node else None
