"""Values of `docs.json`. Each setting is declared once, by the field that holds its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from docstead.content.setting_keys import COMPUTED, about, setting, setting_from
from docstead.content.style_settings import (
    BackgroundSettings,
    SiteFontSettings,
    StylingSettings,
)
from docstead.content.written_settings import (
    AT_PUBLISHING,
    SpecificationKeys,
    WrittenSettings,
)

#: Shipped font families by name.
_FAMILIES = (
    "Inter, Geist, JetBrains Mono, DM Sans, Figtree, IBM Plex Sans, Instrument Sans, Lato, Lora"
    ", Manrope, Montserrat, Nunito, Onest, Open Sans, Outfit, Plus Jakarta Sans, Poppins, Roboto"
    ", Rubik, Source Sans 3, Space Grotesk, Work Sans"
)
SHIPPED_FONTS = {family.lower(): family for family in _FAMILIES.split(", ")}
#: Default languages of request samples.
EXAMPLE_LANGUAGES = ("bash", "python", "javascript", "php", "go", "java", "ruby")
THEMES = ("mint", "maple", "palm", "willow", "linden", "almond", "aspen", "sequoia", "luma")

# Types with a specific format, which the reader checks.
Color = Annotated[str, "color"]
Href = Annotated[str, "href"]
Icon = Annotated[str, "icon"]
MetaTags = Annotated[Mapping[str, str], "metatags"]
SpecificationFiles = Annotated[tuple[str, ...], "specifications"]
Telemetry = Annotated[bool, "telemetry"]
Variables = Annotated[Mapping[str, str], "variables"]


@dataclass(frozen=True, slots=True)
class ThemedValue:
    """A value for light mode and one for dark mode."""

    light: str
    dark: str


ThemedColor = Annotated[ThemedValue, "color"]


@dataclass(frozen=True, slots=True)
class Colors:
    primary: Color = setting("#16A34A", "accent color, as `#RRGGBB` or `#RGB`")
    light: Color | None = setting(None, "accent in dark mode", shown_default="derived")
    dark: Color | None = setting(None, "buttons", shown_default="derived")


@dataclass(frozen=True, slots=True)
class Logo:
    image: ThemedValue = field(metadata=about("", "."))
    href: Href | None = None


@dataclass(frozen=True, slots=True)
class Appearance:
    default: str = setting("system", choices=("system", "light", "dark"))
    strict: bool = setting(False, "hides the switch between light and dark")


@dataclass(frozen=True, slots=True)
class LinkItem:
    label: str
    href: Href
    icon: Icon | None = None
    icon_type: str | None = None
    kind: str | None = setting(None, "", "type", choices=("button", "github", "discord"))


@dataclass(frozen=True, slots=True)
class LinkColumn:
    header: str | None
    items: tuple[LinkItem, ...]


_LINKS = (
    '`label`, `href`, `icon`, `iconType`; `"type": "github"` or `"discord"` sets label and icon'
)
_BUTTON = "button: `type` (`button`, `github` or `discord`), `label`, `href`"
_SOCIALS = "URLs by platform: `github`, `x`, `linkedin`, `discord`, …"
_COLUMNS = "columns with `header` and `items` of `label` and `href`"


@dataclass(frozen=True, slots=True)
class Navbar:
    links: tuple[LinkItem, ...] = setting((), _LINKS)
    primary: LinkItem | None = setting(None, _BUTTON)


SocialLinks = Annotated[tuple[LinkItem, ...], "socials"]


@dataclass(frozen=True, slots=True)
class Footer:
    socials: SocialLinks = setting((), _SOCIALS)  # label is the platform's name
    columns: tuple[LinkColumn, ...] = setting((), _COLUMNS, "links")


@dataclass(frozen=True, slots=True)
class Banner:
    content: str = field(metadata=about("inline Markdown above every page"))
    dismissible: bool = setting(False, "readers can close it until the content changes")
    kind: str = setting("info", "", "type", choices=("info", "warning", "critical"))
    color: ThemedColor | None = setting(None, "color instead of that of the type")


@dataclass(frozen=True, slots=True)
class Redirect:
    source: str
    destination: Href
    permanent: bool = True


@dataclass(frozen=True, slots=True)
class NotFoundPage:
    redirect: bool = setting(
        True, "unknown paths lead to the home page; `false` shows a page with suggestions"
    )
    title: str | None = setting(None, "title of that page", shown_default="translated")
    description: str | None = setting(
        None, "text of that page; inline Markdown", shown_default="translated"
    )


_METATAGS = (
    "meta tags of every page. `canonical` is the public URL of the site; `robots: noindex` hides "
    "the site from search engines"
)


CANONICAL = "canonical"  # name of the meta tag


@dataclass(frozen=True, slots=True)
class Seo:
    indexing: str = setting(
        "navigable",
        "`all` also lets hidden pages into search, sitemap and `llms.txt`",
        choices=("navigable", "all"),
    )
    metatags: MetaTags = setting_from(dict, _METATAGS)
    trailing_slash: bool = setting(False, "whether public URLs of pages end in `/`")


@dataclass(frozen=True, slots=True)
class FeedbackControls:
    """Feedback controls below a page."""

    thumbs: bool = setting(
        False, "[asks](/guides/insights#ask-readers) whether a page was helpful", "thumbsRating"
    )
    suggest_edit: bool = setting(False, "links to the source of a page")
    raise_issue: bool = setting(False, "links to a new issue")
    repository: str | None = setting(
        None, "URL of the repository", shown_default="where the site is published from"
    )


@dataclass(frozen=True, slots=True)
class RelatedSettings:
    """Related pages, shown below pages that do not list any themselves."""

    automatic: bool = setting(False, "shows [related pages](/guides/reading#related-pages)")
    limit: int = setting(5, "their number, 1 to 10", most=10)


_SOURCE = "files of the site; an object has `source` and `directory`"
_FILES: Mapping[str, Any] = {"shape": SpecificationKeys, "type": "string, list or object"}
_LANGUAGES = (
    "languages in their order: `bash`, `python`, `javascript`, `node`, `typescript`, `php`, `go`, "
    "`java`, `ruby`, `powershell`, `swift`, `csharp`, `dotnet`, `c`, `c++`, `kotlin`, `rust`, "
    "`dart`"
)
_PLAYGROUND = (
    "`simple` and `none` leave out the form, `auth` shows it to readers who are signed in; "
    "`playground` in the frontmatter sets it for one page"
)


@dataclass(frozen=True, slots=True)
class ApiSettings:
    openapi: SpecificationFiles = setting((), f"OpenAPI {_SOURCE}", **_FILES)
    server: tuple[str, ...] = setting((), "server of pages without a file", "mdx.server")
    auth_method: str | None = setting(
        None,
        "authentication of pages without a file",
        "mdx.auth.method",
        choices=("bearer", "basic", "key", "none"),
    )
    auth_name: str | None = setting(None, "name of its key", "mdx.auth.name")
    playground: str = setting(
        "interactive",
        _PLAYGROUND,
        "playground.display",
        choices=("interactive", "simple", "none", "auth"),
    )
    playground_proxy: bool = setting(
        True, "`false`: browsers send the requests of a hosted site too", "playground.proxy"
    )
    playground_credentials: bool = setting(
        False, "whether those requests include cookies", "playground.credentials"
    )
    examples: tuple[str, ...] = setting(EXAMPLE_LANGUAGES, _LANGUAGES, "examples.languages")
    only_required: bool = setting(
        False, "`required` leaves optional fields out of samples", "examples.defaults",
        choices=("all", "required"), true_for="required",
    )  # fmt: skip
    prefill: bool = setting(
        False,
        "whether fields of the playground contain the values of examples",
        "examples.prefill",
    )
    autogenerate: bool = setting(
        True, "`false` shows only samples from the file", "examples.autogenerate"
    )
    expanded: bool | None = setting(
        None, "which nested properties are open: `all` or, with `closed`, none", "params.expanded",
        choices=("closed", "all"), true_for="all", shown_default="the first level",
    )  # fmt: skip
    pills: tuple[str, ...] = setting(
        (), "keys of schemas that are shown after the name of a field", "params.post"
    )
    asyncapi: SpecificationFiles = setting((), f"AsyncAPI {_SOURCE}", **_FILES)
    full_url: bool = setting(
        False,
        "`full` shows the first server before the path",
        "url",
        choices=("full",),
        true_for="full",
        shown_default="none",
    )


@dataclass(frozen=True, slots=True)
class Integrations:
    """Third-party scripts: vendors with their validated fields.

    With a consent setting, they wait until the reader's browser stores this key with this value.
    """

    vendors: Mapping[str, Mapping[str, str]] = field(default_factory=dict, metadata=COMPUTED)
    consent: tuple[str, str] | None = field(default=None, metadata=COMPUTED)


@dataclass(frozen=True, slots=True)
class LanguageSettings:
    """Settings of one language; None means those of the site."""

    navbar: Navbar | None = None
    footer: Footer | None = None
    banner: Banner | None = None


_LOGO = f"image, or `light`, `dark` and `href`; {AT_PUBLISHING}"
_FAVICON = f"image, or `light` and `dark`; {AT_PUBLISHING}"
_VARIABLES = "values that pages insert as `{{name}}`; names have letters, digits and hyphens"


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """Settings of a site, with `$ref`s resolved and `mint.json` converted."""

    name: str = field(metadata=about("name of the site", shown_default="required"))
    theme: str = setting("mint", choices=THEMES)
    description: str | None = setting(
        None, "description of the site for search engines and previews"
    )
    colors: Colors = Colors()
    logo: Logo | None = setting(None, _LOGO, type="string or object")
    favicon: ThemedValue | None = setting(None, _FAVICON, shown_default="Docstead's")
    appearance: Appearance = Appearance()
    icon_library: str = setting(
        "fontawesome",
        "`fontawesome` or `lucide`",
        "icons.library",
        choices=("fontawesome", "lucide", "tabler"),
    )
    fonts: SiteFontSettings = setting(SiteFontSettings())
    background: BackgroundSettings = setting(BackgroundSettings())
    styling: StylingSettings = setting(StylingSettings())
    navbar: Navbar = Navbar()
    footer: Footer = Footer()
    banner: Banner | None = None
    redirects: tuple[Redirect, ...] = ()
    #: Base path of the site, such as "/docs", if its redirects include it.
    mount: str = field(default="", metadata=COMPUTED)
    variables: Variables = setting_from(dict, _VARIABLES)
    seo: Seo = Seo()
    not_found: NotFoundPage = setting(NotFoundPage(), "", "errors.404")
    api: ApiSettings = ApiSettings()
    search_prompt: str | None = setting(
        None, "text in the search field", "search.prompt", shown_default="translated"
    )
    timestamps: bool = setting(False, "shows when each page was last changed", "metadata.timestamp")
    feedback: FeedbackControls = FeedbackControls()
    related: RelatedSettings = RelatedSettings()
    #: Whether pages report views and ask for feedback.
    telemetry: Telemetry = setting(True, "", "integrations")
    integrations: Integrations = setting(
        Integrations(), "[statistics and chats](/guides/reading#statistics-and-chats)"
    )
    languages: Mapping[str, LanguageSettings] = setting_from(dict, "", "navigation")  # by code
    extra: WrittenSettings = setting(WrittenSettings(), "", ".")
