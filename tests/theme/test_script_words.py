"""The words of a page's scripts: in its language, and in no other."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import html as lxml_html

from docstead.base.features import DeploymentType, Features
from docstead.content.navigation import NodeKind
from docstead.content.pages import Site
from docstead.theme.document import PageShell
from docstead.theme.external_services import AssistantLink, ExternalServices
from docstead.theme.mode import ShellMode
from site_builders import group, make_site, meta, node, page, rendered

Make = Callable[..., PageShell]
MOST_BYTES = 25_000  # of JavaScript that a page loads, packed
LINK = AssistantLink("https://service.example/discovery", "acme", "svc_dsc_1")


def site_in(*codes: str) -> Site:
    """A site with a page in each language; the first language is the default one."""
    first, *others = codes
    default = node(NodeKind.LANGUAGE, first, group("All", page("index")), default=True)
    rest = (node(NodeKind.LANGUAGE, code, group("All", page(f"{code}/index"))) for code in others)
    return make_site(default, *rest)


def scripts(html: str) -> list[str]:
    """The scripts of a page in their order, without folders and hashes."""
    found = lxml_html.document_fromstring(html).cssselect("script[src]")
    names = (script.get("src", "").rpartition("/")[2] for script in found)
    return [re.sub(r"\.[0-9a-f]{12}\.js$", ".js", name) for name in names]


def files_of_words(shell: PageShell) -> dict[str, str]:
    texts = {path: data.decode() for path, data in shell.assets().items() if "/words." in path}
    return {path.split(".")[1]: text for path, text in texts.items()}


def namespaces(text: str) -> dict[str, dict[str, str]]:
    said = re.fullmatch(r"docsteadWords=(\{.*\});\n", text)
    assert said, text
    found: dict[str, dict[str, str]] = json.loads(said[1])
    return found


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("pt-BR", "pt"),
        ("ja-JP", "ja"),
        ("jp", "ja"),
        ("ua", "uk"),
        ("cn", "zh"),
        ("zh-Hans", "zh"),
        ("zh-TW", "zh-Hant"),
        ("zh-Hant", "zh-Hant"),
    ],
)
def test_a_page_loads_the_words_of_its_language_before_other_scripts(
    code: str, name: str, shell_of: Make
) -> None:
    html = shell_of(site_in("en", code)).page(rendered(f"{code}/index"))
    expected = [f"words.{name}.js", "shell.js", "page.js", "sections.js"]
    assert scripts(html) == expected


@pytest.mark.parametrize("code", ["en", "en-GB", "xx", "../de"])
def test_where_scripts_speak_english_there_is_nothing_to_load(code: str, shell_of: Make) -> None:
    shell = shell_of(site_in(code))
    assert scripts(shell.page(rendered("index"))) == ["shell.js", "page.js"]
    assert not files_of_words(shell)


def test_a_site_has_the_words_of_its_own_languages_only(shell_of: Make) -> None:
    files = files_of_words(shell_of(site_in("en", "es", "zh-TW", "zh-Hant")))
    assert files.keys() == {"es", "zh-Hant"}
    assert namespaces(files["es"])["components"]["copyCode"] == "Copiar código"
    assert namespaces(files["zh-Hant"])["components"]["copyCode"] == "複製程式碼"


def test_a_language_without_pages_is_not_there(shell_of: Make) -> None:
    site = site_in("en", "fr", "de")
    pages = {slug: page for slug, page in site.pages.items() if slug != "de/index"}
    assert files_of_words(shell_of(replace(site, pages=pages))).keys() == {"fr"}


def test_a_page_that_says_its_language_itself_has_its_words(shell_of: Make) -> None:
    site = make_site(page("index"), metas={"loose": meta("loose", language="it")})
    shell = shell_of(site)
    assert scripts(shell.page(rendered("loose")))[0] == "words.it.js"
    assert scripts(shell.page(rendered("index")))[0] == "shell.js"
    assert files_of_words(shell).keys() == {"it"}


def test_the_page_of_unknown_urls_speaks_the_first_language(shell_of: Make) -> None:
    shell = shell_of(site_in("ko", "en"))
    assert scripts(shell.not_found())[0] == "words.ko.js"
    assert scripts(shell.page(rendered("en/index")))[0] == "shell.js"


def test_words_are_those_of_the_scripts_that_a_site_has(shell_of: Make) -> None:
    plain = files_of_words(shell_of(site_in("fr")))["fr"]
    assert namespaces(plain).keys() == {"components", "search"}
    tried = files_of_words(shell_of(site_in("fr"), page_features=("playground",)))["fr"]
    assert namespaces(tried).keys() == {"components", "search", "playground"}
    asked = files_of_words(
        PageShell(site_in("fr"), ShellMode.hosted(), external_services=ExternalServices(LINK))
    )["fr"]
    assert namespaces(asked).keys() == {"components", "search", "assistant"}
    assert namespaces(asked)["assistant"]["send"] == "Envoyer"


def test_islands_say_again_what_contents_say() -> None:
    shell = PageShell(site_in("fr"), ShellMode.hosted(), page_features=("islands",))
    files = files_of_words(shell)
    assert namespaces(files["fr"])["content"]["required"] == "obligatoire"


def test_every_asked_file_is_there_and_the_same_each_time(shell_of: Make) -> None:
    site = site_in("en", "fr", "de", "ar")
    asked = lxml_html.document_fromstring(shell_of(site).page(rendered("fr/index")))
    first = asked.cssselect("script[src]")[0].get("src")
    (path,) = (path for path in shell_of(site).assets() if path in f"{first}")
    assert first == f"../{path}"
    assert shell_of(site).assets() == shell_of(site).assets()


@pytest.mark.parametrize("code", ["en", "hi"])
def test_the_scripts_of_an_operation_are_small(code: str) -> None:
    """The built scripts with words in Hindi, the language with the most bytes."""
    features = Features.of(DeploymentType.CLIENT_HOSTED)
    site = site_in(code)
    shell = PageShell(site, ShellMode.bundle(), features=features, page_features=("playground",))
    html = shell.page(rendered("index", features=("playground",)))
    assert scripts(html)[-1] == "playground.js"
    loaded = re.findall(r'<script[^>]* src="([^"]+)"', html)
    packed = [len(gzip.compress(shell.assets()[path], 6)) for path in loaded]
    assert len(packed) == len(scripts(html)) > 2
    assert sum(packed) < MOST_BYTES
