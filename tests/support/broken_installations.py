"""Installations that cannot work, and what a command has to say about each.

Each function prepares a folder and returns the command, the setting or path that the message
names, and the next step that it gives.
"""

from __future__ import annotations

import shutil
import socket
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import docstead
from docstead.jobs import Jobs
from docstead.storage.database import Database
from free_ports import free_port
from s3_without_buckets import s3_without_buckets

FAILED, WRONG_USAGE = 1, 2
LIST = ("keys", "list")
SECRET = "0123456789abcdef" * 4


@dataclass(frozen=True)
class RunningStores:
    """The servers of the run: the URL of a PostgreSQL database by name, an S3 server's keys."""

    postgres: Callable[[str], str]
    s3_endpoint: str


@dataclass(frozen=True)
class TrialFolder:
    """A folder of one test, with a small repository."""

    folder: Path
    source: Path
    stores: Callable[[], RunningStores]
    run: Callable[..., None]  # a command that has to succeed
    held: ExitStack  # until the end of the test

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def publish(self) -> None:
        self.run("publish", self.source, "--domain", "handbook")


@dataclass(frozen=True)
class Broken:
    """A command that has to end with a sentence."""

    arguments: tuple[str | Path, ...]
    named: str
    advice: str
    status: int = FAILED
    settings: Mapping[str, str] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()  # options of `broken_machine`


# --- settings -----------------------------------------------------------------


def settings_file_missing(place: TrialFolder) -> Broken:
    missing = place.folder / "nope.toml"
    return Broken(
        LIST,
        f"DOCSTEAD_CONFIG: there is no file {missing}",
        "correct the path",
        WRONG_USAGE,
        {"DOCSTEAD_CONFIG": str(missing)},
    )


def settings_file_with_an_open_quote(place: TrialFolder) -> Broken:
    (place.folder / "docstead.toml").write_text('data = "x\n')
    return Broken(LIST, "docstead.toml:1:10: a quote is not closed", "close it", WRONG_USAGE)


def unknown_key(place: TrialFolder) -> Broken:
    (place.folder / "docstead.toml").write_text("prot = 80\n")
    named = "docstead.toml: prot is not a setting"
    return Broken(LIST, named, "did you mean port?", WRONG_USAGE)


def unknown_variable(_: TrialFolder) -> Broken:
    return Broken(
        ("--strict-settings", *LIST),
        "DOCSTEAD_PROT is not a setting",
        "did you mean DOCSTEAD_PORT?",
        WRONG_USAGE,
        {"DOCSTEAD_PROT": "1"},
    )


def port_that_is_none(_: TrialFolder) -> Broken:
    settings = {"DOCSTEAD_PORT": "eighty"}
    return Broken(("serve",), "DOCSTEAD_PORT: ", "a whole number", WRONG_USAGE, settings)


def port_that_is_too_high(_: TrialFolder) -> Broken:
    settings = {"DOCSTEAD_PORT": "99999"}
    return Broken(("serve",), "DOCSTEAD_PORT: ", "at most 65535", 2, settings)


def port_that_is_taken(place: TrialFolder) -> Broken:
    port = _bound(place)
    settings = {"DOCSTEAD_PORT": str(port)}
    return Broken(("serve",), f"127.0.0.1:{port}", f"DOCSTEAD_PORT={port + 1}", FAILED, settings)


def _bound(place: TrialFolder, *, listening: bool = True) -> int:
    """A port of this machine that is taken until the end of the test."""
    taken = place.held.enter_context(socket.socket())
    taken.bind(("127.0.0.1", 0))
    if listening:
        taken.listen()
    return int(taken.getsockname()[1])


# --- the database ---------------------------------------------------------------


def _database(url: str, named: str, advice: str, status: int = FAILED) -> Broken:
    return Broken(LIST, named, advice, status, {"DOCSTEAD_DATABASE_URL": url})


def database_of_another_kind(_: TrialFolder) -> Broken:
    named = "DOCSTEAD_DATABASE_URL: mysql is not supported"
    return _database("mysql://user@host/name", named, "use postgresql://", WRONG_USAGE)


def database_url_that_is_none(_: TrialFolder) -> Broken:
    named = "DOCSTEAD_DATABASE_URL: not the URL of a database"
    return _database("nonsense", named, "use postgresql://", WRONG_USAGE)


def database_refused(place: TrialFolder) -> Broken:
    address = f"127.0.0.1:{_bound(place, listening=False)}/docs"
    url = f"postgresql://docs:hidden@{address}"
    return _database(url, address, "start it, or correct DOCSTEAD_DATABASE_URL")


def database_password_wrong(place: TrialFolder) -> Broken:
    url = place.stores().postgres("postgres").replace("postgres@", "guarded:hidden@")
    named = "guarded:***@"
    return _database(url, named, "correct the user and password in DOCSTEAD_DATABASE_URL")


def database_missing(place: TrialFolder) -> Broken:
    url = place.stores().postgres("missing")
    advice = "create the database, or correct DOCSTEAD_DATABASE_URL"
    return _database(url, "/missing", advice)


def database_newer_than_the_code(place: TrialFolder) -> Broken:
    path = _migrated(place)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    return Broken(LIST, str(path), "start that version, or put a backup in its place")


def database_damaged(place: TrialFolder) -> Broken:
    path = _migrated(place)
    path.write_bytes(b"no database " * 1000)
    return Broken(LIST, str(path), "put a backup in its place")


def _migrated(place: TrialFolder) -> Path:
    place.data.mkdir()
    path = place.data / "docstead.sqlite"
    database = Database(f"sqlite:///{path}")
    database.migrate()
    database.close()
    return path


# --- the data folder --------------------------------------------------------------

_OTHER_FOLDER = "DOCSTEAD_DATA"


def data_folder_read_only(place: TrialFolder) -> Broken:
    place.data.mkdir()
    return Broken(LIST, str(place.data), _OTHER_FOLDER, lacks=(f"read-only={place.data}",))


def data_folder_read_only_with_a_database(place: TrialFolder) -> Broken:
    _migrated(place)
    return Broken(LIST, str(place.data), _OTHER_FOLDER, lacks=(f"read-only={place.data}",))


def data_folder_is_a_file(place: TrialFolder) -> Broken:
    place.data.write_text("a file")
    return Broken(LIST, str(place.data), _OTHER_FOLDER)


def data_folder_that_cannot_be_made(place: TrialFolder) -> Broken:
    place.data.write_text("a file")
    settings = {"DOCSTEAD_DATA": str(place.data / "below")}
    return Broken(LIST, str(place.data / "below"), _OTHER_FOLDER, settings=settings)


def disk_full_at_the_start(place: TrialFolder) -> Broken:
    place.data.mkdir()
    return Broken(LIST, str(place.data), "free some space", lacks=_small_disk(place, 40_960))


def disk_full_in_a_publish(place: TrialFolder) -> Broken:
    place.data.mkdir()
    command = ("publish", place.source, "--domain", "handbook")
    return Broken(command, str(place.data), "free some space", lacks=_small_disk(place, 700_000))


def _small_disk(place: TrialFolder, size_bytes: int) -> tuple[str, ...]:
    return (f"small-disk={size_bytes}:{place.data}",)


def damaged_node_id(place: TrialFolder) -> Broken:
    place.data.mkdir()
    (place.data / "node-id").write_bytes(b"\xff\xfe\x00")
    advice = "remove it, and another name is made"
    return _serve(place, f"{place.data}/node-id", advice, status=WRONG_USAGE)


def second_service(place: TrialFolder) -> Broken:
    _occupy(place)
    return _serve(place, str(place.data), "DOCSTEAD_DATA")


def second_demo(place: TrialFolder) -> Broken:
    _occupy(place)
    settings = {"DOCSTEAD_PORT": str(free_port())}
    return Broken(("demo", place.source), str(place.data), "DOCSTEAD_DATA", settings=settings)


def _occupy(place: TrialFolder) -> None:
    place.data.mkdir()
    jobs = Jobs(f"sqlite:///{place.data}/docstead.sqlite", node_id="first")
    jobs.launch()
    place.held.callback(jobs.close)


def _serve(
    place: TrialFolder, named: str, advice: str, *lacks: str, status: int = FAILED
) -> Broken:
    return Broken(("serve",), named, advice, status, {"DOCSTEAD_PORT": str(free_port())}, lacks)


# --- objects ------------------------------------------------------------------------


def objects_not_writable(place: TrialFolder) -> Broken:
    place.data.mkdir()
    (place.data / "objects").write_text("a file")
    return Broken(("deployments", "list"), str(place.data / "objects"), "DOCSTEAD_DATA")


def s3_unreachable(place: TrialFolder) -> Broken:
    endpoint = f"http://127.0.0.1:{_bound(place, listening=False)}"
    return _s3(place, endpoint, "docs", "key", "DOCSTEAD_S3_ENDPOINT")


def s3_bucket_missing(place: TrialFolder) -> Broken:
    # The S3 server of the tests makes the buckets that it lacks.
    endpoint = place.held.enter_context(s3_without_buckets())
    return _s3(place, endpoint, "docs", "key", "create it, or correct DOCSTEAD_S3_BUCKET")


def s3_key_wrong(place: TrialFolder) -> Broken:
    advice = "correct DOCSTEAD_S3_ACCESS_KEY_ID and DOCSTEAD_S3_SECRET_ACCESS_KEY"
    return _s3(place, place.stores().s3_endpoint, "docstead", "nobody", advice)


def _s3(place: TrialFolder, endpoint: str, bucket: str, key_id: str, advice: str) -> Broken:
    settings = {
        "DOCSTEAD_S3_ENDPOINT": endpoint,
        "DOCSTEAD_S3_BUCKET": bucket,
        "DOCSTEAD_S3_ACCESS_KEY_ID": key_id,
        "DOCSTEAD_S3_SECRET_ACCESS_KEY": "test-secret-of-the-test-server",
    }
    command = ("publish", place.source, "--domain", "handbook")
    return Broken(command, f"bucket {bucket} at {endpoint}", advice, settings=settings)


# --- the machine ----------------------------------------------------------------------


def too_few_descriptors(place: TrialFolder) -> Broken:
    return _serve(place, "only 64 files may be open", "ulimit -n", "open-files=64")


def too_little_memory(place: TrialFolder) -> Broken:
    return _serve(place, "limited to 700 MB", _MEMORY, _ADDRESS_SPACE)


def too_little_memory_for_a_publish(place: TrialFolder) -> Broken:
    command = ("publish", place.source, "--domain", "handbook")
    return Broken(command, "limited to 700 MB", _MEMORY, lacks=(_ADDRESS_SPACE,))


_MEMORY, _ADDRESS_SPACE = "limit memory by a control group", f"address-space={700 << 20}"


# --- the secret -----------------------------------------------------------------------


def _with_secret(secret: str, named: str, advice: str) -> Broken:
    return Broken(LIST, named, advice, WRONG_USAGE, {"DOCSTEAD_SECRET": secret})


def secret_missing(place: TrialFolder) -> Broken:
    place.run("keys", "create", "admin")
    (place.data / "secret").unlink()
    return Broken(LIST, f"{place.data}/secret", "docstead secret reset", WRONG_USAGE)


def secret_file_empty(place: TrialFolder) -> Broken:
    place.run("keys", "create", "admin")
    (place.data / "secret").write_text("")
    return Broken(LIST, f"{place.data}/secret", "docstead secret reset", WRONG_USAGE)


def secret_blank(_: TrialFolder) -> Broken:
    return _with_secret('["  "]', "DOCSTEAD_SECRET: an entry is empty", "remove it")


def secret_short(_: TrialFolder) -> Broken:
    return _with_secret("short", "DOCSTEAD_SECRET: ", "openssl rand -hex 32")


def secret_wrong(place: TrialFolder) -> Broken:
    place.run("keys", "create", "admin")
    return _with_secret(SECRET, "DOCSTEAD_SECRET: the secret is not the one", "secret reset")


# --- what is published ----------------------------------------------------------------


def edition_damaged(place: TrialFolder) -> Broken:
    place.publish()
    for kind in ("objects/editions", "cache/editions"):
        for path in (place.data / kind).glob("*.sqlite"):
            path.write_bytes(b"damaged")
    return Broken(("search", "keys"), "handbook", "publish it again")


def _publish(source: str | Path, named: str, advice: str) -> Broken:
    return Broken(("publish", source, "--domain", "handbook"), named, advice)


def source_missing(place: TrialFolder) -> Broken:
    missing = place.folder / "nowhere"
    return _publish(missing, str(missing), "there is no such folder; correct the path")


def source_that_is_not_git(place: TrialFolder) -> Broken:
    url = place.source.as_uri()
    return _publish(url, url, "not a git repository; for a folder, give its path")


def source_that_is_away(place: TrialFolder) -> Broken:
    address = f"127.0.0.1:{_bound(place, listening=False)}/docs.git"
    return _publish(f"ssh://git@{address}", address, "correct the URL")


def docs_json_missing(place: TrialFolder) -> Broken:
    (place.source / "docs").mkdir()
    (place.source / "docs.json").rename(place.source / "docs" / "docs.json")
    return _publish(place.source, "docs.json", "--root docs")


def docs_json_nowhere(place: TrialFolder) -> Broken:
    (place.source / "docs.json").unlink()
    return _publish(place.source, "docs.json", "--root")


def browser_assets_missing(place: TrialFolder) -> Broken:
    copied = place.folder / "program" / "docstead"
    installed = Path(docstead.__file__).parent
    shutil.copytree(installed, copied, ignore=shutil.ignore_patterns("built", "__pycache__"))
    settings = {"PYTHONPATH": str(copied.parent)}
    command = ("publish", place.source, "--domain", "handbook")
    return Broken(command, str(copied / "markup" / "assets" / "built"), "make engine", 1, settings)


INSTALLATIONS = (
    settings_file_missing,
    settings_file_with_an_open_quote,
    unknown_key,
    unknown_variable,
    port_that_is_none,
    port_that_is_too_high,
    port_that_is_taken,
    database_of_another_kind,
    database_url_that_is_none,
    database_refused,
    database_password_wrong,
    database_missing,
    database_newer_than_the_code,
    database_damaged,
    data_folder_read_only,
    data_folder_read_only_with_a_database,
    data_folder_is_a_file,
    data_folder_that_cannot_be_made,
    disk_full_at_the_start,
    disk_full_in_a_publish,
    damaged_node_id,
    second_service,
    second_demo,
    objects_not_writable,
    s3_unreachable,
    s3_bucket_missing,
    s3_key_wrong,
    too_few_descriptors,
    too_little_memory,
    too_little_memory_for_a_publish,
    secret_missing,
    secret_file_empty,
    secret_blank,
    secret_short,
    secret_wrong,
    edition_damaged,
    source_missing,
    source_that_is_not_git,
    source_that_is_away,
    docs_json_missing,
    docs_json_nowhere,
)
SLOW = (browser_assets_missing,)  # another copy of the program starts from nothing
