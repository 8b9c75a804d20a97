"""`publish`, `ask` and `keys` as a user runs them, on the embedded stores."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from pathlib import Path

import pytest

from commands import Command
from git_repositories import GitRepository
from handbook import write_handbook
from ready_processes import ReadyProcesses


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory, ready: ReadyProcesses) -> Command:
    """A command with a published site, which tests only read."""
    folder = tmp_path_factory.mktemp("handbook")
    source = write_handbook(folder / "source")
    (source / "index.mdx").write_text("---\ntitle: Welcome\n---\n\nWidgets are small machines.\n")
    command = Command(folder, ready)
    published = command("publish", source, "--domain", "handbook")
    assert published.returncode == 0, published.stderr
    return command


def test_publish_makes_a_deployment_and_the_second_run_renders_nothing(
    docstead, source: Path
) -> None:
    first = docstead("publish", source, "--domain", "handbook")
    assert first.returncode == 0, first.stderr
    assert "2 pages published\n" in first.stderr
    assert "published at http://handbook.localhost:" in first.stderr
    second = docstead("publish", source, "--domain", "handbook")
    assert "2 pages published (0 re-rendered)" in second.stderr
    (source / "index.mdx").write_text("---\ntitle: Hello\n---\n")
    third = docstead("publish", source, "--domain", "handbook", "--json")
    assert json.loads(third.stdout)["pages"] == 2


def test_publish_counts_notes_and_prints_errors_and_warnings(docstead, source: Path) -> None:
    (source / "index.mdx").write_text("# Start\n\n#### Deep\n\n[gone](/nowhere)\n")
    done = docstead("publish", source, "--domain", "handbook")
    assert "warning broken-link" in done.stdout
    assert "info " not in done.stdout
    assert re.search(r"1 warning, \d+ info, ", done.stderr)
    assert "Run docstead check to see those of severity info." in done.stderr
    assert "info heading-jump" in docstead("check", source).stdout


def test_a_git_url_is_published_with_the_default_data_folder(
    docstead, source: Path, tmp_path: Path
) -> None:
    repository = GitRepository(tmp_path / "repository.git")
    files = (path for path in source.rglob("*") if path.is_file())
    repository.commit({f"docs/{path.relative_to(source)}": path.read_text() for path in files})
    command = ("publish", repository.url, "--domain", "handbook", "--root", "docs")
    ended = docstead(*command, DOCSTEAD_DATA=".docstead")
    assert ended.returncode == 0, ended.stderr
    assert "2 pages published" in ended.stderr
    assert (tmp_path / ".docstead" / "docstead.sqlite").exists()


def test_a_ref_of_a_folder_is_refused(docstead, source: Path) -> None:
    for command in (("publish", source, "--domain", "handbook"), ("check", source)):
        ended = docstead(*command, "--ref", "main")
        assert (ended.returncode, "--ref: " in ended.stderr) == (2, True)


def test_a_domain_that_is_none_is_named(ready, tmp_path: Path, source: Path) -> None:
    docstead = Command(tmp_path, ready, migrates=True)
    ended = docstead("publish", source, "--domain", "Hand Book")
    assert ended.returncode == 2
    assert ended.stderr.startswith("docstead: domain: must be ")
    assert not (docstead.folder / "data").exists()


def test_a_failed_update_shows_its_position(docstead, source: Path) -> None:
    (source / "docs.json").write_text('{"name": }')
    ended = docstead("publish", source, "--domain", "handbook")
    assert ended.returncode == 1
    assert "docs.json:1:" in ended.stderr


def test_a_first_publish_that_fails_leaves_nothing_behind(docstead, source: Path) -> None:
    good = (source / "docs.json").read_text()
    (source / "docs.json").write_text('{"name": }')
    assert docstead("publish", source, "--domain", "handbook").returncode == 1
    asked = docstead("ask", "How?")
    assert "nothing has been published yet" in asked.stderr
    (source / "docs.json").write_text(good)
    other = docstead("publish", source, "--domain", "guides", "--hostname", "docs.example.com")
    assert other.returncode == 0, other.stderr
    taken = docstead("publish", source, "--domain", "more", "--hostname", "docs.example.com")
    assert taken.stderr.strip().endswith("hostname: 'docs.example.com' is already taken")
    reserved = docstead("publish", source, "--domain", "more", "--hostname", "guides.localhost")
    assert "is reserved" in reserved.stderr
    assert docstead("ask", "How do I rotate a key?").returncode == 0  # there is only one still


@pytest.mark.parametrize("command", [("ask", "How?"), ("search", "keys", "--domain", "handbook")])
def test_questions_before_the_first_publish_leave_no_data_folder(
    docstead, command: tuple[str, ...]
) -> None:
    asked = docstead(*command)
    assert asked.returncode == 1
    assert "nothing has been published yet; run: docstead publish" in asked.stderr
    assert "New data folder" not in asked.stderr
    assert not (docstead.folder / "data").exists()


@pytest.mark.deep
def test_a_first_publish_that_is_killed_shows_nothing_and_can_be_done_again(
    docstead, source: Path, tmp_path: Path
) -> None:
    docstead("deployments", "list")  # makes the database
    database = sqlite3.connect(tmp_path / "data" / "docstead.sqlite")
    command = ("docstead.cli", "publish", source, "--domain", "handbook")
    process = docstead.ready.start(command, docstead.environment)
    begun = "select count(*) from updates where status = 'in_progress'"
    while not database.execute(begun).fetchone()[0]:
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.communicate()
    assert database.execute("select count(*) from deployments").fetchone() == (0,)
    assert "nothing has been published yet" in docstead("ask", "How?").stderr
    again = docstead("publish", source, "--domain", "handbook")
    assert again.returncode == 0, again.stderr
    assert docstead("ask", "How do I rotate a key?").returncode == 0


def test_a_publish_that_fails_keeps_the_source_of_the_one_before(
    docstead, source: Path, tmp_path: Path
) -> None:
    docstead("publish", source, "--domain", "handbook")
    assert docstead("publish", tmp_path / "nowhere", "--domain", "handbook").returncode == 1
    with sqlite3.connect(tmp_path / "data" / "docstead.sqlite") as database:
        kept = database.execute("select source from projects").fetchall()
    assert kept == [(str(source),)]


def test_words_are_found_with_their_positions(handbook: Command) -> None:
    shown = handbook("search", "rotate", "keys")
    assert shown.returncode == 0, shown.stderr
    found = json.loads(handbook("search", "rotate keys", "--json").stdout)
    path = "/guides/keys#rotate-a-key"
    assert f".localhost:8080{path}\n" in shown.stdout  # for a browser
    assert found[0]["metadata"]["url"] == f"http://127.0.0.1:8080/_sites/handbook{path}"
    assert found[0]["metadata"]["snippet"]
    nothing = handbook("search", "xylophone", "--language", "xx")
    assert nothing.stdout.strip() == "Nothing found."


def test_a_version_that_the_site_does_not_have_is_refused(docstead, source: Path) -> None:
    versions = [
        {"version": "2.0", "pages": ["index"]},
        {"version": "1.0", "pages": ["guides/keys"]},
    ]
    settings = {"name": "Acme", "navigation": {"versions": versions}}
    (source / "docs.json").write_text(json.dumps(settings))
    assert docstead("publish", source, "--domain", "handbook").returncode == 0
    refused = docstead("search", "keys", "--version", "9")
    assert refused.returncode == 2
    assert "--version: there is no version '9'; there are: 2.0, 1.0" in refused.stderr
    assert "/guides/keys" in docstead("search", "keys", "--version", "1.0").stdout


def test_a_question_is_answered_with_its_source(handbook: Command) -> None:
    ended = handbook("ask", "How do I rotate a key?")
    assert ended.returncode == 0, ended.stderr
    assert "revoke the old one" in ended.stdout
    assert "/guides/keys#rotate-a-key" in ended.stdout


def test_a_question_without_a_direct_answer_is_shown_the_closest_sections(
    handbook: Command,
) -> None:
    ended = handbook("ask", "Which keys of a piano are black?")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("No direct answer was found. These sections come closest:")
    assert "/guides/keys" in ended.stdout


def test_asking_before_anything_is_published_says_what_to_do(docstead) -> None:
    ended = docstead("ask", "How?")
    assert ended.returncode == 1
    assert "docstead publish" in ended.stderr


def test_keys_are_made_listed_and_revoked(docstead, source: Path) -> None:
    assert "There are no keys" in docstead("keys", "list").stderr
    made = json.loads(docstead("keys", "create", "admin", "--json").stdout)
    assert set(made) == {"id", "key"}
    assert made["key"].startswith("svc_")
    listed = json.loads(docstead("keys", "list", "--json").stdout)
    assert [key["id"] for key in listed] == [made["id"]]
    assert made["key"] not in json.dumps(listed)
    assert docstead("keys", "revoke", made["id"]).returncode == 0
    assert json.loads(docstead("keys", "list", "--json").stdout) == []
    again = docstead("keys", "revoke", made["id"])
    assert (again.returncode, f"'{made['id']}' is already revoked" in again.stderr) == (1, True)
    unknown = docstead("keys", "revoke", "key_0")
    assert (unknown.returncode, "there is no key 'key_0'" in unknown.stderr) == (1, True)


def test_listed_keys_show_their_whole_id(docstead) -> None:
    made = json.loads(docstead("keys", "create", "admin", "--name", "long " * 15, "--json").stdout)
    shown = docstead("keys", "list", COLUMNS="60").stdout
    assert made["id"] in shown


def test_keys_of_a_deployment_show_their_domain_and_whole_hint(handbook: Command) -> None:
    assert handbook("keys", "create", "assistant", "--domain", "other").returncode == 1
    key = handbook("keys", "create", "assistant", "--domain", "handbook").stdout.strip()
    assert key.startswith("svc_dsc_")
    handbook("keys", "create", "admin", "--name", "long " * 15)
    listed = {each["kind"]: each for each in json.loads(handbook("keys", "list", "--json").stdout)}
    assert (listed["assistant"]["domain"], listed["admin"]["domain"]) == ("handbook", None)
    (line,) = (
        line for line in handbook("keys", "list").stdout.splitlines() if " assistant " in line
    )
    assert "handbook" in line
    assert f"svc_dsc_…{key[-4:]}" in line


def test_wrong_keys_are_refused_by_name(docstead) -> None:
    assert docstead("keys", "create", "reader").returncode == 2
    assert docstead("keys", "create", "assistant").returncode == 1  # nothing is published
    ended = docstead("keys", "create", "admin", "--scope", "everything")
    assert ended.returncode == 2
    assert "scope" in ended.stderr
    refused = docstead("keys", "create", "admin", "--allow", "0.0.0.0/0")
    assert (refused.returncode, "--allow: must not allow" in refused.stderr) == (2, True)
    ended = docstead("keys", "create", "admin", "--expires-in-days", "99999999999")
    assert ended.returncode == 2
    assert "--expires-in-days" in ended.stderr


def test_a_sign_in_link_is_printed(docstead) -> None:
    ended = docstead("sign-in")
    assert ended.returncode == 0
    assert ended.stdout.startswith("http://127.0.0.1:8080/dashboard/sign-in/")


def test_a_short_question_is_answered_from_two_pages(handbook: Command) -> None:
    assert "small machines" in handbook("ask", "What are widgets?").stdout
    refused = handbook("ask", "Which wine goes with duck?").stdout
    assert "does not cover" in refused
