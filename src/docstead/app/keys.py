"""The configured root secrets, and the keyring that they decrypt."""

from __future__ import annotations

import logging

from docstead.base.clock import Clock
from docstead.secrets import RootSecretFile, RootSecretSetting
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.keyring import MIN_SECRET_CHARACTERS, Keyring, is_short

_log = logging.getLogger(__name__)


def root_secrets_of(settings: Settings) -> RootSecretFile | RootSecretSetting:
    given = [each.get_secret_value() for each in settings.secret]
    return RootSecretSetting(given) if given else RootSecretFile(settings.data / "secret")


def keyring_of(settings: Settings, database: Database, clock: Clock) -> Keyring:
    """Return the decrypted keyring.

    Raises:
        InvalidRequest: the secret is wrong, missing, empty or too short.
    """
    root_secrets = root_secrets_of(settings)
    keyring = Keyring(database, clock, root_secrets)
    keyring.open()
    newest, *_ = root_secrets.read()
    if is_short(newest):
        _log.warning(
            "%s: the secret has fewer than %d characters. Put a longer one before it: "
            "docstead secret rotate",
            root_secrets.location,
            MIN_SECRET_CHARACTERS,
        )
    return keyring
