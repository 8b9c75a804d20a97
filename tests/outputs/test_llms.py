from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from docstead.content.assistant_notes import Skill
from docstead.content.config import ApiSettings, Seo, SiteConfig
from docstead.content.generated_files import GENERATED_FILES, FileOrigin, is_generated
from docstead.content.navigation import NodeKind
from docstead.content.pages import Section, Site
from docstead.content.written_settings import WrittenSettings
from docstead.markup.rendered import LINK_MARK
from docstead.outputs.generated_texts import RENDERERS, GeneratedTexts
from docstead.outputs.llms import MAX_CHARACTERS
from docstead.theme.document import PageShell
from docstead.theme.mode import ShellMode
from site_builders import BASE_URL, group, make_site, meta, node, page, rendered

Make = Callable[..., PageShell]

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


def text_of(shell: PageShell, name: str = "llms.txt") -> str:
    return GeneratedTexts(shell).texts()[name].decode()


def test_the_index_names_pages_in_order_with_what_they_say(
    guide_site: Site, shell_of: Make
) -> None:
    config = SiteConfig("Acme", description="All of it.", api=ApiSettings(("api.json",)))
    assert text_of(shell_of(replace(guide_site, config=config))) == (
        "# Acme\n\n> All of it.\n\n## Start\n\n"
        f"- [Welcome]({BASE_URL}/index.md): Read this <first>.\n"
        f"- [Start]({BASE_URL}/guides/start.md)\n\n## More\n\n"
        f"- [One]({BASE_URL}/guides/deep/one.md)\n- [Two]({BASE_URL}/guides/deep/two.md)\n"
        f"- [Last]({BASE_URL}/guides/last.md)\n\n## OpenAPI Specs\n\n"
        f"- [api.json]({BASE_URL}/api.json)\n"
    )


def test_only_the_default_language_and_version_are_named(shell_of: Make) -> None:
    def versions(folder: str) -> tuple[object, ...]:
        new = node(NodeKind.VERSION, "2", group("New", page(f"{folder}new")), default=True)
        return node(NodeKind.VERSION, "1", group("Old", page(f"{folder}old"))), new

    site = make_site(
        node(NodeKind.LANGUAGE, "fr", *versions("fr/")),
        node(NodeKind.LANGUAGE, "en", *versions(""), default=True),
    )
    text = text_of(shell_of(site))
    assert f"{BASE_URL}/new.md" in text
    assert "old" not in text
    assert "fr/" not in text


def test_hidden_pages_are_named_only_where_everything_is(shell_of: Make) -> None:
    metas = {
        "hidden": meta("hidden", hidden=True),
        "noindex": meta("noindex", noindex=True),
        "loose": meta("loose"),
        "unsearchable": meta("unsearchable", searchable=False),
    }
    site = make_site(
        group("A", page("a"), page("hidden"), page("noindex"), page("unsearchable")),
        group("B", page("b"), hidden=True),
        group("C", page("c"), hidden=True, searchable=True),
        metas=metas,
    )
    text = text_of(shell_of(site))
    named = {slug for slug in site.pages if f"/{slug}.md" in text}
    assert named == {"a", "unsearchable", "c"}
    everything = replace(site, config=SiteConfig("Acme", seo=Seo("all")))
    text = text_of(shell_of(everything))
    assert {slug for slug in site.pages if f"/{slug}.md" in text} == set(site.pages) - {"noindex"}


def test_a_long_index_loses_descriptions_first_then_entries(shell_of: Make) -> None:
    slugs = [f"page-{number}" for number in range(1200)]
    metas = {slug: meta(slug, description="Long words " * 40) for slug in slugs}
    text = text_of(shell_of(make_site(group("All", *map(page, slugs)), metas=metas)))
    assert len(text) <= MAX_CHARACTERS
    assert all(f"/{slug}.md" in text for slug in slugs)
    many = [f"page-{number}" for number in range(4000)]
    text = text_of(shell_of(make_site(group("All", *map(page, many)))))
    assert len(text) <= MAX_CHARACTERS
    assert "Left out for length: " in text


@pytest.mark.timeout(20)
def test_a_name_longer_than_the_index_leaves_all_entries_out(shell_of: Make) -> None:
    site = make_site(group("Start", page("one"), page("two")))
    name = "x" * (MAX_CHARACTERS + 5_000)
    text = text_of(shell_of(replace(site, config=replace(site.config, name=name))))
    assert text.startswith(f"# {name}\n")
    assert "](" not in text


def test_a_markdown_version_links_to_others(guide_site: Site, shell_of: Make) -> None:
    body = (
        f"See [start]({LINK_MARK}/guides/start#top), [home](/), ![x]({LINK_MARK}/images/a.png) "
        "and [out](https://example.org/guides/start)."
    )
    markdown_page = GeneratedTexts(shell_of(guide_site)).markdown(
        rendered("guides/last", sections=(Section("", (), body),))
    )
    assert markdown_page == (
        "# Last\n\nSee [start](../guides/start.md#top), [home](../index.md), "
        "![x](../images/a.png) and [out](https://example.org/guides/start).\n"
    )
    hosted = shell_of(guide_site, ShellMode.hosted("/docs"))
    markdown_page = GeneratedTexts(hosted).markdown(
        rendered("guides/last", sections=(Section("", (), body),))
    )
    assert "[start](/docs/guides/start.md#top)" in markdown_page


def test_the_full_text_holds_every_public_page(guide_site: Site, shell_of: Make) -> None:
    pages = [rendered("index"), rendered("loose"), rendered("guides/start", failed=True)]
    text = "".join(GeneratedTexts(shell_of(guide_site)).llms_full(pages))
    assert text == (f"# Welcome\n\nSource: {BASE_URL}/\n\n> Read this <first>.\n\nBody.\n\n\n")


def test_a_file_of_the_repository_replaces_a_generated_one(
    guide_site: Site, shell_of: Make
) -> None:
    own = ("llms.txt", "robots.txt", ".well-known/agent-card.json")
    generated = GeneratedTexts(shell_of(guide_site, assets=own)).texts()
    assert not generated.keys() & set(own)
    assert "sitemap.xml" in generated


def test_each_part_of_a_site_has_an_index_of_its_own(shell_of: Make) -> None:
    site = make_site(
        node(
            NodeKind.LANGUAGE, "en", group("Start", page("intro"), page("guides/a")), default=True
        ),
        node(NodeKind.LANGUAGE, "fr", group("Début", page("fr/intro"), page("fr/guides/a"))),
    )
    parts = {
        name: text.decode()
        for name, text in GeneratedTexts(shell_of(site)).texts(FileOrigin.PART).items()
    }
    assert parts == {
        "_llms/guides.md": f"# Acme: guides\n\n## Start\n\n- [A]({BASE_URL}/guides/a.md)\n",
        "_llms/fr.md": (
            f"# Acme: fr\n\n## Début\n\n- [Intro]({BASE_URL}/fr/intro.md)\n"
            f"- [A]({BASE_URL}/fr/guides/a.md)\n"
        ),
    }


def test_skills_of_the_authors_replace_the_generated_one(guide_site: Site, shell_of: Make) -> None:
    skills = tuple(Skill(name, name.title(), "How.", f"# {name}\n") for name in ("build", "ship"))
    one = GeneratedTexts(shell_of(replace(guide_site, skills=skills[:1]))).texts()
    assert one["skill.md"] == one[".well-known/skills/build/SKILL.md"] == b"# build\n"
    several = GeneratedTexts(shell_of(replace(guide_site, skills=skills))).texts()
    assert "skill.md" not in several
    found = json.loads(several[".well-known/agent-skills/index.json"])["skills"]
    assert [each["name"] for each in found] == ["build", "ship"]
    card = json.loads(several[".well-known/agent-card.json"])
    assert [each["id"] for each in card["skills"]] == ["build", "ship"]


def test_a_catalog_names_what_describes_interfaces(guide_site: Site, shell_of: Make) -> None:
    api = ApiSettings(("api.json", "https://example.org/o.yaml"), asyncapi=("/events.yml",))
    shell = shell_of(replace(guide_site, config=SiteConfig("Acme", api=api)))
    described = json.loads(text_of(shell, ".well-known/api-catalog"))["linkset"][0]["service-desc"]
    assert [each["href"] for each in described] == [
        f"{BASE_URL}/api.json", "https://example.org/o.yaml", f"{BASE_URL}/events.yml"
    ]  # fmt: skip
    assert f"## AsyncAPI Specs\n\n- [events.yml]({BASE_URL}/events.yml)" in text_of(shell)


def test_only_a_service_has_a_server_of_tools(guide_site: Site, shell_of: Make) -> None:
    assert ".well-known/mcp" not in GeneratedTexts(shell_of(guide_site)).texts()
    hosted = shell_of(guide_site, ShellMode.hosted("", BASE_URL))
    card = json.loads(text_of(hosted, ".well-known/mcp"))
    assert card["url"] == f"{BASE_URL}/mcp"
    assert card["servers"][0]["authentication"] == "none"


def test_the_skill_says_how_to_read_the_site(guide_site: Site, shell_of: Make) -> None:
    files = GeneratedTexts(shell_of(guide_site)).texts()
    skill = files["skill.md"].decode()
    assert skill.startswith("---\nname: acme\ndescription: ")
    assert f"{BASE_URL}/llms.txt" in skill
    assert f"- [Start]({BASE_URL}/guides/start.md)" in skill
    found = json.loads(files[".well-known/agent-skills/index.json"])["skills"][0]
    assert found["url"] == f"{BASE_URL}/.well-known/skills/acme/SKILL.md"
    assert found["digest"] == f"sha256:{sha256(skill.encode()).hexdigest()}"
    assert json.loads(files[".well-known/skills/index.json"])["skills"][0]["files"] == ["SKILL.md"]


def test_agents_read_the_instructions_of_the_site(guide_site: Site, shell_of: Make) -> None:
    config = SiteConfig(
        "Acme", extra=WrittenSettings(markdown={"instructions": ["Be brief.", "Cite."]})
    )
    shell = shell_of(replace(guide_site, config=config))
    assert "> ## Agent Instructions\n>\n> Be brief.\n> Cite." in GeneratedTexts(shell).markdown(
        rendered("index")
    )
    assert (
        "## Agent Instructions\n\nBe brief." in GeneratedTexts(shell).texts()["llms.txt"].decode()
    )


@pytest.mark.parametrize("mode", [ShellMode.hosted("", BASE_URL), ShellMode.bundle(BASE_URL)])
def test_links_may_lead_to_every_generated_file(
    mode: ShellMode, guide_site: Site, shell_of: Make
) -> None:
    files = GeneratedTexts(shell_of(guide_site, mode)).texts()
    assert len(files) > 5
    assert [name for name in files if not is_generated(name)] == []


def test_each_entry_of_the_catalog_is_rendered_and_documented() -> None:
    rendered_here = {
        file.path for file in GENERATED_FILES if file.origin in (FileOrigin.SITE, FileOrigin.PART)
    }
    assert RENDERERS.keys() == rendered_here
    guides = "".join(path.read_text() for path in GUIDES.glob("*.mdx"))
    undocumented = [
        path
        for path in rendered_here
        if not re.search(re.escape(path).replace(r"\*", r"<\w+>"), guides)
    ]
    assert undocumented == []


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        (".well-known/skills/acme/SKILL.md", True),
        (".well-known/llms.txt", True),
        ("_llms/guides.md", True),
        ("mcp", True),
        (".well-known/skills/acme/other/SKILL.md", False),
        (".well-known/security.txt", False),
        ("favicon.ico", False),
        ("guides/rss.xml", False),
        ("guides/llms.txt", False),
    ],
)
def test_paths_of_generated_files(path: str, is_one: bool) -> None:
    assert is_generated(path) is is_one


def _renamed(site: Site) -> Site:
    return replace(site, config=replace(site.config, name="Other"))


def _with_page(site: Site, slug: str, **changes: object) -> Site:
    known = site.pages.get(slug) or meta(slug)
    return replace(site, pages={**site.pages, slug: replace(known, **changes)})


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        (_renamed, True),
        (lambda site: _with_page(site, "index", title="Other"), True),
        (lambda site: _with_page(site, "guides/start", title="Other"), False),
        (lambda site: _with_page(site, "guides/start", description="Other"), False),
        (lambda site: _with_page(site, "guides/start", noindex=True), False),
        (lambda site: _with_page(site, "guides/added"), False),  # links may lead to it
    ],
)
def test_a_page_of_the_full_text_is_kept_while_its_inputs_are_equal(
    guide_site: Site, shell_of: Make, change: Callable[[Site], Site], *, is_same: bool
) -> None:
    before, after = (
        GeneratedTexts(shell_of(site)).llms_full_digest("guides/start")
        for site in (guide_site, change(guide_site))
    )
    assert (before == after) is is_same
