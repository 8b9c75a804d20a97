"""Broken installations, and the expected message of a command about each.

Each function prepares a folder and returns the command, the setting or path that the message
names, and the next step that it gives.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import docstead
from broken_stores import (
    database_damaged,
    database_missing,
    database_newer_than_the_code,
    database_of_another_kind,
    database_password_wrong,
    database_refused,
    database_url_that_is_none,
    objects_not_writable,
    s3_bucket_missing,
    s3_key_wrong,
    s3_unreachable,
)
from docstead.jobs import Jobs
from free_ports import free_port
from trial_folder import FAILED, LIST, SECRET, WRONG_USAGE, Broken, TrialFolder

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
    port = place.taken_port()
    settings = {"DOCSTEAD_PORT": str(port)}
    return Broken(("serve",), f"127.0.0.1:{port}", f"DOCSTEAD_PORT={port + 1}", FAILED, settings)


# --- the data folder --------------------------------------------------------------

_OTHER_FOLDER = "DOCSTEAD_DATA"


def data_folder_read_only(place: TrialFolder) -> Broken:
    place.data.mkdir()
    return Broken(LIST, str(place.data), _OTHER_FOLDER, lacks=(f"read-only={place.data}",))


def data_folder_read_only_with_a_database(place: TrialFolder) -> Broken:
    place.migrated_database()
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
    advice = "remove the file to get a new name"
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


def secret_file_damaged(place: TrialFolder) -> Broken:
    place.run("keys", "create", "admin")
    (place.data / "secret").write_bytes(b"garbage\xff\xfe")
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
    address = f"127.0.0.1:{place.taken_port(listening=False)}/docs.git"
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
    secret_file_damaged,
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
