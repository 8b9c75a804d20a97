"""Repositories by somebody who knows the product's documentation and nothing else.

They aim at what a build hands to the service (diagnostics, pages, words, redirects, samples), at
what is compared pair by pair (links, anchors, related pages), and at features used together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hostile_cases.case import (
    CaseFiles,
    Files,
    of_files,
    of_writers,
    settings,
    site,
    write_files,
)
from hostile_cases.git_sources import git

_LOOP = "{(() => { while (true) {} })()}"
_GROW = "{(() => { const a = []; for (;;) a.push(new Array(1e6).fill(a.length)); })()}"


def _pages(count: int, body: Callable[[int], str]) -> Files:
    return {f"p{n}.mdx": body(n) for n in range(count)}


def _api(paths: Mapping[str, Any], page: str = "Text.", **more: Any) -> Files:
    document = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": paths}
    groups = {"groups": [{"group": "API", "openapi": "a.json"}, {"group": "x", "pages": ["index"]}]}
    return {
        "docs.json": settings(navigation=groups, **more),
        "a.json": json.dumps(document),
        "index.mdx": page,
    }


def _operations(count: int, **more: Any) -> dict[str, Any]:
    return {f"/a{n}": {"post": {"summary": f"A{n}", "responses": {}, **more}} for n in range(count)}


def _sdk_twice(count: int) -> Files:
    sdk = {"format": "typedoc", "source": "t.json", "directory": "same"}
    tabs = [{"tab": f"t{n}", "sdk": sdk} for n in range(count)]
    children = [{"id": n, "name": f"f{n}", "kind": 64, "signatures": []} for n in range(500)]
    document = {"id": -1, "name": "x", "kind": 1, "schemaVersion": "2.0", "children": children}
    return {
        "docs.json": settings(navigation={"tabs": tabs}),
        "t.json": json.dumps(document),
        "index.mdx": "Text.",
    }


def _versions_of_api(count: int) -> Files:
    versions = [
        {"version": f"v{n}", "openapi": {"source": "a.json", "directory": f"d{n}"}}
        for n in range(count)
    ]
    files = dict(_api(_operations(200)))
    return {**files, "docs.json": settings(navigation={"versions": versions})}


def _languages() -> Files:
    codes = [
        "ar",
        "cs",
        "da",
        "de",
        "en",
        "es",
        "fi",
        "fr",
        "he",
        "hi",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
        "lv",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sv",
        "tr",
        "uk",
        "uz",
        "vi",
        "zh",
    ]
    rows = [{"language": code, "pages": [f"{code}/p{n}" for n in range(60)]} for code in codes]
    pages = {f"{code}/p{n}.mdx": "Text." for code in codes for n in range(60)}
    return site(files=pages, navigation={"languages": rows})


_MAKERS: dict[str, Callable[[], Files]] = {
    # what comes back from a build
    "diagnostics-million": lambda: site("[a](/nowhere) " * 200_000),
    "diagnostics-long": lambda: site("".join(f"[a](/{'x' * 20_000}{n}) " for n in range(500))),
    "diagnostics-everywhere": lambda: site(
        files=_pages(1_000, lambda n: "{{gone}} ![](x) <B /> " * 50)
    ),
    "diagnostics-names": lambda: site("".join(f"<Unknown{n} />\n" for n in range(50_000))),
    "error-message-long": lambda: site("{(() => { throw new Error('x'.repeat(5e7)) })()}"),
    "error-in-every-page": lambda: site(
        files=_pages(60, lambda n: "{(() => { throw new Error('x'.repeat(5e6)) })()}")
    ),
    "output-of-pages": lambda: site(
        files=_pages(40, lambda n: f"{{'word{n} '.repeat(2_000_000)}}")
    ),
    "output-elements": lambda: site(
        files=_pages(20, lambda n: "{Array.from({length: 200_000}, (_, i) => <p key={i}>x</p>)}")
    ),
    "output-headings": lambda: site(
        "export const H = () => <>{Array.from({length: 100_000}, (_, i) => <h2 id={'a' + i}>x</h2>)}</>;\n\n<H />"
    ),
    "output-same-ids": lambda: site("<div id='a'></div>\n\n" * 50_000),
    "output-attributes": lambda: site("<div data-x={'y'.repeat(50_000_000)}>x</div>"),
    "output-scripts": lambda: site("<script>{'a'.repeat(50_000_000)}</script>"),
    "words-different": lambda: site(" ".join(f"w{n}x{n * n}" for n in range(500_000))),
    "words-long": lambda: site(" ".join("w" * 60_000 + str(n) for n in range(100))),
    "words-made": lambda: site("{Array.from({length: 1e6}, (_, n) => 'w' + n * 7919).join(' ')}"),
    "words-without-spaces": lambda: site("\u6f22\u5b57\u5e7f\u544a" * 500_000),
    "sections-many": lambda: site("".join(f"## H{n}\n\nText {n}.\n\n" for n in range(20_000))),
    "title-long": lambda: site("---\ntitle: " + "x " * 2_000_000 + "\n---\n\nText."),
    "description-long": lambda: site("---\ndescription: " + "x " * 2_000_000 + "\n---\n\nText."),
    # what is compared pair by pair
    "links-to-likely-names": lambda: site(
        "".join(f"[a](/guides/page-{n}x) " for n in range(3_000)),
        {f"guides/page-{n}.mdx": "Text." for n in range(1_500)},
    ),
    "anchors-likely": lambda: site(
        "".join(f"## Heading {n}\n\n[a](#heading-{n}x)\n\n" for n in range(5_000))
    ),
    "anchors-of-pages": lambda: site(
        files=_pages(300, lambda n: "## A\n\n" * 20 + "".join(f"[a](/p{m}#b) " for m in range(300)))
    ),
    "related-alike": lambda: site(
        files=_pages(1_500, lambda n: "The same words stand in each of these pages. " * 20),
        related={"automatic": True, "limit": 10},
    ),
    "related-named": lambda: site(
        files=_pages(
            300, lambda n: f"---\nrelated: [{', '.join(f'/p{m}' for m in range(300))}]\n---\nx"
        )
    ),
    "skills-many": lambda: site(
        files={
            f".docs/skills/s{n}/SKILL.md": f"---\nname: s{n}\ndescription: x\n---\n"
            for n in range(3_000)
        }
    ),
    "instructions-long": lambda: site(
        files={".docs/Assistant.md": "x" * 19_000_000, "AGENTS.md": "y" * 9_000_000}
    ),
    # fields that take MDX and are not pages
    "banner-loops": lambda: site(banner={"content": _LOOP}),
    "banner-long": lambda: site(banner={"content": "[a](b) " * 300_000}),
    "banner-languages": lambda: site(
        navigation={
            "languages": [{"language": "en", "banner": {"content": _LOOP}, "pages": ["index"]}]
        }
    ),
    "not-found-loops": lambda: site(errors={"404": {"redirect": False, "description": _LOOP}}),
    "not-found-grows": lambda: site(errors={"404": {"redirect": False, "description": _GROW}}),
    "updates-loop": lambda: site("<Update label='x'>" + _LOOP + "</Update>", rss=True),
    "updates-many": lambda: site(
        "---\nrss: true\n---\n\n" + "<Update label='x' tags={['a']}>y</Update>\n" * 20_000
    ),
    "views-many": lambda: site("<View title='x'>y</View>\n" * 10_000),
    "fetched-marked-up": lambda: _api(
        _operations(1, **{"x-mint": {"content": _LOOP, "href": "/" + "x/" * 99_999}})
    ),
    "described-in-loops": lambda: _api(_operations(50, description=_LOOP)),
    "snippet-with-properties": lambda: site(
        "import S from '/snippets/s.mdx'\n\n" + "<S v={{a: [1, 2, 3]}} />\n" * 20_000,
        {"snippets/s.mdx": "{props.v.a.map((n) => <b key={n}>{n}</b>)}"},
    ),
    # specifications, multiplied by other features
    "samples-of-all-languages": lambda: _api(
        _operations(
            300,
            requestBody={
                "content": {
                    "application/json": {"example": {f"k{n}": "v" * 99 for n in range(300)}}
                }
            },
        ),
        api={
            "examples": {
                "languages": [
                    "bash",
                    "python",
                    "javascript",
                    "node",
                    "typescript",
                    "php",
                    "go",
                    "java",
                    "ruby",
                    "powershell",
                    "swift",
                    "csharp",
                    "dotnet",
                    "c",
                    "c++",
                    "kotlin",
                    "rust",
                    "dart",
                ]
            }
        },
    ),
    "samples-written": lambda: _api(
        _operations(
            5, **{"x-codeSamples": [{"lang": f"l{n}", "source": "x" * 9_999} for n in range(2_000)]}
        )
    ),
    "examples-named": lambda: _api(
        _operations(
            3,
            requestBody={
                "content": {
                    f"a/b{n}": {"examples": {f"e{m}": {"value": "x"} for m in range(100)}}
                    for n in range(200)
                }
            },
        )
    ),
    "parameters-many": lambda: _api(
        _operations(
            1, parameters=[{"name": f"p{n}", "in": "query", "schema": {}} for n in range(30_000)]
        )
    ),
    "path-of-parameters": lambda: _api({"/{a}" * 20_000: {"get": {"responses": {}}}}),
    "methods-odd": lambda: _api({"/a": {f"m{n}": {} for n in range(99_999)}, "b": [], "/c": None}),
    "servers-many": lambda: _api(
        _operations(300), api={"mdx": {"server": [f"https://a{n}.x" for n in range(30_000)]}}
    ),
    "operations-not-there": lambda: site(
        files=_pages(1_500, lambda n: f"---\nopenapi: GET /nowhere{n}\n---\n"),
        api={"openapi": ["a.json"] * 500},
    ),
    "same-file-often": lambda: site(
        navigation={
            "groups": [
                {"group": f"g{n}", "openapi": {"source": "a.json", "directory": f"d{n}"}}
                for n in range(100)
            ]
        },
        files={"a.json": _api(_operations(100))["a.json"]},
    ),
    "versions-of-an-api": lambda: _versions_of_api(60),
    "libraries-in-one-place": lambda: _sdk_twice(60),
    "languages-all": _languages,
    "multi-source-circle": lambda: site(
        navigation={"groups": [{"group": "g", "sourceRef": "a/b"}, {"$ref": "./n.json"}]},
        files={
            "n.json": json.dumps(
                {"group": "h", "sourceRef": "../..", "pages": [{"$ref": "./n.json"}]}
            )
        },
    ),
    "old-settings-too": lambda: site(files={"mint.json": "[" * 900_000, "n/docs.json": settings()}),
    "old-settings-only": lambda: {
        "mint.json": '{"navigation":' + "[" * 900 + "]" * 900 + "}",
        "index.mdx": "x",
    },
    "metatags-many": lambda: site(seo={"metatags": {f"og:{n}": "x" * 999 for n in range(20_000)}}),
    "menu-many": lambda: site(
        files=_pages(200, lambda n: "x"),
        contextual={
            "options": [
                {"title": f"t{n}", "description": "x", "href": "/$page"} for n in range(5_000)
            ]
        },
    ),
    "footer-many": lambda: site(
        files=_pages(200, lambda n: "x"),
        footer={"links": [{"items": [{"label": "x", "href": "https://a.b"}] * 50_000}]},
    ),
    "sidebar-of-each-page": lambda: site(
        files=_pages(1_500, lambda n: "x"), navigation={"pages": [f"p{n}" for n in range(1_500)]}
    ),
    "groups-of-each-page": lambda: site(
        files=_pages(
            600, lambda n: f"---\ngroups: [{', '.join(f'g{n}x{m}' for m in range(50))}]\n---\nx"
        )
    ),
    "styles-of-each-page": lambda: site(
        files={**_pages(300, lambda n: "x"), **{f"s{n}.css": "a{}" for n in range(1_000)}}
    ),
    "frame-of-itself": lambda: site('<iframe src="/index" />\n' * 20_000),
    "one-of-everything": lambda: site(
        "---\na: &a [*a]\n---\n" + _LOOP + "\n\n<Card>" * 500 + "\n\n" + "*a " * 9_999,
        {".docsignore": "*a" * 30 + "b\n", "a.svg": "<svg>" * 9_999, "p.mdx": _GROW},
        redirects=[{"source": f"/r{n}", "destination": f"/r{n + 1}"} for n in range(5_000)],
        banner={"content": _LOOP},
    ),
}


def _folder_of_git(config: str) -> Callable[[Path, CaseFiles], None]:
    """A folder with a `.git` of its own, asked for the dates of its pages."""

    def write(root: Path, around: CaseFiles) -> None:
        write_files(root, site(metadata={"timestamp": True}))
        git(root, "init", "-q", "-b", "main")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "x")
        with (root / ".git/config").open("a") as file:
            file.write(config.replace("MARKER", str(around.marker)))

    return write


def _git_file(root: Path, around: CaseFiles) -> None:
    write_files(root, {".git": f"gitdir: {around.canary.parent}\n"})


_WRITERS = {
    "folder-runs-monitor": _folder_of_git("[core]\n\tfsmonitor = touch MARKER\n"),
    "folder-runs-signatures": _folder_of_git(
        "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = touch MARKER\n[core]\n\tpager = touch MARKER\n"
    ),
    "folder-includes-device": _folder_of_git("[include]\n\tpath = /dev/zero\n"),
    "folder-git-elsewhere": _git_file,
}

CASES = of_files("attacker", _MAKERS) + of_writers("attacker", _WRITERS)
