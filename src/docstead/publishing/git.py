"""Git commands on untrusted repositories.

The system's `git` runs with our own environment and configuration: no hooks, filters, submodules,
prompts, credential helpers or settings of the system or the user, and only the transport of the
URL. Programs that a repository names in its attributes and settings are never started.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from docstead.base.errors import SourceUnreadable
from docstead.publishing.git_network import NOWHERE, GitRoute, GitTransport

LOCAL_SECONDS = 60
FETCH_SECONDS = 300
_BLOCK_BYTES = 1 << 16

_KEPT_VARIABLES = ("PATH", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO")

_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.askPass=",
    "core.symlinks=true",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "credential.helper=",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "gc.autoDetach=false",
    "log.showSignature=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=30",
    "safe.directory=*",
    "protocol.allow=never",
)

_REACHING_OUT = frozenset({"fetch", "ls-remote", "push"})
_FILE_LIMIT_SIGNS = ("File too large", "SIGXFSZ", "signal 25")
_REDIRECTED = re.compile(r"returned error: 30[12378]\b")
_USER_INFORMATION = re.compile(r"(?<=://)[^/@\s]+@")


class GitFailed(SourceUnreadable):
    """A git command failed."""

    def __init__(
        self, message: str | None = None, *, printed: str = "", exit_code: int | None = None
    ) -> None:
        super().__init__(message)
        self.printed = printed  # complete output of git, without credentials
        self.exit_code = exit_code

    @property
    def met_file_limit(self) -> bool:
        """Whether git tried to write a file larger than `Git.file_limit_bytes`."""
        text = f"{self.printed}{self.message}"
        return any(sign in text for sign in _FILE_LIMIT_SIGNS)


@dataclass(frozen=True, slots=True)
class Git:
    """Runs git in `directory`, a bare repository or a working tree.

    `transport` is the connection to another repository; None allows none. `environment` holds
    values that must not appear on a command line, such as credentials. `file_limit_bytes` ends a
    git process that writes a larger file (on Linux).
    """

    directory: Path
    transport: GitTransport | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    file_limit_bytes: int | None = None

    def is_sound(self) -> bool:
        """Report whether the repository's files are intact. Reads all of them."""
        try:
            self.run("fsck", "--no-dangling", "--no-progress")
        except GitFailed:
            return False
        return True

    def run(
        self,
        *arguments: str,
        variables: Mapping[str, str] | None = None,
        timeout_seconds: float = LOCAL_SECONDS,
        sent: bytes = b"",
        output_limit_bytes: int | None = None,
    ) -> bytes:
        """Run git with the input `sent` and return its output.

        A command that contacts another repository resolves its server first, and is run again if
        the server redirects to a new URL.

        Raises:
            GitFailed: git failed; with its message.
        """
        run = partial(
            self._run,
            arguments,
            variables or {},
            timeout_seconds=timeout_seconds,
            sent=sent,
            output_limit_bytes=output_limit_bytes,
        )
        if self.transport is None or _REACHING_OUT.isdisjoint(arguments):
            return run(NOWHERE)
        try:
            return run(self.transport.route())
        except GitFailed as error:
            moved = self.transport.moved() if _REDIRECTED.search(error.printed) else None
            if moved is None:
                raise
        return run(moved)

    def _run(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str],
        route: GitRoute,
        *,
        timeout_seconds: float,
        sent: bytes,
        output_limit_bytes: int | None,
    ) -> bytes:
        process = subprocess.Popen(
            self._command(arguments, route),
            cwd=self.directory,
            env=self._environment(variables, route),
            stdin=subprocess.PIPE if sent else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # Python ignores the signal for files that are too large, so git reports the error.
            restore_signals=self.file_limit_bytes is None,
        )
        try:
            self._limit(process, timeout_seconds)
            start = _read(process, output_limit_bytes, timeout_seconds)
            output, complaint = process.communicate(sent or None, timeout=timeout_seconds)
        except BaseException as error:
            _end_group(process)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            raise GitFailed(f"git {arguments[0]} took over {timeout_seconds:g} seconds") from None
        if process.returncode:
            said = without_credentials((output + complaint).decode(errors="replace"))
            reason = _reason(complaint, arguments[0])
            raise GitFailed(reason, printed=said, exit_code=process.returncode)
        return start + output

    def text(self, *arguments: str, timeout_seconds: float = LOCAL_SECONDS) -> str:
        return self.run(*arguments, timeout_seconds=timeout_seconds).decode(errors="replace")

    def _limit(self, process: subprocess.Popen[bytes], timeout_seconds: float) -> None:
        """Set limits that the kernel enforces even if this process is killed before git ends."""
        if sys.platform != "linux":
            return
        seconds = math.ceil(timeout_seconds) * (os.cpu_count() or 1)
        _set_limit(process, resource.RLIMIT_CPU, seconds)
        if self.file_limit_bytes is not None:
            _set_limit(process, resource.RLIMIT_FSIZE, self.file_limit_bytes)

    def _command(self, arguments: Sequence[str], route: GitRoute) -> list[str]:
        options = [part for setting in (*_SETTINGS, *route.settings) for part in ("-c", setting)]
        return ["git", "--no-pager", *options, *arguments]

    def _environment(self, variables: Mapping[str, str], route: GitRoute) -> dict[str, str]:
        return {
            **{name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            "HOME": os.devnull,
            "LC_ALL": "C",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            **route.variables,
            **self.environment,
            **variables,
        }


def _set_limit(process: subprocess.Popen[bytes], name: int, limit: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # ended; has a lower limit
        resource.prlimit(process.pid, name, (limit, limit))


def _read(
    process: subprocess.Popen[bytes], limit_bytes: int | None, timeout_seconds: float
) -> bytes:
    """Read the output of a command up to a limit.

    Raises:
        subprocess.TimeoutExpired: the command did not close its output in time: `ls-tree` can walk
            billions of empty folders without output.
    """
    if limit_bytes is None or process.stdout is None:
        return b""
    deadline, output = time.monotonic() + timeout_seconds, bytearray()
    waiting = select.poll()
    waiting.register(process.stdout, select.POLLIN)
    while waiting.poll(max(0.0, deadline - time.monotonic()) * 1000):
        part = os.read(process.stdout.fileno(), _BLOCK_BYTES)
        output += part
        if len(output) > limit_bytes:
            raise GitFailed("it contains too many files")
        if not part:
            return bytes(output)
    raise subprocess.TimeoutExpired(process.args, timeout_seconds)


def without_credentials(text: str) -> str:
    """Return a text without the user part of its URLs, for messages and logs."""
    return _USER_INFORMATION.sub("", text)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _reason(complaint: bytes, command: str) -> str:
    lines = [line.strip() for line in complaint.decode(errors="replace").splitlines()]
    causes = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))] or lines
    text = "; ".join(line for line in causes[:3] if line) or f"git {command} failed"
    if "terminal prompts disabled" in text or "could not read Username" in text:
        text = "the repository does not exist, or it needs credentials"
    return without_credentials(text)
