"""Unusable databases and object stores, for `broken_installations`."""

from __future__ import annotations

import sqlite3

from s3_without_buckets import s3_without_buckets
from trial_folder import FAILED, LIST, WRONG_USAGE, Broken, TrialFolder

# --- the database ---------------------------------------------------------------


def _database(url: str, named: str, advice: str, status: int = FAILED) -> Broken:
    return Broken(LIST, named, advice, status, {"DOCSTEAD_DATABASE_URL": url})


def database_of_another_kind(_: TrialFolder) -> Broken:
    named = "DOCSTEAD_DATABASE_URL: mysql is not supported"
    return _database("mysql://user@host/name", named, "use postgresql://", WRONG_USAGE)


def database_url_that_is_none(_: TrialFolder) -> Broken:
    named = "DOCSTEAD_DATABASE_URL: not the URL of a database"
    return _database("nonsense", named, "use postgresql://", WRONG_USAGE)


def database_refused(trial: TrialFolder) -> Broken:
    host = f"127.0.0.1:{trial.taken_port(listening=False)}/docs"
    url = f"postgresql://docs:hidden@{host}"
    return _database(url, host, "start it, or correct DOCSTEAD_DATABASE_URL")


def database_password_wrong(trial: TrialFolder) -> Broken:
    url = trial.stores().postgres("postgres").replace("postgres@", "guarded:hidden@")
    named = "guarded:***@"
    return _database(url, named, "correct the user and password in DOCSTEAD_DATABASE_URL")


def database_missing(trial: TrialFolder) -> Broken:
    url = trial.stores().postgres("missing")
    advice = "create the database, or correct DOCSTEAD_DATABASE_URL"
    return _database(url, "/missing", advice)


def database_newer_than_the_code(trial: TrialFolder) -> Broken:
    path = trial.migrated_database()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    return Broken(LIST, str(path), "start that version, or put a backup in its place")


def database_damaged(trial: TrialFolder) -> Broken:
    path = trial.migrated_database()
    path.write_bytes(b"no database " * 1000)
    return Broken(LIST, str(path), "put a backup in its place")


# --- objects ------------------------------------------------------------------------


def objects_not_writable(trial: TrialFolder) -> Broken:
    trial.data.mkdir()
    (trial.data / "objects").write_text("a file")
    return Broken(("deployments", "list"), str(trial.data / "objects"), "DOCSTEAD_DATA")


def s3_unreachable(trial: TrialFolder) -> Broken:
    endpoint = f"http://127.0.0.1:{trial.taken_port(listening=False)}"
    return _s3(trial, endpoint, "docs", "key", "DOCSTEAD_S3_ENDPOINT")


def s3_bucket_missing(trial: TrialFolder) -> Broken:
    # The S3 server of the tests creates missing buckets.
    endpoint = trial.held.enter_context(s3_without_buckets())
    return _s3(trial, endpoint, "docs", "key", "create it, or correct DOCSTEAD_S3_BUCKET")


def s3_key_wrong(trial: TrialFolder) -> Broken:
    advice = "correct DOCSTEAD_S3_ACCESS_KEY_ID and DOCSTEAD_S3_SECRET_ACCESS_KEY"
    return _s3(trial, trial.stores().s3_endpoint, "docstead", "nobody", advice)


def _s3(trial: TrialFolder, endpoint: str, bucket: str, key_id: str, advice: str) -> Broken:
    settings = {
        "DOCSTEAD_S3_ENDPOINT": endpoint,
        "DOCSTEAD_S3_BUCKET": bucket,
        "DOCSTEAD_S3_ACCESS_KEY_ID": key_id,
        "DOCSTEAD_S3_SECRET_ACCESS_KEY": "test-secret-of-the-test-server",
    }
    command = ("publish", trial.source, "--domain", "handbook")
    return Broken(command, f"bucket {bucket} at {endpoint}", advice, settings=settings)
