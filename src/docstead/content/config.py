"""`docs.json` as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: The families that pages can be set in without a file of the repository, by their names.
_FAMILIES = (
    "Inter, Geist, JetBrains Mono, DM Sans, Figtree, IBM Plex Sans, Instrument Sans, Lato, Lora"
    ", Manrope, Montserrat, Nunito, Onest, Open Sans, Outfit, Plus Jakarta Sans, Poppins, Roboto"
    ", Rubik, Source Sans 3, Space Grotesk, Work Sans"
)
SHIPPED_FONTS = {family.lower(): family for family in _FAMILIES.split(", ")}
#: Of the samples of requests, where `api.examples.languages` names none.
EXAMPLE_LANGUAGES = ("bash", "python", "javascript")


@dataclass(frozen=True, slots=True)
class Themed:
    """Two spellings of one thing, for light and for dark."""

    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Colors:
    """`light` is the accent in dark mode, `dark` that of buttons (docs.json, "colors")."""

    primary: str = "#16A34A"
    light: str | None = None
    dark: str | None = None


@dataclass(frozen=True, slots=True)
class Logo:
    image: Themed
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Appearance:
    default: str = "system"  # system, light or dark
    strict: bool = False  # True hides the switch


@dataclass(frozen=True, slots=True)
class LinkItem:
    label: str
    href: str
    icon: str | None = None
    icon_type: str | None = None
    kind: str | None = None  # navbar: "button", "github" or "discord"


@dataclass(frozen=True, slots=True)
class LinkColumn:
    header: str | None
    items: tuple[LinkItem, ...]


@dataclass(frozen=True, slots=True)
class Navbar:
    links: tuple[LinkItem, ...] = ()
    primary: LinkItem | None = None


@dataclass(frozen=True, slots=True)
class Footer:
    socials: tuple[LinkItem, ...] = ()  # label is the platform's name
    columns: tuple[LinkColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class Banner:
    content: str  # inline Markdown
    dismissible: bool = False
    kind: str = "info"  # info, warning or critical
    color: Themed | None = None


@dataclass(frozen=True, slots=True)
class Redirect:
    source: str
    destination: str
    permanent: bool = True


@dataclass(frozen=True, slots=True)
class NotFoundPage:
    redirect: bool = True  # an unknown address goes to the home page
    title: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Seo:
    indexing: str = "navigable"  # navigable or all
    metatags: Mapping[str, str] = field(default_factory=dict)
    trailing_slash: bool = False  # whether public addresses of pages end in one


@dataclass(frozen=True, slots=True)
class FeedbackControls:
    """Feedback controls below a page."""

    thumbs: bool = False
    suggest_edit: bool = False
    raise_issue: bool = False
    repository: str | None = None  # where that is; None is what the site is published from


@dataclass(frozen=True, slots=True)
class Related:
    """Pages about the same thing, named below a page that names none itself."""

    automatic: bool = False
    limit: int = 5  # 1 to 10


@dataclass(frozen=True, slots=True)
class ApiSettings:
    openapi: tuple[str, ...] = ()
    server: tuple[str, ...] = ()  # api.mdx.server
    auth_method: str | None = None
    auth_name: str | None = None
    playground: str = "interactive"  # or simple, none, auth (interactive for readers signed in)
    playground_proxy: bool = True  # requests go through the service, where there is one
    playground_credentials: bool = False  # whether direct requests carry cookies
    examples: tuple[str, ...] = EXAMPLE_LANGUAGES  # in their order
    only_required: bool = False  # api.examples.defaults: "required"
    prefill: bool = False  # fields of the playground begin with the values of the examples
    autogenerate: bool = True  # False leaves only samples that authors wrote
    expanded: bool = False  # api.params.expanded: "all" opens nested properties
    pills: tuple[str, ...] = ()  # api.params.post: keys of schemas shown behind a name
    asyncapi: tuple[str, ...] = ()
    full_url: bool = False  # api.url: "full" shows the first server before the path


@dataclass(frozen=True, slots=True)
class Integrations:
    """Scripts of other hosts: vendors with their fields, which hold what they may hold.

    With a consent they wait until the reader's browser keeps this key with this value.
    """

    vendors: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    consent: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class LanguageSettings:
    """Settings of one language; None means those of the site."""

    navbar: Navbar | None = None
    footer: Footer | None = None
    banner: Banner | None = None


@dataclass(frozen=True, slots=True)
class WrittenSettings:
    """Settings as they are written, None without one; any JSON value, checked where it is read."""

    contextual: Any = None
    interaction: Any = None
    markdown: Any = None
    seo: Any = None
    thumbnails: Any = None


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """The settings of a site, after `$ref`s are followed and `mint.json` is brought up to date."""

    name: str
    theme: str = "mint"
    description: str | None = None
    colors: Colors = Colors()
    logo: Logo | None = None
    favicon: Themed | None = None
    appearance: Appearance = Appearance()
    icon_library: str = "fontawesome"
    fonts: Mapping[str, Any] = field(default_factory=dict)
    background: Mapping[str, Any] = field(default_factory=dict)
    styling: Mapping[str, Any] = field(default_factory=dict)
    navbar: Navbar = Navbar()
    footer: Footer = Footer()
    banner: Banner | None = None
    redirects: tuple[Redirect, ...] = ()
    mount: str = ""  # the path of the whole site, "/docs", where its redirects say it
    variables: Mapping[str, str] = field(default_factory=dict)
    contextual: tuple[str, ...] = ()
    seo: Seo = Seo()
    not_found: NotFoundPage = NotFoundPage()
    api: ApiSettings = ApiSettings()
    search_prompt: str | None = None
    timestamps: bool = False
    feedback: FeedbackControls = FeedbackControls()
    related: Related = Related()
    telemetry: bool = True  # whether pages tell the site that they are read, and ask for thumbs
    integrations: Integrations = Integrations()
    languages: Mapping[str, LanguageSettings] = field(default_factory=dict)  # by code
    extra: WrittenSettings = WrittenSettings()
