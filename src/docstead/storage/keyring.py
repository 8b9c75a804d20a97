"""Signing and encryption keys of an installation, encrypted with its root secrets.

Each key is random and stored once per root secret, so any of the secrets decrypts the keyring and a
new secret does not change the keys: API keys, site keys in exported bundles and stored ciphertexts
survive a rotation. A secret that decrypts nothing is rejected.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets as random
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy import Connection, RowMapping, delete, insert, select

from docstead.base.clock import Clock
from docstead.base.errors import InvalidRequest
from docstead.storage.database import Database
from docstead.storage.schema import keyring, organizations
from docstead.storage.vault import CredentialVault

MIN_SECRET_CHARACTERS = 32
_LOCK = 0x646F6B72  # an arbitrary number, the same in every process
_KEY_BYTES = 32
_NONCE_BYTES = 12


class KeyPurpose(StrEnum):
    """Purpose of a key."""

    API_KEYS = "api_keys"  #: Hashes of API keys, and site keys.
    LINKS = "links"  #: Signatures of download links; each rotation adds one.
    VAULT = "vault"  #: Stored tokens and webhook secrets.


class RootSecrets(Protocol):
    """Root secrets of this process, newest first."""

    @property
    def location(self) -> str:
        """Setting or file that contains them, for messages."""
        ...

    def read(self) -> Sequence[str]: ...

    def create(self) -> str:
        """Create the first secret of a new installation and flush it to disk."""
        ...


@dataclass(frozen=True, slots=True)
class _StoredKey:
    id: str
    purpose: KeyPurpose
    secret: bytes = field(repr=False)
    created_at: datetime


class Keyring:
    """Decrypted keys. Link keys are read from the database each time, shared by all processes."""

    def __init__(self, database: Database, clock: Clock, secrets: RootSecrets) -> None:
        self._database = database
        self._clock = clock
        self._secrets = secrets
        self._keys: Mapping[str, _StoredKey] = {}

    def open(self) -> None:
        """Decrypt the keyring, creating it on first use, and encrypt it for new secrets.

        Raises:
            InvalidRequest: the secret is wrong, missing, empty or too short.
        """
        with self._database.reading() as connection:
            rows = _rows(connection)
        secrets = self._secrets.read()
        if not rows or not {secret_id(each) for each in secrets} <= {r["secret_id"] for r in rows}:
            with self._database.exclusive(_LOCK) as connection:
                self._complete(connection)
                rows = _rows(connection)
        self._keys = self._opened(rows, self._secrets.read())

    def check(self) -> None:
        """Check the secrets as `open` does, and store nothing.

        Raises:
            InvalidRequest: as for `open`.
        """
        with self._database.reading() as connection:
            rows = _rows(connection)
        if rows:
            self._opened(rows, self._secrets.read())
        else:
            check_lengths(self._secrets)

    @property
    def pepper(self) -> bytes:
        """Key for hashing API keys."""
        return self._newest(KeyPurpose.API_KEYS).secret

    @property
    def vault(self) -> CredentialVault:
        return CredentialVault(self._newest(KeyPurpose.VAULT).secret)

    @property
    def commands_key(self) -> bytes:
        """Key with which commands on the service's machine prove their identity."""
        return hmac.digest(self.pepper, b"local commands", hashlib.sha256)

    @property
    def hooks_key(self) -> bytes:
        """Key from which forge webhook secrets are derived."""
        return hmac.digest(self.pepper, b"forge hooks", hashlib.sha256)

    def link_keys(self) -> Mapping[str, bytes]:
        """Return the keys of download links by id: the newest signs, all verify."""
        query = select(keyring.c.id).where(keyring.c.purpose == KeyPurpose.LINKS)
        with self._database.reading() as connection:
            ids = connection.execute(query.order_by(keyring.c.created_at.desc())).scalars().all()
        if not set(ids) <= self._keys.keys():
            self.open()
        return {each: self._keys[each].secret for each in ids}

    def retire(self) -> None:
        """Delete all secrets and link keys except the newest; older links become invalid.

        Raises:
            InvalidRequest: more than one secret is configured, or it is too short.
        """
        secrets = self._secrets.read()
        if len(secrets) != 1:
            raise InvalidRequest(f"{self._secrets.location}: remove the older secrets first")
        _check_length(self._secrets.location, secrets[0])
        newest = self._newest(KeyPurpose.LINKS).id
        with self._database.exclusive(_LOCK) as connection:
            connection.execute(delete(keyring).where(keyring.c.secret_id != secret_id(secrets[0])))
            older = (keyring.c.purpose == KeyPurpose.LINKS, keyring.c.id != newest)
            connection.execute(delete(keyring).where(*older))
        self.open()

    def reset(self) -> None:
        """Replace all keys, because no secret decrypts the old ones.

        Raises:
            InvalidRequest: a secret is too short.
        """
        secrets, now = self._secrets.read(), self._clock.now()
        for each in secrets:
            _check_length(self._secrets.location, each)
        with self._database.exclusive(_LOCK) as connection:
            connection.execute(delete(keyring))
            self._store(connection, [_random_key(purpose, now) for purpose in KeyPurpose], secrets)
        self.open()

    def _newest(self, purpose: KeyPurpose) -> _StoredKey:
        keys = (key for key in self._keys.values() if key.purpose is purpose)
        return max(keys, key=lambda key: key.created_at)

    def _complete(self, connection: Connection) -> None:
        """Create missing keys, and store them for new secrets."""
        rows, secrets = _rows(connection), self._secrets.read()
        if not rows:
            secrets = secrets or (self._first_secret(connection),)
            self._store(connection, self._first_keys(connection, secrets), secrets)
            return
        keys = list(self._opened(rows, secrets).values())
        known = {row["secret_id"] for row in rows}
        fresh = [each for each in secrets if secret_id(each) not in known]
        for each in fresh:
            _check_length(self._secrets.location, each)
        if fresh:
            self._store(connection, keys, fresh)
            link_key = _random_key(KeyPurpose.LINKS, self._clock.now())
            self._store(connection, [link_key], secrets)

    def _first_secret(self, connection: Connection) -> str:
        if not _is_new(connection):
            raise InvalidRequest(
                f"{self._secrets.location}: the secret of this installation is missing. Restore it "
                "from a backup or from another node. If it is lost: docstead secret reset"
            )
        return self._secrets.create()

    def _first_keys(self, connection: Connection, secrets: Sequence[str]) -> Sequence[_StoredKey]:
        now = self._clock.now()
        if _is_new(connection):
            for each in secrets:
                _check_length(self._secrets.location, each)
            return [_random_key(purpose, now) for purpose in KeyPurpose]
        # Before the keyring existed, the secret itself was used for hashes and links.
        *newer, oldest = secrets
        for each in newer:
            _check_length(self._secrets.location, each)
        link_key = derived(oldest, "links")
        return [
            _StoredKey(random.token_hex(8), KeyPurpose.API_KEYS, derived(oldest, "api keys"), now),
            _StoredKey(hashlib.sha256(link_key).hexdigest()[:8], KeyPurpose.LINKS, link_key, now),
            _random_key(KeyPurpose.VAULT, now),
        ]

    def _opened(
        self, rows: Sequence[RowMapping], secrets: Sequence[str]
    ) -> Mapping[str, _StoredKey]:
        by_id = {secret_id(each): each for each in secrets}
        keys = {
            row["id"]: _unwrapped(row, by_id[row["secret_id"]])
            for row in rows
            if row["secret_id"] in by_id
        }
        if keys.keys() != {row["id"] for row in rows}:
            is_lost = "is not the one" if secrets else "is missing: restore the one"
            raise InvalidRequest(
                f"{self._secrets.location}: the secret {is_lost} that this database was set up "
                "with. Restore it from a backup or from another node, or list it after a newer "
                "one. If it is lost: docstead secret reset"
            )
        return keys

    def _store(
        self, connection: Connection, keys: Sequence[_StoredKey], secrets: Sequence[str]
    ) -> None:
        rows = [_wrapped(key, secret) for key in keys for secret in secrets]
        connection.execute(insert(keyring), rows)


def secret_id(secret: str) -> str:
    """Return an id of a root secret that does not reveal it."""
    return derived(secret, "id").hex()[:16]


def derived(secret: str, purpose: str) -> bytes:
    """Derive a key for one purpose, which reveals neither the secret nor other keys."""
    return hmac.digest(secret.encode(), purpose.encode(), hashlib.sha256)


def is_short(secret: str) -> bool:
    return len(secret) < MIN_SECRET_CHARACTERS


def check_lengths(secrets: RootSecrets) -> None:
    """Check the secrets of a new installation. Raises InvalidRequest if one is too short."""
    for each in secrets.read():
        _check_length(secrets.location, each)


def _check_length(location: str, secret: str) -> None:
    if is_short(secret):
        raise InvalidRequest(
            f"{location}: a secret has at least {MIN_SECRET_CHARACTERS} characters, and one has "
            f"{len(secret)}. Make one with: openssl rand -hex 32"
        )


def _is_new(connection: Connection) -> bool:
    return connection.execute(select(organizations.c.id).limit(1)).first() is None


def _rows(connection: Connection) -> Sequence[RowMapping]:
    return connection.execute(select(keyring)).mappings().all()


def _random_key(purpose: KeyPurpose, now: datetime) -> _StoredKey:
    return _StoredKey(random.token_hex(8), purpose, random.token_bytes(_KEY_BYTES), now)


def _wrapped(key: _StoredKey, secret: str) -> dict[str, object]:
    nonce = random.token_bytes(_NONCE_BYTES)
    cipher = AESGCM(derived(secret, "keyring"))
    sealed = cipher.encrypt(nonce, key.secret, f"{key.purpose} {key.id}".encode())
    return {
        "id": key.id,
        "secret_id": secret_id(secret),
        "purpose": key.purpose,
        "wrapped": b64encode(nonce + sealed).decode(),
        "created_at": key.created_at,
    }


def _unwrapped(row: RowMapping, secret: str) -> _StoredKey:
    sealed = b64decode(row["wrapped"])
    cipher, said = AESGCM(derived(secret, "keyring")), f"{row['purpose']} {row['id']}".encode()
    try:
        key = cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], said)
    except InvalidTag as error:
        raise InvalidRequest(f"the table keyring is damaged: row {row['id']}") from error
    return _StoredKey(row["id"], KeyPurpose(row["purpose"]), key, row["created_at"])
