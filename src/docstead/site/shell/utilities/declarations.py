"""What a utility class declares: its name, without variants, becomes CSS."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from docstead.site.shell.palette import color_of
from docstead.site.shell.utilities.scales import (
    CORNERS,
    FIXED,
    LEADING,
    MAX_WIDTHS,
    PLACES,
    RADII,
    SHADOWS,
    SIDES,
    SIZES,
    TRACKING,
    WEIGHTS,
)

_ARBITRARY = re.compile(r"\[((?:calc|min|max|clamp)\([\w.%,+*/-]+\)|var\(--[\w-]+\)|-?[\w.%]+)\]")
_OPERATOR = re.compile(r"(?<=[\w%])([+*/-])(?=[\w(])")
_SCALE = r"(?P<value>-?(?:\d+(?:\.\d+)?|px|full|auto|screen|fit|min|max|\d+/\d+|\[[^\]]+\]))"
_COLOR = r"(?P<color>[a-z]+(?:-[a-z]+)*(?:-\d{2,3})?)(?:/(?P<alpha>\d{1,3}))?"

_Declare = Callable[[re.Match[str]], str | None]


def declaration(base: str) -> tuple[int, str, str] | None:
    """Rank, declarations and what follows the selector (for spaces between children)."""
    if base in FIXED:
        return 0, FIXED[base], ""
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
    yield r"max-w-(?P<key>[\w]+)", _from("max-width", MAX_WIDTHS)
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
    yield r"text-(?P<key>\w+)", _from("font-size", SIZES)
    yield r"font-(?P<key>\w+)", _from("font-weight", WEIGHTS)
    yield r"leading-(?P<key>[a-z]+)", _from("line-height", LEADING)
    yield rf"leading-{_SCALE}", _each("line-height")
    yield r"tracking-(?P<key>\w+)", _from("letter-spacing", TRACKING)
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
    yield r"shadow(?:-(?P<key>\w+))?", lambda m: _looked_up("box-shadow", SHADOWS, m["key"] or "")
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
        sides = SIDES[match["sides"]]
        return ";".join(f"{key}{side}:{length}" for side in sides) if length else None

    return declare


def _from(key: str, values: dict[str, str]) -> _Declare:
    return lambda match: _looked_up(key, values, match["key"])


def _looked_up(key: str, values: dict[str, str], name: str) -> str | None:
    return f"{key}:{values[name]}" if name in values else None


def _placed(key: str) -> _Declare:
    return lambda match: f"{key}:{PLACES.get(match['key'], match['key'])}"


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
    return ";".join(f"border{each}:{rule}" for each in SIDES[side])


def _rounded(match: re.Match[str]) -> str | None:
    radius = RADII.get(match["key"] or "")
    corners = CORNERS[match["corner"] or ""]
    return ";".join(f"border{c}-radius:{radius}" for c in corners) if radius else None


def _joined(template: str, match: re.Match[str]) -> str | None:
    length = _length(match)
    return template.format(length) if length else None
