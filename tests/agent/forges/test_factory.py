"""The forge of each project."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from docstead.agent.forges import ForgeKind
from docstead.agent.forges.access import ForgeAccess
from docstead.agent.forges.project_settings import Delivery, ProjectSettings
from docstead.base.errors import InvalidRequest, SourceUnreadable

BOT = ForgeAccess("bot", "the-token")


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("https://github.com/acme/handbook", ForgeKind.GITHUB),
        ("git@github.com:acme/handbook.git", ForgeKind.GITHUB),
        ("ssh://git@ssh.github.com:443/acme/handbook.git", ForgeKind.GITHUB),
        ("https://gitlab.com/acme/tools/handbook.git", ForgeKind.GITLAB),
        ("https://gitlab.example.com:8443/acme/handbook.git", ForgeKind.GITLAB),
        ("https://git.example.com/acme/handbook.git", ForgeKind.GIT),
        ("https://github.com.example.net/acme/handbook.git", ForgeKind.GIT),
        ("ssh://git@git.example.com:2222/srv/handbook.git", ForgeKind.GIT),
        ("file:///srv/git/handbook.git", ForgeKind.LOCAL),
    ],
)
def test_the_url_says_which(harness: Any, source: str, kind: ForgeKind) -> None:
    assert harness.forge(source, BOT).kind is kind


@pytest.mark.parametrize(
    ("source", "chosen", "api_url", "expected"),
    [
        ("https://github.com/acme/h", None, "", "https://api.github.com"),
        ("git@github.com:acme/h.git", None, "", "https://api.github.com"),
        ("https://code.example.com/acme/h", "github", "", "https://code.example.com/api/v3"),
        ("https://code.example.com/acme/h", "gitlab", "", "https://code.example.com/api/v4"),
        ("https://gitlab.lan:8443/acme/h", None, "", "https://gitlab.lan:8443/api/v4"),
        ("git@code.lan:acme/h.git", "github", "http://10.0.0.7/api/v3/", "http://10.0.0.7/api/v3"),
    ],
)
def test_where_its_interface_is(
    harness: Any, source: str, chosen: str | None, api_url: str, expected: str
) -> None:
    forge = ForgeKind(chosen) if chosen else None
    project = harness.project(source, credential="bot", forge=forge)
    found = harness.forges(ForgeAccess("bot", "the-token", api_url=api_url)).of(project)
    assert found.calls.api_url == expected
    assert found.calls.repository == "acme/h"


def test_a_folder_inside_a_repository(harness: Any, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path / "product"], check=True)
    (tmp_path / "product" / "docs").mkdir()
    forge = harness.forges().of(harness.project(str(tmp_path / "product" / "docs")))
    assert forge.kind is ForgeKind.LOCAL
    assert forge.remote.url == (tmp_path / "product").as_uri()
    assert forge.remote.root == "docs"
    assert forge.credentials() is None


def test_a_folder_without_git_takes_no_changes(harness: Any, tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="git repository"):
        harness.forges().of(harness.project(str(tmp_path)))


def test_a_forge_without_a_token_says_where_to_put_one(harness: Any) -> None:
    project = harness.project("https://github.com/acme/handbook")
    with pytest.raises(InvalidRequest, match=r"GitHub needs a token.*DOCSTEAD_FORGE_CREDENTIALS"):
        harness.forges(BOT).of(project)


def test_a_token_in_the_sources_own_url_is_used(harness: Any) -> None:
    project = harness.project("https://x-access-token:of-the-address@github.com/acme/handbook")
    forge = harness.forges().of(project)
    assert forge.credentials().password == "of-the-address"
    assert "of-the-address" not in forge.remote.url


def test_an_unknown_credential_is_named(harness: Any) -> None:
    project = harness.project("https://github.com/acme/handbook", credential="gone")
    with pytest.raises(InvalidRequest, match="credential 'gone'"):
        harness.forges(BOT).of(project)


def test_a_credential_of_other_organizations_is_unknown(harness: Any) -> None:
    project = harness.project("https://github.com/acme/handbook", credential="bot")
    theirs = ForgeAccess("bot", "the-token", organizations=frozenset({"org_other"}))
    with pytest.raises(InvalidRequest, match="for this organization"):
        harness.forges(theirs).of(project)
    ours = ForgeAccess("bot", "the-token", organizations=frozenset({project.organization_id}))
    assert harness.forges(ours).of(project).kind is ForgeKind.GITHUB


def test_a_local_repository_is_none_of_github(harness: Any) -> None:
    project = harness.project("file:///srv/h.git", credential="bot", forge=ForgeKind.GITHUB)
    with pytest.raises(InvalidRequest, match="not the URL of a github repository"):
        harness.forges(BOT).of(project)


def test_a_plain_git_server_gets_name_and_token(harness: Any) -> None:
    access = ForgeAccess("bot", "the-token", username="deploy")
    credentials = harness.forge("https://git.example.com/h.git", access).credentials()
    assert (credentials.username, credentials.password) == ("deploy", "the-token")
    assert harness.forge("ssh://git@git.example.com/h.git", access).credentials() is None


def test_settings_are_kept(harness: Any) -> None:
    project = harness.project("https://git.example.com/h.git")
    assert harness.settings.of(project.id) == ProjectSettings()
    chosen = ProjectSettings(
        Delivery.PUSH, ("https://github.com/acme/app", "git@h:b.git"), ForgeKind.GIT, "bot"
    )
    harness.settings.save(project.id, chosen)
    assert harness.settings.of(project.id) == chosen
    assert chosen.direct_push
    harness.settings.save(project.id, ProjectSettings())
    assert harness.settings.of(project.id) == ProjectSettings()


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"reading": ("/etc",)}, "reading: /etc is not an https or ssh URL"),
        ({"reading": ("file:///srv/secret.git",)}, "not an https or ssh URL"),
        ({"reading": ("ext::sh -c id",)}, "reading"),
        ({"reading": ("https://me:pw@github.com/acme/app",)}, "must not contain a user"),
        ({"reading": ("https://-x/acme/app",)}, "reading"),
        ({"reading": tuple(f"https://h/r{n}" for n in range(11))}, "at most 10"),
        ({"credential": "a b"}, "credential"),
    ],
)
def test_wrong_settings_are_refused(harness: Any, wrong: dict[str, Any], words: str) -> None:
    project = harness.project("https://git.example.com/h.git")
    with pytest.raises(InvalidRequest, match=words) as caught:
        harness.settings.save(project.id, ProjectSettings(**wrong))
    assert "pw" not in caught.value.message
