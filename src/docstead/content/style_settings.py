"""Settings of fonts, background and styling in `docs.json`.

The types cover all forms that authors may write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from docstead.content.setting_keys import setting
from docstead.content.written_settings import AT_PUBLISHING

FontWeight = Annotated[int, "weight"]
BackgroundColor = Annotated[str, "color"]


def is_font_weight(value: object) -> bool:
    """Report whether this is a valid CSS font weight."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return is_number and value in range(1, 1001)


@dataclass(frozen=True, slots=True)
class LightAndDark:
    """File or theme names for light and dark, one of which may be missing."""

    light: str | None = None
    dark: str | None = None


@dataclass(frozen=True, slots=True)
class FontSettings:
    family: str = ""
    weight: FontWeight | None = None
    source: str = ""
    format: str | None = None


_FONT = "a font of its own, with the same keys"
_NO_FONT = FontSettings()


@dataclass(frozen=True, slots=True)
class SiteFontSettings:
    family: str = setting(
        "", "font of the site. See [fonts](/guides/reading#fonts)", shown_default="`Inter`"
    )
    weight: FontWeight | None = setting(None, "weight of the text, 1 to 1000", type="number")
    source: str = setting("", f"font file of the repository; {AT_PUBLISHING}")
    format: str | None = setting(None, "`woff2`, `woff`, `ttf` or `otf`", shown_default="by name")
    heading: FontSettings = setting(_NO_FONT, f"{_FONT}, for headings")
    body: FontSettings = setting(_NO_FONT, f"{_FONT}, for text")

    @property
    def text(self) -> FontSettings:
        """Font of body text."""
        own = FontSettings(self.family, self.weight, self.source, self.format)
        return own if self.body == _NO_FONT else self.body

    @property
    def headings(self) -> FontSettings:
        """Font of headings."""
        return self.text if self.heading == _NO_FONT else self.heading


@dataclass(frozen=True, slots=True)
class BackgroundColors:
    light: BackgroundColor | None = setting(None, type="color")
    dark: BackgroundColor | None = setting(None, type="color")


@dataclass(frozen=True, slots=True)
class BackgroundSettings:
    decoration: str | None = setting(None, choices=("gradient", "grid", "windows"))
    color: BackgroundColors = setting(
        BackgroundColors(), "`light` and `dark`", type="object", shown_default="from the theme"
    )
    image: str | LightAndDark | None = setting(
        None, "image, or `light` and `dark`", type="string or object"
    )


@dataclass(frozen=True, slots=True)
class CodeLanguageKeys:
    custom: Any = None


@dataclass(frozen=True, slots=True)
class CodeBlockSettings:
    theme: str | LightAndDark | None = None
    light: str | None = None
    dark: str | None = None
    languages: Any = setting(None, shape=CodeLanguageKeys)


_CODE_BLOCKS = (
    "`dark` or `light` keeps code dark or light on every page. The name of a [Shiki theme]"
    "(https://shiki.style/themes) gives code its colors, adjusted where they are hard to read. An "
    "object with `light` and `dark` names a theme for each. `check` reports unknown names. "
    "`css-variables` takes colors from your variables `--shiki-token-*` or `--mint-token-*`. "
    "`languages.custom` adds [languages](/reference/components#languages-of-your-own)"
)


@dataclass(frozen=True, slots=True)
class StylingSettings:
    eyebrows: str | None = setting(
        None,
        "above the title: `section` or `breadcrumbs`",
        choices=("section", "breadcrumbs"),
        shown_default="from the theme",
    )
    latex: bool | None = setting(
        None, "whether pages have formulas", type="boolean", shown_default="detected"
    )
    codeblocks: str | CodeBlockSettings | None = setting(
        None, _CODE_BLOCKS, type="string or object", shown_default="`system`"
    )

    @property
    def code_themes(self) -> str | LightAndDark | None:
        """Theme of code blocks, or one for light and one for dark pages."""
        if not isinstance(self.codeblocks, CodeBlockSettings):
            return self.codeblocks
        return self.codeblocks.theme or LightAndDark(self.codeblocks.light, self.codeblocks.dark)
