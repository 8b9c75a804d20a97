"""Plain English in names, docstrings and guides, and keys of settings: counts that only fall.

    python checks/words.py [--show RULE] [--lower]

Each rule counts what it finds in the code and the documentation. The command fails if a count is
above its limit in words.toml, which also lists accepted names with the reason. `--show` prints the
findings of a rule, `--lower` writes the counts as limits where they have fallen. "Words" in
CONTRIBUTING.md has the reasons.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIMITS = ROOT / "checks" / "words.toml"
CODE = ("src", "tests", "bench", "evals", "checks")
SCRIPTS = ("engine/src", "engine/browser", "engine/test", "engine/scripts", "tests")
_SCRIPT_SUFFIXES = (".ts", ".tsx", ".mjs", ".js", ".css")
_RIDDLE = re.compile(r"(?:What|Who|Whoever|Whatever|Where|Wherever|Which|How|Those)\b")
_SCRIPT_COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
_COMMENT_MARGIN = re.compile(r"\n\s*\*? *")
# A class is a thing, so its name ends in a noun.
_PARTICIPLE = re.compile(r"^[A-Z][a-z]+(?:ed|ing)$|(?:Kept|Given|Told|Heard|Said)$")
_TRAILING = re.compile(r"_(?:on|back|again|after|anew|alone)$|[a-z](?:In|On|Up|Out|Back|Again)$")
# Words of the dialect as parts of names of variables, functions and parameters.
_DIALECT = re.compile(
    r"(?:^|_)(?:told|tells?|telling|faults?|drawn|recall(?:s|ed)?|twins?|desks?|judged|hears?|heard"
    r"|mend(?:s|ed)?|settled?|narrow(?:ed|ing)|likeness|surroundings|shelf|gathering|grounds)(?:_|$)",
    re.IGNORECASE,
)
_ONE_WORD = re.compile(r"[A-Z][a-z]+$")
# Nouns of an agent or a process are roles, as in Reader, Renderer, Selection and Settings.
_ROLE = re.compile(r"(?:er|or|ion|ings|ment|ance|ence|ure|ity|ness|ship|ism|ics|ex|ery)$")
# A key of docs.json that is read by its name, not through its declaration (content/config.py).
_KEY_READ = re.compile(
    r"\.(?:text|texts|flag|number|choice|color|href|child|objects|array|mapping|themed|themed_color"
    r"|position|wrong|values\.get)"
    r"""\(\s*["']([\w$]+)["']|values\[["']([\w$]+)["']\]|["']([\w$]+)["'](?: not)? in \w+\.values"""
)
_KEY_READER = "from docstead.repository.json_fields import ObjectReader"
_FENCE = re.compile(r"^ *(`{3,})[^\n]*\n.*?^ *\1", re.MULTILINE | re.DOTALL)
_CODE_SPAN = re.compile(r"`[^`\n]*`|\]\([^)]*\)|https?://[^\s>]+")
_SENTENCE = re.compile(r"[^.!?:|\n]+")
LONGEST_SENTENCE = 25  # words


@dataclass(frozen=True)
class WordFinding:
    rule: str
    position: str
    text: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", default="", metavar="RULE", help="print the findings of a rule")
    parser.add_argument("--lower", action="store_true", help="write lower counts as limits")
    options = parser.parse_args()
    limits, phrases, accepted = _configuration()
    found = [*code_findings(phrases), *script_findings(phrases), *guide_findings(phrases)]
    findings = [each for each in found if each.text not in accepted.get(each.rule, ())]
    counts = Counter(finding.rule for finding in findings)
    for finding in findings:
        if finding.rule == options.show:
            print(f"{finding.position}: {finding.text}")
    for rule, limit in limits.items():
        note = "" if counts[rule] == limit else f"  limit {limit}"
        print(f"{rule:24} {counts[rule]:5}{note}")
    if options.lower:
        _write({rule: min(limit, counts[rule]) for rule, limit in limits.items()})
    above = [rule for rule in counts if counts[rule] > limits.get(rule, 0)]
    seen = {each.text for each in found}
    stale = [name for names in accepted.values() for name in names if name not in seen]
    for name in stale:
        print(f"{name} need not be accepted any more: no rule finds it.", file=sys.stderr)
    for rule in above:
        print(f"More {rule} than before. See them: checks/words.py --show {rule}", file=sys.stderr)
    return int(bool(above or stale))


def code_findings(phrases: re.Pattern[str]) -> Iterator[WordFinding]:
    """Findings in names and docstrings of Python files."""
    classes: dict[str, list[str]] = {}
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text, name = path.read_text(), str(path.relative_to(ROOT))
            if folder == "src" and _KEY_READER in text:
                yield from key_findings(text, name)
            for node in ast.walk(ast.parse(text)):
                if isinstance(
                    node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
                ):
                    position = f"{name}:{getattr(node, 'lineno', 1)}"
                    yield from docstring_findings(ast.get_docstring(node) or "", position, phrases)
                    if isinstance(node, ast.ClassDef):
                        classes.setdefault(node.name, []).append(position)
                    if not isinstance(node, ast.Module):
                        yield from name_findings(node.name, position, folder)
                if folder == "src":
                    yield from dialect_findings(node, name)
    yield from ambiguity_findings(classes)


def script_findings(phrases: re.Pattern[str]) -> Iterator[WordFinding]:
    """Findings in documentation comments of TypeScript and JavaScript."""
    for path in script_paths(ROOT):
        yield from comment_findings(path.read_text(), str(path.relative_to(ROOT)), phrases)


def script_paths(root: Path) -> list[Path]:
    """Return scripts and style sheets in order, except those of installed packages."""
    found: list[Path] = []
    for folder in SCRIPTS:
        for parent, inner, names in os.walk(root / folder):
            if "node_modules" in inner:
                inner.remove("node_modules")
            found += (Path(parent, name) for name in names if name.endswith(_SCRIPT_SUFFIXES))
    return sorted(found)


def comment_findings(script: str, path: str, phrases: re.Pattern[str]) -> Iterator[WordFinding]:
    for comment in _SCRIPT_COMMENT.finditer(script):
        text = _COMMENT_MARGIN.sub(" ", comment[1]).strip()
        position = f"{path}:{script.count(chr(10), 0, comment.start()) + 1}"
        yield from docstring_findings(text, position, phrases)


def key_findings(text: str, path: str) -> Iterator[WordFinding]:
    """Keys of docs.json that a module spells itself."""
    for number, line in enumerate(text.splitlines(), 1):
        for found in _KEY_READ.finditer(line):
            yield WordFinding("settings-key", f"{path}:{number}", found[found.lastindex or 1])


def ambiguity_findings(classes: Mapping[str, Sequence[str]]) -> Iterator[WordFinding]:
    """Names of classes that are defined at several positions."""
    for name, positions in classes.items():
        if len(positions) > 1:
            rule = "ambiguous-private-class" if name.startswith("_") else "ambiguous-class"
            yield WordFinding(rule, positions[0], f"{name}: {', '.join(positions[1:])}")


def docstring_findings(text: str, position: str, phrases: re.Pattern[str]) -> Iterator[WordFinding]:
    if _RIDDLE.match(text):
        yield WordFinding("riddle-docstring", position, text.partition("\n")[0])
    for found in phrases.finditer(text):
        yield WordFinding("docstring-phrase", position, found[0])


def name_findings(name: str, position: str, folder: str) -> Iterator[WordFinding]:
    bare = name.lstrip("_")
    if folder == "tests":
        return
    if _TRAILING.search(bare):
        yield WordFinding("trailing-adverb", position, name)
    if not bare[:1].isupper():
        return
    if _PARTICIPLE.search(bare):
        yield WordFinding("class-participle", position, name)
    elif _ONE_WORD.match(bare) and not _ROLE.search(bare):
        yield WordFinding("class-one-word", position, name)


def dialect_findings(node: ast.AST, path: str) -> Iterator[WordFinding]:
    """Names of variables, attributes, parameters and functions with words of the dialect."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            pass
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            pass
        case _:
            return
    if _DIALECT.search(name):
        yield WordFinding("dialect-name", f"{path}:{node.lineno}", name)


def guide_findings(phrases: re.Pattern[str]) -> Iterator[WordFinding]:
    """Findings in the sentences of the documentation."""
    for position, prose in guide_lines():
        for found in phrases.finditer(prose):
            yield WordFinding("guide-phrase", position, found[0])
        for sentence in _SENTENCE.findall(prose):
            if len(sentence.split()) > LONGEST_SENTENCE:
                yield WordFinding("long-sentence", position, sentence.strip())


def guide_lines() -> Iterator[tuple[str, str]]:
    """Yield the position and the prose of each line of the documentation, without code."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.mdx")]
    for path in sorted(pages):
        text = _FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), path.read_text())
        for number, line in enumerate(text.splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", _CODE_SPAN.sub("code", line)


def _configuration() -> tuple[dict[str, int], re.Pattern[str], Mapping[str, Sequence[str]]]:
    """Return the limits, the phrases and the accepted names of each rule."""
    values = tomllib.loads(LIMITS.read_text())
    accepted: dict[str, list[str]] = {}
    for group in values["accepted"]:
        accepted.setdefault(group["rule"], []).extend(group["names"])
    phrases = re.compile(rf"\b(?:{'|'.join(values['phrases'])})\b", re.IGNORECASE)
    return values["limits"], phrases, accepted


def _write(limits: dict[str, int]) -> None:
    lines = "\n".join(f"{rule} = {limit}" for rule, limit in limits.items())
    text = re.sub(r"\[limits\]\n.*", f"[limits]\n{lines}\n", LIMITS.read_text(), flags=re.DOTALL)
    LIMITS.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
