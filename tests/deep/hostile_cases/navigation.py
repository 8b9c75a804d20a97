"""`docs.json` itself: navigation that is deep, large or refers to itself, and odd values."""

from __future__ import annotations

import json
from collections.abc import Callable

from hostile_cases.case import Files, of_files, settings, site


def _raw(text: str | bytes) -> Callable[[], Files]:
    return lambda: {"docs.json": text, "index.mdx": "Text."}


def _nested(depth: int, kind: str = "group") -> Files:
    inner = '"index"'
    opening = f'{{"{kind}":"g","pages":[' * depth
    text = f"{opening}{inner}{']}' * depth}"
    document = settings(navigation={"pages": ["HERE"]}).replace('"HERE"', text)
    return {"docs.json": document, "index.mdx": "Text."}


def _references(links: dict[str, str]) -> Files:
    files = {name: json.dumps({"$ref": to}) for name, to in links.items()}
    return site(files=files, navigation={"$ref": "./a.json"})


def _doubling_references() -> Files:
    level = {
        f"n{n}.json": json.dumps([{"group": "g", "pages": {"$ref": f"./n{n + 1}.json"}}] * 10)
        for n in range(12)
    }
    return site(
        files={**level, "n12.json": '["index"]'}, navigation={"groups": {"$ref": "n0.json"}}
    )


def _cross(kinds: tuple[str, ...], width: int) -> object:
    if not kinds:
        return {"pages": ["index"]}
    kind, *rest = kinds
    children = [
        {kind[:-1]: f"{kind}{n}", **_as_mapping(_cross(tuple(rest), width))} for n in range(width)
    ]
    return {kind: children}


def _as_mapping(value: object) -> dict[str, object]:
    assert isinstance(value, dict)
    return value


_KINDS = ("products", "versions", "dropdowns", "anchors", "tabs", "groups")
_MAKERS: dict[str, Callable[[], Files]] = {
    "depth-100": lambda: _nested(100),
    "depth-900": lambda: _nested(900),
    "depth-100000": lambda: _nested(100_000),
    "arrays-deep": _raw("[" * 1_000_000),
    "objects-deep": _raw('{"a":' * 500_000 + "1" + "}" * 500_000),
    "many-groups": lambda: site(
        navigation={"groups": [{"group": f"g{n}", "pages": ["index"]} for n in range(50_000)]}
    ),
    "same-page": lambda: site(navigation={"pages": ["index"] * 200_000}),
    "missing-pages": lambda: site(navigation={"pages": [f"missing-{n}" for n in range(50_000)]}),
    "crossed-kinds": lambda: site(navigation=_cross(_KINDS, 6)),
    "languages": lambda: site(
        navigation={"languages": [{"language": "en", "pages": ["index"]} for _ in range(5_000)]}
    ),
    "reference-self": lambda: _references({"a.json": "./a.json"}),
    "reference-cycle": lambda: _references({"a.json": "./b.json", "b.json": "./a.json"}),
    "reference-settings": lambda: _references({"a.json": "./docs.json"}),
    "reference-chain": lambda: _references(
        {"a.json": "./n0.json", **{f"n{n}.json": f"./n{n + 1}.json" for n in range(3_000)}}
    ),
    "reference-doubling": _doubling_references,
    "reference-outside": lambda: _references({"a.json": "../canary.json"}),
    "reference-absolute": lambda: _references({"a.json": "/etc/passwd"}),
    "reference-device": lambda: _references({"a.json": "/dev/zero"}),
    "reference-url": lambda: _references({"a.json": "http://127.0.0.1:1/a.json"}),
    "many-keys": lambda: site(**{f"key{n}": n for n in range(100_000)}),
    "same-key": _raw('{"name":"x",' + '"name":"y",' * 300_000 + '"theme":"mint"}'),
    "huge-number": _raw('{"name":' + "9" * 1_000_000 + "}"),
    "huge-exponent": lambda: site(fonts={"family": "x", "weight": 1e308}, seo={"a": -1e308}),
    "nan": _raw('{"name":NaN,"theme":Infinity}'),
    "long-name": lambda: site(name="x" * 5_000_000),
    "names-of-objects": lambda: site(
        navigation={"groups": [{"group": "__proto__", "pages": ["constructor", "__proto__"]}]},
        variables={"__proto__": "x", "constructor": "y"},
    ),
    "surrogate": _raw('{"name":"\\ud800","theme":"mint","navigation":{"pages":["\\udfff"]}}'),
    "not-utf8": _raw(b'{"name":"\xff\xfe\xfd"}'),
    "byte-order-marks": _raw("\ufeff" * 100_000 + "{}"),
    "null-bytes": _raw("\0" * 5_000_000),
    "empty": _raw(""),
    "page-entries-odd": lambda: site(navigation={"pages": [None, 3, [], {}, [[["index"]]], True]}),
}

CASES = of_files("navigation", _MAKERS)
