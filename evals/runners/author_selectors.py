"""Selectors, CSS variables and globals of repositories' own files, matched against pages.

    python evals/runners/author_selectors.py REPOSITORY… [--write] [--names]
        [--seed-defect renamed]

A repository is a folder, or the directory of a bare git repository. Its style sheets, scripts,
`<style>` elements and modules are read for selectors, for variables that they read without
setting them or set without reading them, and for properties of `window`. Names that belong to
the repository itself, fenced code and tag names do not count. Everything else is looked up in
Chromium, on the pages of `evals/datasets/author_site` (`author_pages.py`). Prints JSON lines with
counts by repository; selectors of utility classes and guesses of authors have columns of their own.
`--write` stores the names in `evals/datasets/author_selectors.json`, where a test reads them.
Ends with status 1 where the share that matches nothing is above a tenth. `--seed-defect renamed`
tries this evaluation: classes and ids of pages get other names before they are looked up.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from seeded_defects import finish
from sets import DATASETS

STORED = DATASETS / "author_selectors.json"
AT_MOST = 0.1
BESIDE = ("utilities", "guesses")
DEFECTS = ("renamed",)

_STYLES, _SCRIPTS, _PAGES = (".css",), (".js",), (".mdx", ".md", ".jsx", ".tsx", ".html")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,}).*?^[ \t>]*\1[`~]*[ \t]*$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{")
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(?:\s*\{\s*`)?(.*?)(?:`\s*\}\s*)?</style>", re.DOTALL)
_CALL = re.compile(r"(?:querySelector(?:All)?|closest|matches)\(\s*([\"'`])(.*?)\1\s*\)", re.DOTALL)
_BY_ID = re.compile(r"getElementById\(\s*[\"'`]([\w-]+)")
_BY_CLASS = re.compile(r"getElementsByClassName\(\s*[\"'`]([\w -]+)")
_READ = re.compile(r"var\(\s*(--[\w-]+)")
_SET = re.compile(r"(--[\w-]+)[\"'`]?\s*[:,]")
_GLOBAL = re.compile(r"\b(?:window|globalThis)\.([A-Za-z_$][\w$]*)(\s*=(?!=))?")
_OWN = re.compile(r"(?:class(?:Name)?|id)\s*=\s*(?:\{([^}]*)|[\"'`]([^\"'`]*)[\"'`])")
_MADE = re.compile(
    r"(?:className\s*\+?=|\.id\s*=|classList\.(?:add|toggle)\(|createElement\("
    r"|setAttribute\(\s*[\"'](?:class|id)[\"']\s*,)\s*([^;\n)]*)"
)
_ATTRIBUTE_MADE = re.compile(r"(?<![\[\w-])(data-[\w-]+)\s*=|dataset\.(\w+)\s*=")
_QUOTED = re.compile(r"[\"'`]([^\"'`]*)[\"'`]")
_NAME = re.compile(r"[\w-]+")
_TOKEN = re.compile(
    r"::?(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)|::?[\w-]+(?:\([^()]*\))?|\[[^\]]*\]"
    r"|[.#]-?(?:[\w-]|\\.)+|\*|[\w-]+|\s*[>+~]\s*|\s+"
)
_STATE = re.compile(
    r"::(?!not|is)[\w-]+(?:\([^()]*\))?"
    r"|:(?:hover|focus|focus-visible|focus-within|active|visited|link|disabled|before|after|target)"
    r"(?![\w-])"
)
_OF_A_PAGE = re.compile(
    r"\[(data-current-path|data-page-href|alt|title|src|href)\s*[*^$~|]?=[^\]]*\]"
)
_UTILITY = re.compile(
    r"\.(?:[\w-]*\\.[\w.\\-]*|(?:[a-z]+-)+(?:\d[\w.]*|full|auto|screen|px|none|popover|background|"
    r"foreground|semibold|inter|sm|xs|base|[a-z\d]*xl)|relative|absolute|inline-flex|container|italic)(?![\w-])"
)
# : Guesses of authors, in lists of which another selector matches: pages of the original product
#: have no such names either. Read by hand against its published components.
_GUESS = re.compile(
    r"#mdx-content.*|\.(?:content|highlight|markdown|prose-lg|prose-sm)"
    r"|\.dark a\.nav-tabs-item(?:\.active|\[aria-(?:selected|current)[^\]]*\]|\[class\*=.*)"
)
#: Libraries, other products, and browsers' own properties that pages need not have.
_FOREIGN = re.compile(
    r"addEventListener|removeEventListener|location|setTimeout|clearTimeout|setInterval|open"
    r"|clearInterval|matchMedia|parent|history|localStorage|sessionStorage|navigator|document"
    r"|innerWidth|innerHeight|scrollY|scrollTo|scrollBy|dispatchEvent|requestAnimationFrame"
    r"|getComputedStyle|crypto|fetch|URL|console|top|self|performance|print|postMessage|parent"
    r"|requestIdleCallback|pageYOffset|gtag|dataLayer|posthog|kapa|Kapa|Reo|formbricks"
    r"|Databeat\w*|amplitude\w*|MintlifyAssistant"
)
#: Names of repositories' own that their present pages do not use, read by hand. None of them is
#: one of the page.
_UNUSED = re.compile(
    r".*(?:\.u-(?:btn|console|cta|grid)|\.docs-image-placeholder|#seg-already-loaded|#root|\.bg-"
    r"(?:gradient|matrix)|\.theme-icon--dark|\[aria-label=.Preview Widget).*"
    r"|--(?:bg|border|brand|fg|text)-(?:tertiary|primary|secondary|quaternary|\d).*"
)


def main() -> None:
    options = _options()
    found = {
        _title(each): selectors_of(dict(_files(each)))
        for each in sorted(options.repositories, key=_title)
    }
    if options.write:
        with_names = {name: each for name, each in found.items() if any(each.values())}
        STORED.write_text(json.dumps(with_names, indent=1) + "\n")
    is_sound = is_good = report(found, names=options.names)
    if options.seed_defect and is_sound:
        print(f"with the defect '{options.seed_defect}'")
        is_good = report(found, options.seed_defect, names=options.names)
    finish(is_good, options.seed_defect, is_sound=is_sound)


def report(
    found: dict[str, dict[str, list[str]]], defect: str | None = None, *, names: bool
) -> bool:
    """Print counts for each repository and all; report whether few enough match nothing."""
    from author_pages import lacking

    missing = lacking(found, defect)
    for repository, selectors in found.items():
        line: dict[str, object] = {"repository": repository}
        for kind, each in selectors.items():
            line[kind] = len(each)
        line["unmatched"] = {kind: len(each) for kind, each in missing[repository].items() if each}
        if names:
            line["names"] = {kind: each for kind, each in missing[repository].items() if each}
        print(json.dumps(line))
    count, share = totals(found), unmatched_share(found, missing)
    print(json.dumps({"repositories": len(found), **count, "unmatched": round(share, 3)}))
    return share <= AT_MOST


def totals(found: dict[str, dict[str, list[str]]]) -> dict[str, int]:
    """Return the number of distinct names of each kind."""
    kinds = sorted({kind for each in found.values() for kind in each})
    return {
        kind: len({name for each in found.values() for name in each.get(kind, ())})
        for kind in kinds
    }


def unmatched_share(
    found: dict[str, dict[str, list[str]]], missing: dict[str, dict[str, list[str]]]
) -> float:
    """Return the share of distinct names, except utility classes and guesses, that no page has."""
    counted = {k: n for k, n in totals(found).items() if k not in BESIDE}
    lacking = {k: n for k, n in totals(missing).items() if k not in BESIDE}
    return sum(lacking.values()) / max(1, sum(counted.values()))


def selectors_of(files: dict[str, str]) -> dict[str, list[str]]:
    """Return the names that a repository expects in its pages, by kind."""
    own = {name for text in files.values() for name in _own(text)}
    texts = list(files.values())
    selectors = {piece for name, text in files.items() for piece in _selectors(name, text, own)}
    read = {name for text in texts for name in _READ.findall(_unfenced(text))}
    given = {name for text in texts for name in _SET.findall(_unfenced(text))}
    return {
        "selectors": _used(each for each in selectors if _kind(each) == "selectors"),
        "guesses": _used(each for each in selectors if _kind(each) == "guesses"),
        "utilities": _used(each for each in selectors if _kind(each) == "utilities"),
        "read": _used(read - given),
        "set": _used(_steering(files) - read),
        "globals": _used(_globals(files)),
    }


def _kind(selector: str) -> str:
    if _GUESS.fullmatch(selector):
        return "guesses"
    return "utilities" if _UTILITY.search(selector) else "selectors"


def _used(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if not _UNUSED.fullmatch(name))


def _steering(files: dict[str, str]) -> set[str]:
    """Return variables that style sheets set on the root."""
    sheets = [_COMMENT.sub("", text) for name, text in files.items() if name.endswith(_STYLES)]
    roots = [body for css in sheets for body in re.findall(r":root\s*\{([^}]*)\}", css)]
    return {name for body in roots for name in re.findall(r"(--[\w-]+)\s*:", body)}


def _globals(files: dict[str, str]) -> set[str]:
    used: set[str] = set()
    made: set[str] = set()
    for name, text in files.items():
        if not name.endswith((*_SCRIPTS, ".jsx", ".tsx", ".mdx")):
            continue
        for found, assigned in _GLOBAL.findall(_unfenced(text)):
            (made if assigned else used).add(found)
        if name.endswith((".jsx", ".tsx", ".mdx")) and re.search(
            r"\bReact\.use[A-Z]", _unfenced(text)
        ):
            used.add("React")
    return {name for name in used - made if not _FOREIGN.fullmatch(name)}


def _unfenced(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text)) if "```" in text else text


def _selectors(name: str, text: str, own: set[str]) -> Iterator[str]:
    if name.endswith(_STYLES):
        lists: Iterable[str] = _styled(text)
    elif name.endswith(_SCRIPTS):
        lists = _scripted(text)
    elif name.endswith((".md", ".html")):
        return
    else:
        page = _FENCE.sub("", text)
        styles = (rule for style in _STYLE_ELEMENT.findall(page) for rule in _styled(style))
        lists = (*styles, *_scripted(page))
    for selector in lists:
        for one in _split(selector):
            yield from _of_the_page(one, own)


def _of_the_page(selector: str, own: set[str]) -> Iterator[str]:
    """Yield the whole selector, or else its parts without the repository's own names."""
    plain = _OF_A_PAGE.sub(r"[\1]", _STATE.sub("", " ".join(selector.split())))
    compounds = _compounds(plain)
    if not any(_names_of(each) & own or _is_prefix(each, own) for each in compounds):
        if any(_names_of(each) for each in compounds):
            yield plain.strip()
        return
    for each in compounds:
        names = _names_of(each)
        if names and not names & own and not _is_prefix(each, own):
            yield each


def _compounds(selector: str) -> list[str]:
    compounds, current = [], ""
    for token in _TOKEN.findall(selector):
        if token.strip() in ("", ">", "+", "~"):
            compounds.append(current)
            current = ""
        else:
            current += token
    return [each for each in (*compounds, current) if each]


def _names_of(compound: str) -> set[str]:
    classes = re.findall(r"[.#](-?(?:[\w-]|\\.)+)", compound)
    return {*classes, *re.findall(r"\[\s*([\w-]+)", compound)} - {"dark", "light"}


def _is_prefix(compound: str, own: set[str]) -> bool:
    """Report whether it is the beginning of an id that a script completes."""
    stems = [name for name in _names_of(compound) if name.endswith("-")]
    return any(name.startswith(stem) for stem in stems for name in own)


def _split(selectors: str) -> Iterator[str]:
    """Yield the selectors of a list, respecting parentheses."""
    depth, start = 0, 0
    for at, char in enumerate(selectors):
        depth += (char in "([") - (char in ")]")
        if char == "," and not depth:
            yield selectors[start:at]
            start = at + 1
    yield selectors[start:]


def _styled(css: str) -> Iterator[str]:
    for selector in _RULE.findall(_COMMENT.sub("", css)):
        if not selector.lstrip().startswith("@") and not re.fullmatch(
            r"\s*(?:[\d.]+%|from|to)(?:\s*,.*)?\s*", selector
        ):
            yield selector


def _scripted(script: str) -> Iterator[str]:
    yield from (selector for _, selector in _CALL.findall(script) if "${" not in selector)
    yield from (f"#{name}" for name in _BY_ID.findall(script))
    for names in _BY_CLASS.findall(script):
        yield "." + ".".join(names.split())


def _own(text: str) -> Iterator[str]:
    for computed, value in _OWN.findall(text):
        for each in _QUOTED.findall(computed) if computed else [value]:
            yield from _NAME.findall(each)
    for made in _MADE.findall(text):
        for value in _QUOTED.findall(made):
            yield from _NAME.findall(value)
    for attribute, key in _ATTRIBUTE_MADE.findall(text):
        yield attribute or "data-" + re.sub(r"[A-Z]", lambda m: "-" + m[0].lower(), key)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help=f"write {STORED.name}")
    parser.add_argument("--names", action="store_true", help="list names that nothing has")
    parser.add_argument("--seed-defect", choices=DEFECTS, help="try this evaluation")
    return parser.parse_args()


def _title(repository: Path) -> str:
    """Return `owner/name` of a repository in a folder `owner+name`."""
    folder = repository.parent if repository.name in ("repo", ".git") else repository
    return (folder.parent if folder.name == "repo" else folder).name.replace("+", "/")


def _files(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files that style or make pages."""
    if (repository / ".git").is_dir():
        repository /= ".git"
    if (repository / "objects").is_dir():
        git = ["git", f"--git-dir={repository}"]
        chosen = _chosen(_output([*git, "ls-tree", "-r", "--name-only", "-z", "HEAD"]).split("\0"))
        yield from zip(chosen, _contents(git, chosen), strict=True)
        return
    paths = (path for path in repository.rglob("*") if path.is_file())
    for name in _chosen(sorted(path.relative_to(repository).as_posix() for path in paths)):
        yield name, (repository / name).read_text(encoding="utf-8", errors="replace")


def _chosen(paths: list[str]) -> list[str]:
    """Return the paths of the documentation's style sheets, scripts and pages."""
    docs = _documentation(paths)
    is_own_site = any(re.fullmatch(rf"{re.escape(docs)}next\.config\.\w+", each) for each in paths)
    return [
        path
        for path in paths
        if path.startswith(docs)
        and path.endswith(_STYLES + _SCRIPTS + _PAGES)
        and "node_modules/" not in path
        and "/." not in f"/{path}"
        and not (is_own_site and path.endswith((*_STYLES, *_SCRIPTS, ".tsx", ".jsx")))
    ]


def _contents(git: list[str], paths: list[str]) -> Iterator[str]:
    """Yield texts of the newest versions; "" for a file that a snapshot lacks."""
    asked = "".join(f"HEAD:{path}\n" for path in paths).encode()
    command = [*git, "cat-file", "--batch"]
    answer = subprocess.run(command, input=asked, check=True, stdout=subprocess.PIPE).stdout
    at = 0
    for _ in paths:
        end = answer.index(b"\n", at)
        head, at = answer[at:end].split(), end + 1
        if head[-1] == b"missing":
            yield ""
            continue
        size = int(head[-1])
        yield answer[at : at + size].decode(errors="replace")
        at += size + 1


def _documentation(paths: list[str]) -> str:
    """Return the folder of the settings file that is nearest to the root, with its slash."""
    found = [each for each in paths if re.search(r"(?:^|/)(?:docs|mint)\.json$", each)]
    nearest = min(found, key=lambda each: (each.count("/"), each), default="")
    return nearest.rpartition("/")[0] + "/" if "/" in nearest else ""


def _output(command: list[str]) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode(
        errors="replace"
    )


if __name__ == "__main__":
    main()
