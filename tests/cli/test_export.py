"""Exports as a user makes them: the same bytes each time, and what the options do."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from docstead.base.api_keys import KeyKind, new_key
from docstead.base.errors import InvalidRequest
from docstead.cli.early_parent import seems_unchanged
from docstead.cli.export_options import ExportFlags, export_options, external_services_of, left_out
from docstead.publishing.sources import DocumentationSource
from docstead.theme.external_services import NOTHING, AssistantLink, ExternalServices, ReadersLink
from sampled_cases import one_in


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def edit(source: Path) -> None:
    """A change to one page, a new page and a page that is gone."""
    (source / "guides" / "keys.mdx").write_text("---\ntitle: Keys\n---\n\n## Keep a key\n")
    (source / "guides" / "new.mdx").write_text("---\ntitle: New\n---\n\nSee [keys](/guides/keys).")
    config = json.loads((source / "docs.json").read_text())
    config["navigation"]["pages"] = ["index", "guides/keys", "guides/new"]
    (source / "docs.json").write_text(json.dumps(config))


@pytest.mark.deep
def test_an_incremental_export_is_the_same_bytes_as_a_clean_one(
    docstead, source: Path, tmp_path: Path
) -> None:
    cache = ("--cache", tmp_path / "cache")
    assert docstead("export", source, "-o", tmp_path / "warm", *cache).returncode == 0
    edit(source)
    for output in ("warm", "warm.tar.gz", "warm.zip"):
        assert docstead("export", source, "-o", tmp_path / output, *cache).returncode == 0
    for output in ("clean", "clean.tar.gz", "clean.zip"):
        assert docstead("export", source, "-o", tmp_path / output).returncode == 0
    assert contents(tmp_path / "warm") == contents(tmp_path / "clean")
    for suffix in (".tar.gz", ".zip"):
        warm, clean = tmp_path / f"warm{suffix}", tmp_path / f"clean{suffix}"
        assert warm.read_bytes() == clean.read_bytes()


def settings(source: Path, **values: object) -> None:
    config = json.loads((source / "docs.json").read_text())
    (source / "docs.json").write_text(json.dumps({**config, **values}))


def frontmatter(source: Path, line: str) -> None:
    page = source / "guides" / "keys.mdx"
    page.write_text(page.read_text().replace("---\n", f"---\n{line}\n", 1))


CHANGES: dict[str, Callable[[Path], None]] = {
    "colors": lambda source: settings(source, colors={"primary": "#7C3AED"}),
    "name": lambda source: settings(source, name="Manual"),
    "footer": lambda source: settings(source, footer={"socials": {"github": "https://a.example"}}),
    "description": lambda source: frontmatter(source, "description: Keys and their rotation"),
    "title in the sidebar": lambda source: frontmatter(source, "sidebarTitle: All keys"),
    "order": lambda source: settings(source, navigation={"pages": ["guides/keys", "index"]}),
    "pages": edit,
}


def test_after_a_change_of_any_kind_an_export_is_as_from_scratch(
    docstead, source: Path, tmp_path: Path
) -> None:
    warm, clean = tmp_path / "warm", tmp_path / "clean"
    docstead("export", source, "-o", warm, "--cache", tmp_path / "cache")
    for name, change in CHANGES.items():
        change(source)
        docstead("export", source, "-o", warm, "--cache", tmp_path / "cache")
        docstead("export", source, "-o", clean)
        assert contents(warm) == contents(clean), name


def test_no_worker_starts_where_nothing_seems_to_have_changed(
    docstead, source: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    assert not seems_unchanged(str(source), None)
    assert not seems_unchanged(str(source), cache)
    docstead("export", source, "-o", tmp_path / "site", "--cache", cache)
    assert seems_unchanged(str(source), cache)
    assert not seems_unchanged("https://git.example/docs", cache)
    (source / "guides" / "keys.mdx").rename(source / "guides" / "other.mdx")
    assert not seems_unchanged(str(source), cache)
    docstead("export", source, "-o", tmp_path / "site", "--cache", cache)
    assert seems_unchanged(str(source), cache)
    (source / "guides" / "other.mdx").write_text("# Edited")
    assert not seems_unchanged(str(source), cache)


# In a process of its own, because one that has run V8 cannot be forked.
_BEGUN = """
import dataclasses, os, sys
from docstead.cli.early_parent import begun_parent

def recorded():
    renders, is_compiled = "docstead.rendering" in sys.modules, "exec" in vars(dataclasses)
    print("modules that render" * renders, "methods" * is_compiled, flush=True)
    return fork()

fork, os.fork = os.fork, recorded
parent = begun_parent(sys.argv[1:])
if parent is not None:
    parent.close()
"""


def early_forks(*arguments: object, **variables: str) -> list[str]:
    """Return what the command has imported when it forks its early processes."""
    command = [sys.executable, "-c", _BEGUN, *map(str, arguments)]
    environment = {"PATH": os.environ["PATH"], **variables}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def test_processes_begin_before_the_options_are_read_only_after_an_edit(
    docstead, source: Path, tmp_path: Path
) -> None:
    cache = ("--cache", tmp_path / "cache")
    command = ("export", source, "-o", tmp_path / "site", *cache)
    assert not early_forks(*command)
    docstead(*command)
    assert not early_forks(*command)
    (source / "guides" / "keys.mdx").write_text("# Edited")
    worker, parent_of_builder = " methods", "modules that render methods"
    assert early_forks(*command) == [worker, parent_of_builder]
    assert not early_forks(*command, SOME_TOKEN="secret")
    assert not early_forks("export", *cache, source, "-o", tmp_path / "site")
    assert not early_forks("check", *command[1:])
    assert not early_forks("export")


def test_what_has_not_changed_is_not_written_again(docstead, source: Path, tmp_path: Path) -> None:
    target, cache = tmp_path / "site", ("--cache", tmp_path / "cache")
    first = docstead("export", source, "-o", target, "--json", *cache)
    inode = target.stat().st_ino
    second = docstead("export", source, "-o", target, "--json", *cache)
    reports = [json.loads(ended.stdout) for ended in (first, second)]
    assert [each["pages"] for each in reports] == [2, 2]
    assert reports[0]["diagnostics"] == reports[1]["diagnostics"]
    assert target.stat().st_ino == inode

    (target / "index.html").write_text("spoilt")
    docstead("export", source, "-o", target, *cache)
    assert "Welcome" in (target / "index.html").read_text()
    docstead("export", source, "-o", target, "--version", "2", *cache)
    assert json.loads((target / "_docs" / "export.json").read_text())["version"] == "2"


@pytest.mark.parametrize("name", one_in(3, ["edition.sqlite", "last.json", "parsed.pickle"]))
def test_a_damaged_cache_does_no_harm(docstead, source: Path, tmp_path: Path, name: str) -> None:
    cache = ("--cache", tmp_path / "cache")
    docstead("export", source, "-o", tmp_path / "site", *cache)
    before = contents(tmp_path / "site")
    next((tmp_path / "cache").rglob(name)).write_bytes(b"damaged")
    assert docstead("export", source, "-o", tmp_path / "site", *cache).returncode == 0
    assert contents(tmp_path / "site") == before


def test_the_manifest_lists_every_file_with_its_digest(
    docstead, source: Path, tmp_path: Path
) -> None:
    docstead("export", source, "-o", tmp_path / "site.tar.gz")
    with tarfile.open(tmp_path / "site.tar.gz") as archive:
        found = {name: archive.extractfile(name).read() for name in archive.getnames()}
    listed = json.loads(found.pop("_docs/manifest.json"))["files"]
    assert listed == {
        path: {"sha256": hashlib.sha256(data).hexdigest(), "sizeBytes": len(data)}
        for path, data in found.items()
    }
    facts = json.loads(found["_docs/export.json"])
    assert facts["deploymentType"] == "client-hosted"
    assert facts["features"] == {
        "search": True, "assistant": False, "analytics": False, "playground": True,
    }  # fmt: skip


def test_a_zip_has_a_page_to_start_from(docstead, source: Path, tmp_path: Path) -> None:
    assert docstead("export", source, "-o", tmp_path / "site.zip").returncode == 0
    with zipfile.ZipFile(tmp_path / "site.zip") as archive:
        archive.extractall(tmp_path / "out")
        assert archive.testzip() is None
    launcher = (tmp_path / "out" / "Start Docs.html").read_text()
    assert "url=site/index.html" in launcher
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["Start Docs.html", "site"]
    docstead("export", source, "-o", tmp_path / "site")
    assert contents(tmp_path / "out" / "site") == contents(tmp_path / "site")


def test_some_pages_and_a_folder_for_them(docstead, source: Path, tmp_path: Path) -> None:
    ended = docstead(
        "export", source, "-o", tmp_path / "site", "--paths", "guides/keys", "--base-path", "/docs"
    )
    assert ended.returncode == 0, ended.stderr
    found = contents(tmp_path / "site")
    assert "guides/keys.html" in found
    assert b"guides/keys.html" in found["index.html"]  # leads on: its page was not requested
    assert b'href="/docs/_docs/' in found["404.html"]


def test_pages_for_groups_are_in_a_bundle_that_is_made_for_them(
    docstead, source: Path, tmp_path: Path
) -> None:
    (source / "index.mdx").write_text("---\ntitle: Home\n---\n\n[Prices](/prices)\n")
    (source / "prices.mdx").write_text("---\ntitle: Prices\ngroups: [partners]\n---\n\nTen\n")
    (source / "unread.mdx").write_text("---\ntitle: Unread\ngroups: {a: 1}\n---\n\nTen\n")
    config = json.loads((source / "docs.json").read_text())
    config["navigation"]["pages"] = ["index", "prices"]
    (source / "docs.json").write_text(json.dumps(config))
    ended = docstead("export", source, "-o", tmp_path / "open", "--json")
    diagnostics = [(each["file"], each["code"]) for each in json.loads(ended.stdout)["diagnostics"]]
    assert ("prices.mdx", "page-for-groups") in diagnostics
    assert ("unread.mdx", "page-for-groups") not in diagnostics
    assert ("unread.mdx", "frontmatter-groups") in diagnostics
    found = contents(tmp_path / "open")
    assert not [path for path in found if "prices" in path]
    assert not [path for path, data in found.items() if b"Ten" in data or (b">Prices<" in data
                and path != "index.html")]  # fmt: skip
    docstead("export", source, "-o", tmp_path / "theirs", "--groups", "staff,partners")
    assert b"Ten" in contents(tmp_path / "theirs")["prices.html"]


@pytest.mark.deep
def test_an_air_gapped_bundle_has_no_search(docstead, source: Path, tmp_path: Path) -> None:
    air = ("--deployment-type", "air-gapped")
    docstead("export", source, "-o", tmp_path / "air", *air)
    assert not [path for path in contents(tmp_path / "air") if "search" in path]
    refused = docstead(
        "export", source, "-o", tmp_path / "own", *air, "--feature", "browserSearch=on"
    )
    assert refused.returncode == 2
    assert "features.browserSearch: no longer a feature; `search`" in refused.stderr
    docstead("export", source, "-o", tmp_path / "client", "--feature", "search=off")
    assert not [path for path in contents(tmp_path / "client") if "search" in path]


CLIENT, AIR, CLOUD = "client-hosted", "air-gapped", "cloud"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("", None, None, "lan", ()), "--deployment-type: must be one of cloud"),
        (
            ("", None, None, CLIENT, ["search"]),
            "--feature: 'search' does not have the form search=off",
        ),
        (("", None, None, CLIENT, ["chat=on"]), "--feature: features.chat: no such feature"),
        (("", None, None, AIR, ["assistant=on"]), "--feature: features.assistant: not available"),
        (("", None, None, CLIENT, ["assistant=on"]), "--feature: assistant=on requires a service"),
        (("", None, None, CLIENT, ["analytics=on"]), "--service-url, --service-domain and"),
        (("", None, None, CLOUD, ["search=off"]), "--feature: features.search: always on"),
        (("", None, None, CLIENT, ["playground=off"]), "features.playground: always on"),
        (("", None, " ", CLIENT, ()), "version: must have 1 to 200 printable characters"),
        (("", "docs", None, CLIENT, ()), "--base-path: 'docs' is not a path"),
        (("", "/a/../b", None, CLIENT, ()), "--base-path: '/a/../b' contains . or .."),
        (("https://x.example/b", "/a", None, CLIENT, ()), "the path of --base-url is '/b'"),
        (("docs.example.com", None, None, CLIENT, ()), "--base-url: must be a URL such as"),
        (("javascript:alert(1)", None, None, CLIENT, ()), "--base-url: must be a URL such as"),
        (("https://x.example?a=b", None, None, CLIENT, ()), "--base-url: must be a URL such as"),
    ],
)
def test_what_cannot_be_is_named(options, message) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        export_options(ExportFlags(*options))
    assert message in refusal.value.message


@pytest.mark.parametrize(
    ("service", "message"),
    [
        (("https://docs.example", "", ""), "--service-domain: is required with"),
        (("", "acme", "svc_dsc_1"), "--service-url: is required with"),
        (("docs.example", "acme", "svc_dsc_1"), "--service-url: 'docs.example' is not a URL"),
        (("https://docs.example", "acme", "svc_1"), "--service-key: must be an assistant key"),
        (("https://docs.example", "Acme!", new_key(KeyKind.ASSISTANT)), "domain: "),
    ],
)
def test_a_service_is_named_whole(service, message) -> None:
    url, domain, key = service
    with pytest.raises(InvalidRequest) as refusal:
        external_services_of(url, domain, key, DocumentationSource("docs"))
    assert message in refusal.value.message


def test_wrong_options_end_before_anything_is_written(
    docstead, source: Path, tmp_path: Path
) -> None:
    for options in (["--deployment-type", "lan"], ["--paths", "nowhere"]):
        ended = docstead("export", source, "-o", tmp_path / "site", *options)
        assert ended.returncode == 2
        assert options[1] in ended.stderr
        assert not (tmp_path / "site").exists()


def test_features_that_need_a_service_are_reported_where_none_is_named(
    docstead, source: Path, tmp_path: Path
) -> None:
    ended = docstead(
        "export", source, "-o", tmp_path / "site", "--deployment-type", "cloud", "--json"
    )
    diagnostics = json.loads(ended.stdout)["diagnostics"]
    assert ended.returncode == 0
    assert [(each["code"], each["severity"]) for each in diagnostics] == [
        ("feature-left-out", "warning"),
        ("feature-left-out", "warning"),
        ("no-address", "info"),
    ]
    assert "assistant" in diagnostics[0]["message"]


@pytest.mark.parametrize(
    ("kind", "service", "names"),
    [
        ("cloud", False, ["assistant", "analytics"]),
        ("cloud", True, []),
        ("client-hosted", False, []),
        ("air-gapped", False, []),
    ],
)
def test_what_is_left_out_of_a_bundle(kind: str, service: bool, names: list[str]) -> None:
    link = AssistantLink("https://service.example/discovery", "acme", "svc_dsc_1")
    external_services = ExternalServices(link, ReadersLink.of_service(link)) if service else NOTHING
    found = left_out(export_options(ExportFlags(deployment_type=kind), external_services))
    assert [name for name in names if any(name in each.message for each in found)] == names
    assert len(found) == len(names)
    assert all(str(each).startswith("warning feature-left-out: ") for each in found)


def test_a_cache_within_the_source_is_not_exported(docstead, source: Path, tmp_path: Path) -> None:
    for _ in range(2):
        done = docstead("export", source, "-o", tmp_path / "site", "--cache", source / "cache")
        assert done.returncode == 0, done.stderr
    assert list((source / "cache").iterdir())
    assert not (tmp_path / "site" / "cache").exists()


def test_a_bundle_without_a_url_reports_what_it_lacks(
    docstead, source: Path, tmp_path: Path
) -> None:
    (source / "broken.mdx").write_text("[nowhere](/nowhere)\n")
    ended = docstead("export", source, "-o", tmp_path / "site")
    assert ended.stdout.splitlines()[0].startswith("info no-address: without --base-url ")
    assert " 1 warning, 2 info, " in ended.stderr
    placed = docstead(
        "export", source, "-o", tmp_path / "site", "--base-url", "https://docs.example.com"
    )
    assert "no-address" not in placed.stdout


def test_an_archive_within_the_source_is_reported(docstead, source: Path) -> None:
    archive = source / "guides" / "site.zip"
    line = ("export", source, "-o", archive, "--base-url", "https://docs.example.com")
    assert "own-output" not in docstead(*line).stdout
    assert docstead(*line).stdout.startswith("guides/site.zip:1:1: warning own-output: ")
    (source / ".docsignore").write_text("site.zip\n")
    assert "own-output" not in docstead(*line).stdout


@pytest.mark.parametrize("name", ["site.rar", "site.7z", "site.tgz", "site.tar.xz"])
def test_other_archives_are_refused(docstead, source: Path, name: str) -> None:
    ended = docstead("export", source, "-o", docstead.folder / name)
    assert ended.returncode == 2
    assert "an archive must end in .tar.gz or .zip" in ended.stderr
    assert not (docstead.folder / name).exists()


def test_only_exported_pages_are_counted(docstead, source: Path) -> None:
    ended = docstead("export", source, "-o", "site", "--paths", "guides/keys", "--json")
    assert json.loads(ended.stdout)["pages"] == 1
