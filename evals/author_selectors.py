"""Names of the page that stylesheets and scripts of repositories select, and that pages lack.

    python evals/author_selectors.py REPOSITORY… [--product FOLDER] [--at-most SHARE] [--names]

A repository is a folder, or the directory of a bare git repository. Selectors of its CSS files,
of `<style>` elements and of calls such as `querySelector` are split into classes, ids, attributes
of parts and CSS variables. Names that the repository defines itself, in its pages, scripts or
styles, and the original's utility classes do not count. A name is matched if the sources of
pages have it as a word: the file of a component, of the shell or of its styles. Prints JSON
lines with counts for each repository, and with `--names` the names that nothing has. Ends with
status 1 where the share of unmatched names is above `--at-most`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_STYLES, _SCRIPTS, _PAGES = (".css",), (".js",), (".mdx", ".md", ".jsx", ".tsx", ".html")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{};]+)\{")
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_CALL = re.compile(r"(?:querySelector(?:All)?|closest|matches)\(\s*([\"'`])(.*?)\1", re.DOTALL)
_BY_ID = re.compile(r"getElementById\(\s*[\"'`]([\w-]+)")
_BY_CLASS = re.compile(r"getElementsByClassName\(\s*[\"'`]([\w -]+)")
_ATOM = re.compile(
    r"(?P<part>\[data-component-part\s*[*^$~|]?=\s*[\"']?(?P<value>[\w-]+))"
    r"|\.(?P<cls>-?[A-Za-z_](?:[\w-]|\\.)*)|#(?P<id>-?[A-Za-z_][\w-]*)"
)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")
_DEFINED = re.compile(r"(--[\w-]+)\s*[:\"']")
_OWN = re.compile(r"(?:class(?:Name)?|id)\s*=\s*(?:\{\s*)?[\"'`]([^\"'`]*)[\"'`]")
_MADE = re.compile(
    r"(?:className\s*\+?=|\.id\s*=|classList\.(?:add|toggle)\(|setAttribute\(\s*[\"'](?:class|id)"
    r"[\"']\s*,)\s*([^;\n)]*)"
)
_QUOTED = re.compile(r"[\"'`]([^\"'`]*)[\"'`]")
_UTILITY = re.compile(
    r".*[\\:/\[\]].*|(?:[a-z]+-)+(?:\d[\w.]*|full|auto|screen|px|none)$|dark|light"
)
_WORD = re.compile(r"[\w-]+")


def main() -> int:
    options = _options()
    words = _words_of(options.product)
    total: dict[str, set[str]] = {"matched": set(), "unmatched": set()}
    for repository in options.repositories:
        names = _names(dict(_files(repository)))
        lacking = {name for name in names if name.split(":", 1)[1] not in words}
        line: dict[str, object] = {
            "repository": repository.parent.name if repository.name == "repo" else repository.name,
            "names": len(names),
            "matched": len(names) - len(lacking),
        }
        if options.names:
            line["unmatched"] = sorted(lacking)
        print(json.dumps(line))
        total["matched"] |= names - lacking
        total["unmatched"] |= lacking
    count = len(total["matched"] | total["unmatched"])
    share = len(total["unmatched"]) / count if count else 0.0
    print(json.dumps({"names": count, "unmatched": round(share, 3)}))
    return 0 if share <= options.at_most else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--product", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--at-most", type=float, default=1.0)
    parser.add_argument("--names", action="store_true", help="list names that nothing has")
    return parser.parse_args()


def _words_of(product: Path) -> set[str]:
    """Words of the sources that make pages."""
    folders = ("engine/src", "engine/browser", "src/docstead/site")
    files = (path for folder in folders for path in (product / folder).rglob("*"))
    read = (path for path in files if path.suffix in (".ts", ".tsx", ".css", ".py", ".html"))
    return {word for path in read for word in _WORD.findall(path.read_text(encoding="utf-8"))}


def _files(repository: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files that style or make pages."""
    kinds = _STYLES + _SCRIPTS + _PAGES
    if not (repository / "objects").is_dir():
        for path in sorted(repository.rglob("*")):
            if path.suffix in kinds and path.is_file() and "node_modules" not in path.parts:
                yield str(path), path.read_text(encoding="utf-8", errors="replace")
        return
    git = ["git", f"--git-dir={repository}"]
    listed = _output([*git, "ls-tree", "-r", "--name-only", "-z", "HEAD"]).split("\0")
    docs = _documentation(listed)
    wanted = [
        path
        for path in listed
        if path.startswith(docs) and path.endswith(kinds) and "node_modules/" not in path
    ]
    yield from zip(wanted, _contents(git, wanted), strict=True)


def _contents(git: list[str], paths: list[str]) -> Iterator[str]:
    """Texts of the newest versions; "" for a file that a snapshot lacks."""
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


def _names(files: dict[str, str]) -> set[str]:
    """Selected names as `class:card`, `id:navbar`, `part:card-title`, `variable:--primary`."""
    own: set[str] = set()
    names: set[str] = set()
    for path, text in files.items():
        own |= set(_own(text))
        if path.endswith(_STYLES):
            names |= set(_styled(text))
        elif path.endswith(_SCRIPTS):
            names |= set(_scripted(text))
        else:
            for style in _STYLE_ELEMENT.findall(text):
                names |= set(_styled(style))
    return {name for name in names if _is_of_the_page(name.split(":", 1)[1], own)}


def _is_of_the_page(name: str, own: set[str]) -> bool:
    return name not in own and not _UTILITY.fullmatch(name)


def _own(text: str) -> Iterator[str]:
    for value in _OWN.findall(text):
        yield from _WORD.findall(value)
    for made in _MADE.findall(text):
        for value in _QUOTED.findall(made):
            yield from _WORD.findall(value)
    yield from _DEFINED.findall(text)


def _styled(css: str) -> Iterator[str]:
    text = _COMMENT.sub("", css)
    for selector in _RULE.findall(text):
        if not selector.lstrip().startswith("@"):
            yield from _atoms(selector)
    yield from (f"variable:{name}" for name in _VARIABLE.findall(text))


def _scripted(script: str) -> Iterator[str]:
    for _, selector in _CALL.findall(script):
        yield from _atoms(selector)
    yield from (f"id:{name}" for name in _BY_ID.findall(script))
    for names in _BY_CLASS.findall(script):
        yield from (f"class:{name}" for name in names.split())


def _atoms(selector: str) -> Iterator[str]:
    for found in _ATOM.finditer(selector):
        if found["part"]:
            yield f"part:{found['value']}"
        elif found["cls"]:
            yield f"class:{found['cls']}"
        else:
            yield f"id:{found['id']}"


if __name__ == "__main__":
    sys.exit(main())
