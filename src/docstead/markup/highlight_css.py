"""Style sheet of code blocks: token colors for light and dark, lines and marks."""

from __future__ import annotations

# On white or nearly black pages, all colors have a contrast of at least 4.5 with the block's
# background and its marks.
_LIGHT = {
    "k": "#a626a4",
    "s": "#286a1a",
    "c": "#555d67",
    "m": "#994600",
    "t": "#7a5600",
    "f": "#1c59c6",
    "g": "#b3261e",
    "a": "#835500",
    "b": "#0a6388",
    "v": "#b3261e",
}
_DARK = {
    "k": "#d99bff",
    "s": "#9ede86",
    "c": "#9aa4b2",
    "m": "#ffb27a",
    "t": "#f2cf78",
    "f": "#82b7ff",
    "g": "#ff9a93",
    "a": "#f0cd80",
    "b": "#7fd6ea",
    "v": "#ffa3a0",
}
#: Token colors for light and for dark.
TOKENS = (_LIGHT, _DARK)
#: Colors of removed, added and highlighted lines, with their opacity in percent.
REMOVED, ADDED, HIGHLIGHTED = ("#e5484d", 14), ("#30a46c", 16), ("var(--ds-primary)", 10)
_LINES = """
.ds-code .c,.ds-code .ge{font-style:italic}
.ds-code .gs{font-weight:600}
.ds-line{display:block;margin-inline:-1rem;padding-inline:1rem;min-width:max-content}
.ds-code[data-wrap] .ds-line{min-width:0}
.ds-code code:has(>.ds-line){display:block;counter-reset:ds-line;min-width:max-content}
.ds-code[data-wrap] code:has(>.ds-line){min-width:0}
.ds-code code:not(:has(>.ds-line)) :is(.gd,.gi){display:inline-block;min-width:calc(100% + 2rem);
margin-inline:-1rem;padding-inline:1rem;box-sizing:border-box}
.ds-hl{box-shadow:inset 2px 0 var(--ds-primary)}
.ds-code[data-lines] .ds-line{counter-increment:ds-line}
.ds-code[data-lines] .ds-line::before{content:counter(ds-line);display:inline-block;width:2.5ch;
margin-inline-end:1.25rem;text-align:end;color:var(--ds-fg-muted);user-select:none}
.ds-code[data-wrap] .ds-line{--ds-hang:calc(var(--ds-indent,0)*1ch + 2ch);
padding-inline-start:calc(1rem + var(--ds-hang));text-indent:calc(-1*var(--ds-hang))}
.ds-code[data-wrap][data-lines] .ds-line{--ds-hang:calc(var(--ds-indent,0)*1ch + 1.25rem + 2.5ch)}
.ds-code .ds-line::before{text-indent:0}
.ds-add,.ds-del{position:relative}
.ds-add::after,.ds-del::after{position:absolute;inset:0 auto auto .25rem;user-select:none}
.ds-add::after{content:"+"}
.ds-del::after{content:"-"}
.ds-code[data-focused]:not(:hover) .ds-line:not(.ds-focus),
.ds-code[data-focused]:not(:hover) .ds-line:not(.ds-focus) *{color:var(--ds-fg-muted)}
"""


def pygments_css() -> str:
    """Return the CSS for the classes that `highlight` uses."""
    light, dark = token_variables()
    tokens = "".join(f".ds-code .{name}{{color:var(--ds-code-{name})}}" for name in _LIGHT)
    return (
        f":root{{{light}}}\n@media screen{{html[data-theme=dark]{{{dark}}}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{html:not([data-theme]){{{dark}}}}}\n"
        f"{tokens}{_mark(_whole_lines('gd', 'del'), *REMOVED)}"
        f"{_mark(_whole_lines('gi', 'add'), *ADDED)}{_mark('.ds-hl', *HIGHLIGHTED)}{_LINES}"
    )


def token_variables() -> tuple[str, str]:
    """Return the CSS variables of token colors, for light and for dark."""
    return _variables(_LIGHT), _variables(_DARK)


def _whole_lines(token: str, mark: str) -> str:
    """Return the selector of lines with a token of diffs, or with a mark."""
    return f".ds-code :not(.ds-line)>.{token},.ds-code .ds-line:has(>.{token}),.ds-code .ds-{mark}"


def _mark(selectors: str, color: str, percent: int) -> str:
    return f"{selectors}{{background:color-mix(in srgb,{color} {percent}%,transparent)}}"


def _variables(colors: dict[str, str]) -> str:
    return "".join(f"--ds-code-{name}:{color};" for name, color in colors.items())
