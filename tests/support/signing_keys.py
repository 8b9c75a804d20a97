"""SSH keys for commit signatures, and their verification by git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def new_key(folder: Path, passphrase: str = "") -> Path:
    """Create a private key; its public key is in the same folder."""
    file = folder / "signing-key"
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", str(file)],
        check=True,
    )
    return file


def is_verified(repository: Path, commit: str, key: Path) -> bool:
    """Report whether `git verify-commit` accepts a commit, if only this key is allowed."""
    allowed = key.with_name("allowed-signers")
    allowed.write_text(f"agent@docs.test {key.with_suffix('.pub').read_text()}")
    done = subprocess.run(
        ["git", "-c", f"gpg.ssh.allowedSignersFile={allowed}", "verify-commit", commit],
        cwd=repository,
        env={"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0
