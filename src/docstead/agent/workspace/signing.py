"""SSH signatures of commits, created by git with `ssh-keygen`.

Only `ssh-keygen` reads the key. Messages name neither the key nor its file; `reason` does, for the
operator.
"""

from __future__ import annotations

import logging
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from docstead.base.errors import Conflict

_PROGRAM = "ssh-keygen"
_NAMESPACE = "docstead"  # namespace of the test signature; git uses its own
_SECONDS = 30.0
_REASON_CHARACTERS = 300

_log = logging.getLogger(__name__)


class SigningFailed(Conflict):
    """Commits cannot be signed. `docstead doctor` shows the reason to the operator."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private SSH key in `file`, an absolute path; without passphrase."""

    file: Path

    @property
    def options(self) -> tuple[str, ...]:
        """Return git's options for signing."""
        settings = ("gpg.format=ssh", f"gpg.ssh.program={_PROGRAM}", f"user.signingKey={self.file}")
        return tuple(part for setting in settings for part in ("-c", setting))

    def check(self) -> None:
        """Sign an empty text as a test.

        Raises:
            SigningFailed: the program or key is missing or unusable; with the reason.
        """
        if not os.access(self.file, os.R_OK) or not self.file.is_file():
            raise failure(f"{self.file} cannot be read")
        command = [_PROGRAM, "-Y", "sign", "-n", _NAMESPACE, "-f", str(self.file)]
        try:
            done = subprocess.run(
                command,
                input=b"",
                capture_output=True,
                timeout=_SECONDS,
                env={name: os.environ[name] for name in ("PATH",) if name in os.environ},
                start_new_session=True,  # no terminal to ask for a passphrase
                check=False,
            )
        except OSError:
            raise failure(f"{_PROGRAM} of OpenSSH 8.2 or later is missing") from None
        except subprocess.TimeoutExpired:
            raise failure(f"{_PROGRAM} took over {_SECONDS:g} seconds") from None
        if done.returncode:
            lines = done.stderr.decode(errors="replace").split("\n")
            said = " ".join(line.strip(" @\r") for line in lines if line.strip(" @\r"))
            raise failure(f"{self.file} cannot be used: {said[:_REASON_CHARACTERS]}")


def failure(reason: str) -> SigningFailed:
    """Return an error without the reason, which is logged for the operator."""
    _log.warning("commits cannot be signed: %s", reason)
    return SigningFailed(reason)
