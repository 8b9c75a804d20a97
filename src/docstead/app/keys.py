"""The root secrets that the settings name, and the keyring that they open."""

from __future__ import annotations

import logging

from docstead.accounts.api_keys import ApiKeys
from docstead.accounts.tenancy import Tenancy
from docstead.agent.webhooks.records import WebhookRecords
from docstead.app.databases import database_url
from docstead.base.clock import Clock, SystemClock
from docstead.secrets import RootSecretFile, RootSecretSetting
from docstead.settings import Settings
from docstead.storage.database import Database
from docstead.storage.keyring import MIN_SECRET_CHARACTERS, Keyring, is_short
from docstead.storage.private_files import private_files

_log = logging.getLogger(__name__)


def root_secrets_of(settings: Settings) -> RootSecretFile | RootSecretSetting:
    given = [each.get_secret_value() for each in settings.secret]
    return RootSecretSetting(given) if given else RootSecretFile(settings.data / "secret")


def keyring_of(settings: Settings, database: Database, clock: Clock) -> Keyring:
    """The opened keyring.

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
            root_secrets.place,
            MIN_SECRET_CHARACTERS,
        )
    return keyring


def reset_keyring(settings: Settings) -> None:
    """Replace the keyring because its secret is lost, and remove all that it opened.

    Raises:
        InvalidRequest: the setting `secret` has an entry that is empty or too short.
    """
    clock, root_secrets = SystemClock(), root_secrets_of(settings)
    with private_files(settings.data):
        database = Database(database_url(settings))
        try:
            database.migrate()
            if isinstance(root_secrets, RootSecretFile):
                root_secrets.create()
            Keyring(database, clock, root_secrets).reset()
            ApiKeys(database, clock, b"").revoke_all()
            Tenancy(database, clock).forget_credentials()
            WebhookRecords(database, clock).remove_all()
        finally:
            database.close()
