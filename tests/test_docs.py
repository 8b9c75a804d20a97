"""The project's own documentation is published by the project itself, and is complete."""

from __future__ import annotations

import json
import re
from pathlib import Path

from typer.main import get_command

from docstead.cli.commands import program
from docstead.hosting.bundle.files import BundleFile
from docstead.loading.loader import load_repository
from docstead.rendering import RenderingEngine

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
_PROPS = re.compile(r"(?:interface|type) (\w*Props)\b[^{;]*\{(.*?)\n\}", re.DOTALL)
_INNER_PROPS = ("GlyphProps", "ImageIconProps", "LabelProps", "MarkupProps", "PillProps")
_UNDOCUMENTED = {
    "children", "class", "className", "style",  # of all components
    "date", "stroke", "to",  # former names of `description`, `variant` and `href`
    "raw",  # from the compiler
}  # fmt: skip
_PROPERTY = re.compile(r"^  (\w+)\??:", re.MULTILINE)
_ROW = re.compile(r"^\| (.*?) \| (.*?) \|", re.MULTILINE)
_CODE = re.compile(r"\"([a-z]+(?:-[a-z0-9]+)+)\"")


def test_every_page_renders_without_a_diagnostic() -> None:
    repository = load_repository(DOCS)
    with RenderingEngine(1) as engine:
        pages = list(engine.render(repository, tuple(repository.pages)))
    diagnostics = [
        *repository.diagnostics,
        *(diagnostic for page in pages for diagnostic in page.diagnostics),
    ]
    assert [str(diagnostic) for diagnostic in diagnostics] == []
    assert len(pages) == len(repository.pages)
    assert all(meta.in_navigation for meta in repository.site.pages.values())


def test_the_proxy_of_a_bundle_keeps_files_that_are_named_by_their_content() -> None:
    (pattern,) = re.findall(r'location ~ "([^"]+)"', (DOCS / "guides" / "proxies.mdx").read_text())
    names = {
        "_docs/search/index.js", "_docs/manifest.json", "_docs/export.json", "guides/export.html",
        "_docs/search/33f96ac4a562/0-r10.js", "_docs/site.f3414e9f8bbe.css", "index.html",
        "_docs/inter-latin-ext.34b9c504cab7.woff2", "_islands/counter.3100e775e861.js",
    }  # fmt: skip
    kept = {name for name in names if re.search(pattern, f"/{name}")}
    assert kept == {name for name in names if BundleFile(name, 1, "").is_immutable}


def test_every_command_is_documented() -> None:
    reference = (DOCS / "reference" / "cli.mdx").read_text()
    found = get_command(program()).commands  # type: ignore[attr-defined]
    assert found
    for name, command in found.items():
        assert f"## docstead {name}" in reference
        for inner in getattr(command, "commands", {}):
            assert f"docstead {name} {inner}" in reference


def test_every_component_is_documented() -> None:
    reference = (DOCS / "reference" / "components.mdx").read_text()
    index = (ROOT / "engine" / "src" / "components" / "index.ts").read_text()
    table = index.partition("components: Record")[2].partition("};")[0]
    names = re.findall(r"^  (\w+)(?:: \w+)?,$", table, re.MULTILINE)
    assert len(names) > 40
    assert [name for name in names if not re.search(rf"[<`]{name}\b", reference)] == []


def test_documented_properties_of_components_are_those_that_are_read() -> None:
    folder = ROOT / "engine" / "src"
    sources = [*sorted(folder.glob("components/*.ts*")), folder / "runtime" / "visibility.tsx"]
    text = "\n".join(path.read_text() for path in sources)
    bodies = (body for name, body in _PROPS.findall(text) if name not in _INNER_PROPS)
    read = {name for body in bodies for name in _PROPERTY.findall(body)}
    read |= set(re.findall(r"\w+", text.partition("LOCATIONS = [")[2].partition("]")[0]))
    rows = _ROW.findall((DOCS / "reference" / "components.mdx").read_text())
    documented = {name for cell, _ in rows for name in re.findall(r"`([a-z]\w*)`", cell)}
    listed = {name for _, cell in rows for name in re.findall(r"`([a-z]\w*)`", cell)}
    assert len(read) > 50
    assert read - documented - listed == _UNDOCUMENTED
    assert documented - read == {"expandable", "lines", "nocopy", "wrap"}  # of code blocks


def test_every_documented_diagnostic_exists() -> None:
    reference = (DOCS / "reference" / "diagnostics.mdx").read_text()
    rows = re.findall(r"^\| (`[^|]+`) \|", reference, re.MULTILINE)
    documented = {code for row in rows for code in re.findall(r"`([a-z0-9-]+)`", row)}
    assert len(documented) > 40
    assert documented - _codes_in_the_source() == set()


def test_every_diagnostic_of_a_repository_is_documented() -> None:
    reference = (DOCS / "reference" / "diagnostics.mdx").read_text()
    packages = ("content", "repository", "loading", "reference")
    files = [each for name in packages for each in ROOT.glob(f"src/docstead/{name}/**/*.py")]
    text = "\n".join(path.read_text() for path in files)
    given = set(re.findall(r"\.(?:error|warning|info)\(\s*[^\"()]+,\s*\"([a-z0-9-]+)\"", text))
    assert len(given) > 15
    assert {code for code in given if f"`{code}`" not in reference} == set()


def _codes_in_the_source() -> set[str]:
    files = [*ROOT.glob("src/docstead/**/*.py"), *ROOT.glob("engine/src/**/*.ts*")]
    single = {"autolink"}
    text = "\n".join(path.read_text() for path in files)
    return set(_CODE.findall(text)) | {word for word in single if f'"{word}"' in text}


def test_fragments_of_json_are_json() -> None:
    for page in DOCS.rglob("*.mdx"):
        for block in re.findall(r"```json[^\n]*\n(.*?)```", page.read_text(), re.DOTALL):
            json.loads(block)


def test_every_option_of_a_command_is_documented() -> None:
    reference = (DOCS / "reference" / "cli.mdx").read_text()
    for name, command in get_command(program()).commands.items():  # type: ignore[attr-defined]
        _, _, section = reference.partition(f"## docstead {name}\n")
        section = section.partition("\n## ")[0]
        inner = getattr(command, "commands", {"": command}).values()
        options = {o for each in inner for p in each.params for o in p.opts if o.startswith("--")}
        assert {o for o in options - {"--help"} if o not in section} == set(), name


def test_only_parameters_of_paths_are_shown_as_such() -> None:
    named = [
        (name, page)
        for page in DOCS.rglob("*.mdx")
        for name in re.findall(r'<ParamField path="([^"]+)"', page.read_text())
    ]
    assert named
    for name, page in named:
        assert f"{{{name}}}" in page.read_text(), f"{page}: {name}"
