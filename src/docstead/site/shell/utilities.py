"""Utility classes that authors write in their pages (`flex mt-4 dark:hidden md:grid-cols-2`).

Each page carries rules for the classes it uses and for no others. A class that is not
known has no rule, and is then one of the site's own style sheets or of nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from docstead.site.shell.palette import color_of

_CLASS = re.compile(r' class="([^"]+)"')
_WIDTHS = {"sm": 40, "md": 48, "lg": 64, "xl": 80, "2xl": 96}  # rem
_STATES = {
    "hover": ":hover",
    "focus": ":focus",
    "focus-visible": ":focus-visible",
    "active": ":active",
    "disabled": ":disabled",
    "first": ":first-child",
    "last": ":last-child",
    "odd": ":nth-child(odd)",
    "even": ":nth-child(even)",
}
_ARBITRARY = re.compile(r"\[((?:calc|min|max|clamp)\([\w.%,+*/-]+\)|var\(--[\w-]+\)|-?[\w.%]+)\]")
_OPERATOR = re.compile(r"(?<=[\w%])([+*/-])(?=[\w(])")
_SCALE = r"(?P<value>-?(?:\d+(?:\.\d+)?|px|full|auto|screen|fit|min|max|\d+/\d+|\[[^\]]+\]))"
_COLOR = r"(?P<color>[a-z]+(?:-[a-z]+)*(?:-\d{2,3})?)(?:/(?P<alpha>\d{1,3}))?"
_SIDES = {
    "": ("",),
    "x": ("-left", "-right"),
    "y": ("-top", "-bottom"),
    "t": ("-top",),
    "r": ("-right",),
    "b": ("-bottom",),
    "l": ("-left",),
    "s": ("-inline-start",),
    "e": ("-inline-end",),
}
_CORNERS = {
    "": ("",),
    "t": ("-top-left", "-top-right"),
    "r": ("-top-right", "-bottom-right"),
    "b": ("-bottom-left", "-bottom-right"),
    "l": ("-top-left", "-bottom-left"),
}
_RADII = {
    "": ".25rem",
    "none": "0",
    "sm": ".125rem",
    "md": ".375rem",
    "lg": ".5rem",
    "xl": ".75rem",
    "2xl": "1rem",
    "3xl": "1.5rem",
    "full": "9999px",
}
_SIZES = {
    "xs": ".75rem;line-height:1rem",
    "sm": ".875rem;line-height:1.25rem",
    "base": "1rem;line-height:1.5rem",
    "lg": "1.125rem;line-height:1.75rem",
    "xl": "1.25rem;line-height:1.75rem",
    "2xl": "1.5rem;line-height:2rem",
    "3xl": "1.875rem;line-height:2.25rem",
    "4xl": "2.25rem;line-height:2.5rem",
    "5xl": "3rem;line-height:1",
    "6xl": "3.75rem;line-height:1",
    "7xl": "4.5rem;line-height:1",
}
_MAX_WIDTHS = {
    "xs": "20rem",
    "sm": "24rem",
    "md": "28rem",
    "lg": "32rem",
    "xl": "36rem",
    "2xl": "42rem",
    "3xl": "48rem",
    "4xl": "56rem",
    "5xl": "64rem",
    "6xl": "72rem",
    "7xl": "80rem",
    "prose": "65ch",
    "none": "none",
}
_WEIGHTS = {
    "thin": "100",
    "light": "300",
    "normal": "400",
    "medium": "500",
    "semibold": "600",
    "bold": "700",
    "extrabold": "800",
}
_LEADING = {"none": "1", "tight": "1.25", "snug": "1.375", "normal": "1.5", "relaxed": "1.625"}
_TRACKING = {"tighter": "-.05em", "tight": "-.025em", "normal": "0", "wide": ".025em"}
_TRACKING |= {"wider": ".05em", "widest": ".1em"}
_SHADOWS = {
    "": "0 1px 3px rgb(0 0 0/10%),0 1px 2px -1px rgb(0 0 0/10%)",
    "sm": "0 1px 2px rgb(0 0 0/5%)",
    "md": "0 4px 6px -1px rgb(0 0 0/10%),0 2px 4px -2px rgb(0 0 0/10%)",
    "lg": "0 10px 15px -3px rgb(0 0 0/10%),0 4px 6px -4px rgb(0 0 0/10%)",
    "xl": "0 20px 25px -5px rgb(0 0 0/10%),0 8px 10px -6px rgb(0 0 0/10%)",
    "2xl": "0 25px 50px -12px rgb(0 0 0/25%)",
    "none": "none",
}
_PLACES = {"start": "flex-start", "end": "flex-end", "between": "space-between"}
_PLACES |= {"around": "space-around", "evenly": "space-evenly"}
_FIXED = {
    **{name: f"display:{name}" for name in ("block", "inline-block", "inline", "flex", "grid")},
    **{name: f"display:{name}" for name in ("inline-flex", "inline-grid", "contents")},
    **{name: f"position:{name}" for name in ("static", "relative", "absolute", "sticky")},
    **{name: f"text-transform:{name}" for name in ("uppercase", "lowercase", "capitalize")},
    "hidden": "display:none",
    "flex-row": "flex-direction:row",
    "flex-row-reverse": "flex-direction:row-reverse",
    "flex-col": "flex-direction:column",
    "flex-col-reverse": "flex-direction:column-reverse",
    "flex-wrap": "flex-wrap:wrap",
    "flex-nowrap": "flex-wrap:nowrap",
    "flex-1": "flex:1 1 0%",
    "flex-auto": "flex:1 1 auto",
    "flex-none": "flex:none",
    "grow": "flex-grow:1",
    "flex-grow": "flex-grow:1",
    "shrink-0": "flex-shrink:0",
    "flex-shrink-0": "flex-shrink:0",
    "col-span-full": "grid-column:1/-1",
    "italic": "font-style:italic",
    "not-italic": "font-style:normal",
    "underline": "text-decoration:underline",
    "line-through": "text-decoration:line-through",
    "no-underline": "text-decoration:none;border-bottom:0",
    "truncate": "overflow:hidden;text-overflow:ellipsis;white-space:nowrap",
    "font-mono": "font-family:var(--ds-font-mono)",
    "font-sans": "font-family:var(--ds-font-sans)",
    "antialiased": "-webkit-font-smoothing:antialiased",
    "break-words": "overflow-wrap:break-word",
    "break-all": "word-break:break-all",
    "object-cover": "object-fit:cover",
    "object-contain": "object-fit:contain",
    "aspect-video": "aspect-ratio:16/9",
    "aspect-square": "aspect-ratio:1/1",
    "appearance-none": "appearance:none",
    "pointer-events-none": "pointer-events:none",
    "pointer-events-auto": "pointer-events:auto",
    "list-none": "list-style:none;padding-left:0",
    "list-disc": "list-style:disc",
    "border-dashed": "border-style:dashed",
    "border-none": "border-style:none",
    "bg-transparent": "background-color:transparent",
    "bg-cover": "background-size:cover",
    "bg-center": "background-position:center",
    "transform": "",
    "transition": "transition:all .15s ease",
    "sr-only": "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)",
    "mx-auto": "margin-left:auto;margin-right:auto",
    "m-auto": "margin:auto",
}

_Declare = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True, slots=True, order=True)
class _Rule:
    """Sorts as the rules of a style sheet must follow each other."""

    width: int
    dark: bool
    state: bool
    rank: int
    css: str


def utility_css(html: str) -> str:
    """Rules for the utility classes in `html`; "" where there are none."""
    names = {name for value in set(_CLASS.findall(html)) for name in value.split()}
    rules = (rule for name in names if (rule := _rule(name)) is not None)
    return "".join(rule.css for rule in sorted(rules))


@lru_cache(maxsize=4096)
def _rule(name: str) -> _Rule | None:
    if name.startswith("ds-"):
        return None
    *variants, base = name.replace("&amp;", "&").split(":")
    important = base.startswith("!")
    found = _declaration(base.removeprefix("!"))
    if found is None:
        return None
    rank, declared, inner = found
    if important:
        declared = ";".join(f"{part}!important" for part in declared.split(";"))
    return _with_variants(name, variants, rank, f"{inner}{{{declared}}}")


def _with_variants(name: str, variants: list[str], rank: int, rest: str) -> _Rule | None:
    selector = "." + re.sub(r"([^\w-])", r"\\\1", name)
    dark, width = False, 0
    for variant in variants:
        if variant == "dark":
            dark = True
        elif variant in _WIDTHS:
            width = _WIDTHS[variant]
        elif variant in _STATES:
            selector += _STATES[variant]
        elif variant.removeprefix("group-") in _STATES:
            selector = f".group{_STATES[variant.removeprefix('group-')]} {selector}"
        else:
            return None
    css = f".ds-content {selector}{rest}"
    if dark:
        css = (
            f"html[data-theme=dark] {css}"
            f"@media (prefers-color-scheme:dark){{html:not([data-theme]) {css}}}"
        )
    if width:
        css = f"@media (min-width:{width}rem){{{css}}}"
    return _Rule(width, dark, ":" in selector.replace("\\:", ""), rank, css + "\n")


def _declaration(base: str) -> tuple[int, str, str] | None:
    """Rank, declarations and what follows the selector (for spaces between children)."""
    if base in _FIXED:
        return 0, _FIXED[base], ""
    for rank, (pattern, declare) in enumerate(_patterns(), 1):
        if match := pattern.fullmatch(base):
            declared = declare(match)
            if declared is not None:
                between = base.lstrip("-").startswith(("space-", "divide-"))
                return rank, declared, ">*+*" if between else ""
    return None


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], _Declare], ...]:
    """Wider rules stand before narrower ones: `p-4` before `px-2` before `pt-1`."""
    return tuple((re.compile(text), declare) for text, declare in _table())


def _table() -> Iterator[tuple[str, _Declare]]:
    yield rf"size-{_SCALE}", _each("width", "height")
    for name, key in (("w", "width"), ("h", "height")):
        yield rf"{name}-{_SCALE}", _each(key)
        yield rf"min-{name}-{_SCALE}", _each(f"min-{key}")
        yield rf"max-{name}-{_SCALE}", _each(f"max-{key}")
    yield r"max-w-(?P<key>[\w]+)", _from("max-width", _MAX_WIDTHS)
    for prefix, key in (("p", "padding"), ("m", "margin")):
        for sides in ("", "[xy]", "[trblse]"):
            yield rf"(?P<minus>-?){prefix}(?P<sides>{sides})-{_SCALE}", _sided(key)
    yield rf"(?P<minus>-?)inset-{_SCALE}", _each("inset")
    for side in ("top", "right", "bottom", "left"):
        yield rf"(?P<minus>-?){side}-{_SCALE}", _each(side)
    yield rf"gap-{_SCALE}", _each("gap")
    yield rf"gap-x-{_SCALE}", _each("column-gap")
    yield rf"gap-y-{_SCALE}", _each("row-gap")
    yield rf"space-x-{_SCALE}", _each("margin-left")
    yield rf"space-y-{_SCALE}", _each("margin-top")
    yield r"grid-cols-(?P<n>\d{1,2})", lambda m: _columns(m["n"])
    yield r"col-span-(?P<n>\d{1,2})", lambda m: f"grid-column:span {m['n']}/span {m['n']}"
    yield r"items-(?P<key>start|end|center|baseline|stretch)", _placed("align-items")
    yield r"self-(?P<key>start|end|center|stretch|auto)", _placed("align-self")
    yield r"justify-(?P<key>start|end|center|between|around|evenly)", _placed("justify-content")
    yield r"order-(?P<n>\d{1,2})", lambda m: f"order:{m['n']}"
    yield r"text-(?P<key>left|center|right|justify)", lambda m: f"text-align:{m['key']}"
    yield r"text-(?P<key>\w+)", _from("font-size", _SIZES)
    yield r"font-(?P<key>\w+)", _from("font-weight", _WEIGHTS)
    yield r"leading-(?P<key>[a-z]+)", _from("line-height", _LEADING)
    yield rf"leading-{_SCALE}", _each("line-height")
    yield r"tracking-(?P<key>\w+)", _from("letter-spacing", _TRACKING)
    yield r"whitespace-(?P<key>normal|nowrap|pre|pre-wrap)", lambda m: f"white-space:{m['key']}"
    yield r"border(?:-(?P<n>[0248]))?", lambda m: _border("", m["n"])
    yield r"border-(?P<side>[xytrblse])(?:-(?P<n>[0248]))?", lambda m: _border(m["side"], m["n"])
    yield r"divide-y", lambda _: "border-top:1px solid var(--ds-border)"
    yield r"rounded(?:-(?P<corner>[trbl]))?(?:-(?P<key>\w+))?", _rounded
    yield rf"text-{_COLOR}", _colored("color")
    yield rf"bg-{_COLOR}", _colored("background-color")
    yield rf"border-{_COLOR}", _colored("border-color")
    yield rf"fill-{_COLOR}", _colored("fill")
    yield r"(?P<key>text|bg|border)-\[(?P<hex>#[0-9a-fA-F]{3,8})\]", _hex
    yield r"text-\[(?P<value>[\d.]+(?:px|rem|em))\]", lambda m: f"font-size:{m['value']}"
    yield r"shadow(?:-(?P<key>\w+))?", lambda m: _looked_up("box-shadow", _SHADOWS, m["key"] or "")
    yield r"opacity-(?P<n>\d{1,3})", lambda m: f"opacity:{int(m['n']) / 100:g}"
    yield r"z-(?P<n>\d{1,2})", lambda m: f"z-index:{m['n']}"
    yield r"overflow-(?P<key>hidden|auto|visible|scroll)", lambda m: f"overflow:{m['key']}"
    yield (
        r"overflow-(?P<axis>[xy])-(?P<key>hidden|auto|scroll)",
        (lambda m: f"overflow-{m['axis']}:{m['key']}"),
    )
    yield r"cursor-(?P<key>pointer|default|not-allowed)", lambda m: f"cursor:{m['key']}"
    yield r"select-(?P<key>none|text|all)", lambda m: f"user-select:{m['key']}"
    yield r"transition-(?P<key>\w+)", lambda _: "transition:all .15s ease"
    yield r"duration-(?P<n>\d{2,4})", lambda m: f"transition-duration:{m['n']}ms"
    yield r"scale-(?P<n>\d{2,3})", lambda m: f"scale:{int(m['n']) / 100:g}"
    yield r"(?P<minus>-?)rotate-(?P<n>\d{1,3})", lambda m: f"rotate:{m['minus']}{m['n']}deg"
    yield rf"(?P<minus>-?)translate-x-{_SCALE}", lambda m: _joined("translate:{} 0", m)
    yield rf"(?P<minus>-?)translate-y-{_SCALE}", lambda m: _joined("translate:0 {}", m)


def _length(match: re.Match[str], screen: str = "100vw") -> str | None:
    value, minus = match["value"], match.groupdict().get("minus") or ""
    named = {"px": "1px", "full": "100%", "auto": "auto", "screen": screen}
    named |= {key: f"{key}-content" for key in ("fit", "min", "max")}
    if value in named:
        length = named[value]
    elif value.startswith("["):
        found = _ARBITRARY.fullmatch(value)
        length = _spaced(found[1]) if found else ""
    elif "/" in value:
        part, _, whole = value.partition("/")
        length = f"{100 * int(part) / int(whole):.6g}%" if int(whole) else ""
    else:
        length = f"{float(value) / 4:g}rem" if float(value) else "0"
    return (f"calc({length}*-1)" if minus else length) or None


def _spaced(length: str) -> str:
    """CSS wants spaces around the signs of a calculation; class names cannot hold any."""
    if "(" not in length or length.startswith("var"):
        return length
    return _OPERATOR.sub(r" \1 ", length.replace("_", " "))


def _each(*keys: str) -> _Declare:
    def declare(match: re.Match[str]) -> str | None:
        length = _length(match, "100vh" if "height" in keys[-1] else "100vw")
        return ";".join(f"{key}:{length}" for key in keys) if length else None

    return declare


def _sided(key: str) -> _Declare:
    def declare(match: re.Match[str]) -> str | None:
        length = _length(match)
        sides = _SIDES[match["sides"]]
        return ";".join(f"{key}{side}:{length}" for side in sides) if length else None

    return declare


def _from(key: str, values: dict[str, str]) -> _Declare:
    return lambda match: _looked_up(key, values, match["key"])


def _looked_up(key: str, values: dict[str, str], name: str) -> str | None:
    return f"{key}:{values[name]}" if name in values else None


def _placed(key: str) -> _Declare:
    return lambda match: f"{key}:{_PLACES.get(match['key'], match['key'])}"


def _colored(key: str) -> _Declare:
    def declare(match: re.Match[str]) -> str | None:
        color = color_of(match["color"])
        if color is None:
            return None
        if match["alpha"]:
            color = f"color-mix(in srgb,{color} {min(int(match['alpha']), 100)}%,transparent)"
        return f"{key}:{color}"

    return declare


def _hex(match: re.Match[str]) -> str:
    keys = {"text": "color", "bg": "background-color", "border": "border-color"}
    return f"{keys[match['key']]}:{match['hex']}"


def _columns(count: str) -> str:
    return f"grid-template-columns:repeat({count},minmax(0,1fr))"


def _border(side: str, width: str | None) -> str:
    rule = f"{width or 1}px solid var(--ds-border)"
    return ";".join(f"border{each}:{rule}" for each in _SIDES[side])


def _rounded(match: re.Match[str]) -> str | None:
    radius = _RADII.get(match["key"] or "")
    corners = _CORNERS[match["corner"] or ""]
    return ";".join(f"border{c}-radius:{radius}" for c in corners) if radius else None


def _joined(template: str, match: re.Match[str]) -> str | None:
    length = _length(match)
    return template.format(length) if length else None
