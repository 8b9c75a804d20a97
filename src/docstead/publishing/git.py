"""Git commands on untrusted repositories.

The system's `git` runs with our own environment and configuration: no hooks, filters, submodules,
prompts, credential helpers or settings of the system or the user, and only the transport of the
URL. Programs that a repository names in its attributes and settings are never started.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from docstead.base.errors import SourceUnreadable
from docstead.base.texts import shortened
from docstead.base.units import MIB
from docstead.publishing.git_network import NOWHERE, GitRoute, GitTransport
from docstead.publishing.git_process import (
    MEMORY_BYTES,
    OUTPUT_BYTES,
    GitExchange,
    OutputTooLong,
    end_group,
    limit_resources,
)

LOCAL_SECONDS = 60
FETCH_SECONDS = 300
_LONGEST_REASON = 500

# Attributes of a repository may name filters, drivers and encodings, and multiply the size of a
# file; these override them, so that files contain the committed bytes.
_ATTRIBUTES = "* -text !eol -ident -filter !working-tree-encoding !diff !merge !export-subst\n"

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
    "pack.threads=4",  # each has a stack, which counts as memory
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


class GitOutputTooLong(GitFailed):
    """A git command printed more than it may."""


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
        output_limit_bytes: int = OUTPUT_BYTES,
    ) -> bytes:
        """Run git with the input `sent` and return its output.

        A command that contacts another repository resolves its server first, and is run again if
        the server redirects to a new URL.

        Raises:
            GitOutputTooLong: git printed more than `output_limit_bytes`.
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
        output_limit_bytes: int,
    ) -> bytes:
        process = self._started(arguments, variables, route, reads=bool(sent))
        exchange = GitExchange(process, memoryview(sent), output_limit_bytes)
        try:
            limit_resources(process, timeout_seconds, self.file_limit_bytes)
            exchange.run(timeout_seconds)
        except OutputTooLong:
            end_group(process)
            raise GitOutputTooLong(
                f"git {arguments[0]} prints too much: too many files, branches or messages"
            ) from None
        except subprocess.TimeoutExpired:
            end_group(process)
            raise GitFailed(f"git {arguments[0]} took over {timeout_seconds:g} seconds") from None
        except BaseException:
            end_group(process)
            raise
        output, complaint = bytes(exchange.output), bytes(exchange.messages)
        if process.returncode:
            said = without_credentials((output + complaint).decode(errors="replace"))
            reason = _reason(complaint, arguments[0])
            raise GitFailed(reason, printed=said, exit_code=process.returncode)
        return output

    def _started(
        self,
        arguments: Sequence[str],
        variables: Mapping[str, str],
        route: GitRoute,
        *,
        reads: bool,
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command(arguments, route),
            cwd=self.directory,
            env=self._environment(variables, route),
            stdin=subprocess.PIPE if reads else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            # Python ignores the signal for files that are too large, so git reports the error.
            restore_signals=self.file_limit_bytes is None,
        )

    def text(self, *arguments: str, timeout_seconds: float = LOCAL_SECONDS) -> str:
        return self.run(*arguments, timeout_seconds=timeout_seconds).decode(errors="replace")

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


def write_attributes(directory: Path) -> None:
    """Let a bare repository override the attributes that its commits contain."""
    (directory / "info").mkdir(exist_ok=True)
    (directory / "info" / "attributes").write_text(_ATTRIBUTES)


def without_credentials(text: str) -> str:
    """Return a text without the user part of its URLs, for messages and logs."""
    return _USER_INFORMATION.sub("", text)


def _reason(complaint: bytes, command: str) -> str:
    lines = [line.strip() for line in complaint.decode(errors="replace").splitlines()]
    causes = [line for line in lines if line.startswith(("fatal:", "error:", "ssh:"))] or lines
    text = "; ".join(line for line in causes[:3] if line) or f"git {command} failed"
    if "terminal prompts disabled" in text or "could not read Username" in text:
        text = "the repository does not exist, or it needs credentials"
    if "Out of memory" in text:
        text = f"git {command} needs more than {MEMORY_BYTES // MIB:,} MB of memory"
    return shortened(without_credentials(text), _LONGEST_REASON)
