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


def settings_file_missing(trial: TrialFolder) -> Broken:
    missing = trial.folder / "nope.toml"
    return Broken(
        LIST,
        f"DOCSTEAD_CONFIG: there is no file {missing}",
        "correct the path",
        WRONG_USAGE,
        {"DOCSTEAD_CONFIG": str(missing)},
    )


def settings_file_with_an_open_quote(trial: TrialFolder) -> Broken:
    (trial.folder / "docstead.toml").write_text('data = "x\n')
    return Broken(LIST, "docstead.toml:1:10: a quote is not closed", "close it", WRONG_USAGE)


def unknown_key(trial: TrialFolder) -> Broken:
    (trial.folder / "docstead.toml").write_text("prot = 80\n")
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


def port_that_is_taken(trial: TrialFolder) -> Broken:
    port = trial.taken_port()
    settings = {"DOCSTEAD_PORT": str(port)}
    return Broken(("serve",), f"127.0.0.1:{port}", f"DOCSTEAD_PORT={port + 1}", FAILED, settings)


# --- the data folder --------------------------------------------------------------

_OTHER_FOLDER = "DOCSTEAD_DATA"


def data_folder_read_only(trial: TrialFolder) -> Broken:
    trial.data.mkdir()
    return Broken(LIST, str(trial.data), _OTHER_FOLDER, lacks=(f"read-only={trial.data}",))


def data_folder_read_only_with_a_database(trial: TrialFolder) -> Broken:
    trial.migrated_database()
    return Broken(LIST, str(trial.data), _OTHER_FOLDER, lacks=(f"read-only={trial.data}",))


def data_folder_is_a_file(trial: TrialFolder) -> Broken:
    trial.data.write_text("a file")
    return Broken(LIST, str(trial.data), _OTHER_FOLDER)


def data_folder_that_cannot_be_made(trial: TrialFolder) -> Broken:
    trial.data.write_text("a file")
    settings = {"DOCSTEAD_DATA": str(trial.data / "below")}
    return Broken(LIST, str(trial.data / "below"), _OTHER_FOLDER, settings=settings)


def disk_full_at_the_start(trial: TrialFolder) -> Broken:
    trial.data.mkdir()
    return Broken(LIST, str(trial.data), "free some space", lacks=_small_disk(trial, 40_960))


def disk_full_in_a_publish(trial: TrialFolder) -> Broken:
    trial.data.mkdir()
    command = ("publish", trial.source, "--domain", "handbook")
    return Broken(command, str(trial.data), "free some space", lacks=_small_disk(trial, 700_000))


def _small_disk(trial: TrialFolder, size_bytes: int) -> tuple[str, ...]:
    return (f"small-disk={size_bytes}:{trial.data}",)


def damaged_node_id(trial: TrialFolder) -> Broken:
    trial.data.mkdir()
    (trial.data / "node-id").write_bytes(b"\xff\xfe\x00")
    advice = "remove the file to get a new name"
    return _serve(trial, f"{trial.data}/node-id", advice, status=WRONG_USAGE)


def second_service(trial: TrialFolder) -> Broken:
    _occupy(trial)
    return _serve(trial, str(trial.data), "DOCSTEAD_DATA")


def second_demo(trial: TrialFolder) -> Broken:
    _occupy(trial)
    settings = {"DOCSTEAD_PORT": str(free_port())}
    return Broken(("demo", trial.source), str(trial.data), "DOCSTEAD_DATA", settings=settings)


def _occupy(trial: TrialFolder) -> None:
    trial.data.mkdir()
    jobs = Jobs(f"sqlite:///{trial.data}/docstead.sqlite", node_id="first")
    jobs.launch()
    trial.held.callback(jobs.close)


def _serve(
    trial: TrialFolder, named: str, advice: str, *lacks: str, status: int = FAILED
) -> Broken:
    return Broken(("serve",), named, advice, status, {"DOCSTEAD_PORT": str(free_port())}, lacks)


# --- the machine ----------------------------------------------------------------------


def too_few_descriptors(trial: TrialFolder) -> Broken:
    return _serve(trial, "only 64 files may be open", "ulimit -n", "open-files=64")


def too_little_memory(trial: TrialFolder) -> Broken:
    return _serve(trial, "limited to 700 MB", _MEMORY, _ADDRESS_SPACE)


def too_little_memory_for_a_publish(trial: TrialFolder) -> Broken:
    command = ("publish", trial.source, "--domain", "handbook")
    return Broken(command, "limited to 700 MB", _MEMORY, lacks=(_ADDRESS_SPACE,))


_MEMORY, _ADDRESS_SPACE = "limit memory by a control group", f"address-space={700 << 20}"


# --- the secret -----------------------------------------------------------------------


def _with_secret(secret: str, named: str, advice: str) -> Broken:
    return Broken(LIST, named, advice, WRONG_USAGE, {"DOCSTEAD_SECRET": secret})


def secret_missing(trial: TrialFolder) -> Broken:
    trial.run("keys", "create", "admin")
    (trial.data / "secret").unlink()
    return Broken(LIST, f"{trial.data}/secret", "docstead secret reset", WRONG_USAGE)


def secret_file_empty(trial: TrialFolder) -> Broken:
    trial.run("keys", "create", "admin")
    (trial.data / "secret").write_text("")
    return Broken(LIST, f"{trial.data}/secret", "docstead secret reset", WRONG_USAGE)


def secret_file_damaged(trial: TrialFolder) -> Broken:
    trial.run("keys", "create", "admin")
    (trial.data / "secret").write_bytes(b"garbage\xff\xfe")
    return Broken(LIST, f"{trial.data}/secret", "docstead secret reset", WRONG_USAGE)


def secret_blank(_: TrialFolder) -> Broken:
    return _with_secret('["  "]', "DOCSTEAD_SECRET: an entry is empty", "remove it")


def secret_short(_: TrialFolder) -> Broken:
    return _with_secret("short", "DOCSTEAD_SECRET: ", "openssl rand -hex 32")


def secret_wrong(trial: TrialFolder) -> Broken:
    trial.run("keys", "create", "admin")
    return _with_secret(SECRET, "DOCSTEAD_SECRET: the secret is not the one", "secret reset")


# --- what is published ----------------------------------------------------------------


def edition_damaged(trial: TrialFolder) -> Broken:
    trial.publish()
    for kind in ("objects/editions", "cache/editions"):
        for path in (trial.data / kind).glob("*.sqlite"):
            path.write_bytes(b"damaged")
    return Broken(("search", "keys"), "handbook", "publish it again")


def _publish(source: str | Path, named: str, advice: str) -> Broken:
    return Broken(("publish", source, "--domain", "handbook"), named, advice)


def source_missing(trial: TrialFolder) -> Broken:
    missing = trial.folder / "nowhere"
    return _publish(missing, str(missing), "there is no such folder; correct the path")


def source_that_is_not_git(trial: TrialFolder) -> Broken:
    url = trial.source.as_uri()
    return _publish(url, url, "not a git repository; for a folder, give its path")


def source_that_is_away(trial: TrialFolder) -> Broken:
    git_host = f"127.0.0.1:{trial.taken_port(listening=False)}/docs.git"
    return _publish(f"ssh://git@{git_host}", git_host, "correct the URL")


def docs_json_missing(trial: TrialFolder) -> Broken:
    (trial.source / "docs").mkdir()
    (trial.source / "docs.json").rename(trial.source / "docs" / "docs.json")
    return _publish(trial.source, "docs.json", "--root docs")


def docs_json_nowhere(trial: TrialFolder) -> Broken:
    (trial.source / "docs.json").unlink()
    return _publish(trial.source, "docs.json", "--root")


def browser_assets_missing(trial: TrialFolder) -> Broken:
    copied = trial.folder / "program" / "docstead"
    installed = Path(docstead.__file__).parent
    shutil.copytree(installed, copied, ignore=shutil.ignore_patterns("built", "__pycache__"))
    settings = {"PYTHONPATH": str(copied.parent)}
    command = ("publish", trial.source, "--domain", "handbook")
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
