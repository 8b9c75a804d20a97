"""Each command that serves HTTP, as a process with minimal content."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bundle_archives import bundle_of
from free_ports import free_port
from migrated_data import data_with_tables
from ready_processes import ReadyProcess, shared_processes

_SECONDS = 120
COMMANDS = ("serve", "host", "dev")


@dataclass(frozen=True)
class Served:
    """A process that accepts connections on a port of this machine."""

    port: int
    process: subprocess.Popen[bytes] | ReadyProcess
    log_file: Path

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=_SECONDS)
        connection.settimeout(_SECONDS)
        return connection

    def say(self, request: bytes) -> bytes:
        """Send a request; return everything received until the connection is closed."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_all(connection)

    def log(self) -> str:
        return self.log_file.read_text()

    def resident_bytes(self) -> int:
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def served(
    command: str, folder: Path, environment: Mapping[str, str] = {}, *, prefix: tuple[str, ...] = ()
) -> Iterator[Served]:
    """Run one of `COMMANDS` until the end of the block."""
    port = free_port()
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("DOCSTEAD_")}
    own = {"DOCSTEAD_DATA": str(folder / "data"), "DOCSTEAD_RENDER_WORKERS": "1"}
    log_file = folder / "log"
    arguments = [*_arguments(command, folder), "--port", str(port)]
    with log_file.open("wb") as log:
        process = _started(prefix, arguments, inherited | own | dict(environment), log)
    found = Served(port, process, log_file)
    try:
        _wait_until_ready(found)
        yield found
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(_SECONDS)


def _started(
    prefix: tuple[str, ...], arguments: list[str], environment: dict[str, str], log: IO[bytes]
) -> subprocess.Popen[bytes] | ReadyProcess:
    if not prefix:
        return shared_processes().start_logged(["docstead.cli", *arguments], environment, log)
    command = [*prefix, sys.executable, "-m", "docstead.cli", *arguments]
    return subprocess.Popen(command, env=environment, stdout=log, stderr=log)


def read_all(connection: socket.socket) -> bytes:
    """Read until the peer closes, or resets, the connection."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def _arguments(command: str, folder: Path) -> list[str]:
    if command == "host":
        (folder / "site.tar.gz").write_bytes(bundle_of([("index.html", b"<title>Site</title>")]))
        export = {"enabled": True, "bundleUrl": "site.tar.gz"}
        (folder / "deployment.yaml").write_text(json.dumps({"staticExport": export}))
        return ["host", "--config", str(folder / "deployment.yaml")]
    if command == "dev":
        source = folder / "source"
        source.mkdir()
        (source / "docs.json").write_text('{"name": "Site", "navigation": {"pages": ["index"]}}')
        (source / "index.mdx").write_text("# Site\n")
        return ["dev", str(source)]
    data_with_tables(folder / "data")
    return [command]


def _wait_until_ready(found: Served) -> None:
    deadline = time.monotonic() + _SECONDS
    while True:
        assert found.process.poll() is None, found.log()
        assert time.monotonic() < deadline, found.log()
        try:
            found.connect().close()
        except ConnectionRefusedError:
            time.sleep(0.05)
        else:
            return
