"""Object store for files too large for the database: editions, assets, bundles.

Objects are written atomically under relative paths of plain segments. A missing object raises
NotFound; an unusable store ObjectsUnavailable, or ObjectsUnreachable for temporary failures. Links
are signed by S3, or by the service if objects are on disk.
"""

from __future__ import annotations

import errno
import logging
import mimetypes
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

import obstore
from obstore.exceptions import BaseError, GenericError
from obstore.store import LocalStore, S3Store

from docstead.base.clock import Clock, SystemClock
from docstead.base.errors import InvalidRequest, NotFound, ObjectsUnavailable, ObjectsUnreachable
from docstead.base.texts import shortened
from docstead.base.throttled_log import ThrottledLog
from docstead.base.units import DAY_SECONDS, MIB
from docstead.storage.links import MAX_TTL_SECONDS, LinkSigner, SignedLink

_failures = ThrottledLog(logging.getLogger(__name__))
_KEY = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_STREAM_CHUNK_BYTES = MIB
_NO_SPACE = f"os error {errno.ENOSPC}"  # as reported by the store
_DEBUG = "\n\nDebug source:"  # details in errors of the store
_SYSTEM_ERROR = re.compile(r'message: "([^"]+)"')
_SYSTEM_NUMBER = re.compile(r" \(os error \d+\)")
_S3_CODE = re.compile(r"<Code>(\w+)</Code>")
_NO_BUCKET = "NoSuchBucket"
_REFUSALS = ("InvalidAccessKeyId", "SignatureDoesNotMatch", "AccessDenied", "403 Forbidden")
_REASON_CHARACTERS = 300
_STAGED = re.compile(r"#\d+\Z")  # suffix of incomplete objects on disk


class ObjectStore(Protocol):
    """Store of whole files by key. Byte ranges are half-open and lie within the object."""

    def put(self, key: str, data: bytes | Path, *, filename: str | None = None) -> None:
        """Write or replace an object, from memory or from a file.

        Its download name is `filename`, by default the last segment of the key.
        """
        ...

    def get(self, key: str) -> bytes: ...

    def download(self, key: str, path: Path) -> None:
        """Write an object to a file, atomically."""
        ...

    def read(self, key: str, start: int, end: int) -> bytes: ...

    def stream(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]: ...

    def size(self, key: str) -> int | None:
        """Return the size in bytes, or None if the object does not exist."""
        ...

    def delete(self, key: str) -> None:
        """Delete an object, if it exists."""
        ...

    def keys(self, prefix: str = "") -> Iterator[str]:
        """Return keys in the folder `prefix` and below, or all keys."""
        ...

    def check(self) -> None:
        """Raise ObjectsUnavailable if the store cannot be read."""
        ...

    def link(self, key: str, *, ttl_seconds: int, filename: str | None = None) -> SignedLink:
        """Return a URL that allows anyone to download the object for a limited time."""
        ...


class _StoredObjects:
    """Common implementation for all obstore stores."""

    _error: type[ObjectsUnavailable] = ObjectsUnavailable  # for errors without a cause

    def __init__(self, store: LocalStore | S3Store, location: str) -> None:
        self._store = store
        self._location = location  # for messages

    def check(self) -> None:
        """Raise ObjectsUnavailable if the store cannot be read."""
        next(self.keys("readyz"), None)  # it need not exist

    def put(self, key: str, data: bytes | Path, *, filename: str | None = None) -> None:  # noqa: ARG002 - links of these stores carry it
        with self._errors("write", key):
            obstore.put(self._store, key, data)

    def get(self, key: str) -> bytes:
        with self._errors("read", key):
            return obstore.get(self._store, key).bytes().to_bytes()

    def download(self, key: str, path: Path) -> None:
        partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            with partial.open("wb") as file:
                for chunk in self.stream(key):
                    file.write(chunk)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

    def read(self, key: str, start: int, end: int) -> bytes:
        if end <= start:
            return b""
        with self._errors("read", key):
            return obstore.get_range(self._store, key, start=start, end=end).to_bytes()

    def stream(self, key: str, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        if end is not None and end <= start:
            return
        with self._errors("read", key):
            if end is not None:
                found = obstore.get(self._store, key, options={"range": (start, end)})
            elif start:
                found = obstore.get(self._store, key, options={"range": {"offset": start}})
            else:
                found = obstore.get(self._store, key)
            for chunk in found.stream(min_chunk_size=_STREAM_CHUNK_BYTES):
                yield bytes(chunk)

    def size(self, key: str) -> int | None:
        try:
            with self._errors("read", key):
                return obstore.head(self._store, key)["size"]
        except NotFound:
            return None

    def delete(self, key: str) -> None:
        with suppress(NotFound), self._errors("delete", key):
            obstore.delete(self._store, key)

    def keys(self, prefix: str = "") -> Iterator[str]:
        folder = prefix.rstrip("/")
        with self._errors("list", folder or "_"):
            for batch in obstore.list(self._store, folder or None):
                for entry in batch:
                    yield entry["path"]

    @contextmanager
    def _errors(self, operation: str, key: str) -> Iterator[None]:
        """Convert errors of an operation to Docstead errors."""
        _check_key(key)
        try:
            yield
        except (BaseError, OSError) as error:
            if isinstance(error, FileNotFoundError) and _NO_BUCKET not in str(error):
                raise NotFound("there is no such object") from error
            is_refusal = any(code in str(error) for code in (_NO_BUCKET, *_REFUSALS))
            may_pass = isinstance(error, GenericError) and not is_refusal
            kind = self._error if may_pass else ObjectsUnavailable
            raise _unavailable(kind, f"{operation} {key}", self._location, error) from error


class DiskObjects(_StoredObjects):
    """Objects in a local folder, which the service itself serves through signed links."""

    def __init__(self, root: Path, signer: LinkSigner, base_url: str) -> None:
        try:
            store = LocalStore(root, mkdir=True)
        except OSError as error:
            reason = _SYSTEM_NUMBER.sub("", str(error))
            raise ObjectsUnavailable(
                f"{root}: the folder of objects cannot be used ({reason}); let the user of this "
                "process read and write it, or name another data folder with DOCSTEAD_DATA"
            ) from error
        super().__init__(store, str(root))
        self._root = root
        self._signer = signer
        self._base_url = base_url.rstrip("/")

    def link(self, key: str, *, ttl_seconds: int, filename: str | None = None) -> SignedLink:
        _check_key(key)
        expires_at = _expiry(self._signer.now(), ttl_seconds)
        return SignedLink(self._base_url + self._signer.sign(key, expires_at, filename), expires_at)

    def delete(self, key: str) -> None:
        super().delete(key)
        folder = (self._root / key).parent
        with suppress(OSError):  # up to the first non-empty one
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent

    def remove_abandoned(self) -> None:
        """Delete incomplete files of killed processes."""
        before = time.time() - DAY_SECONDS
        for path in self._root.rglob("*#*"):
            with suppress(FileNotFoundError):
                if _STAGED.search(path.name) and path.stat().st_mtime < before:
                    path.unlink()


class S3Objects(_StoredObjects):
    """Objects in an S3-compatible bucket.

    Without an access key, the machine's own credentials are used. `prefix` is a folder of the
    bucket that separates this service's objects from others.
    """

    _error = ObjectsUnreachable

    def __init__(
        self,
        bucket: str,
        *,
        endpoint: str | None = None,
        region: str = "us-east-1",
        access_key_id: str | None = None,
        secret_access_key: str | None = None,
        prefix: str = "",
        retry_seconds: float = 20,
        clock: Clock | None = None,
    ) -> None:
        given = {
            "endpoint": endpoint,
            "access_key_id": access_key_id,
            "secret_access_key": secret_access_key,
        }
        store = S3Store(
            bucket,
            prefix=prefix or None,
            config={"region": region, **{k: v for k, v in given.items() if v}},  # type: ignore[arg-type]  # a plain dict of its keys
            client_options={"allow_http": (endpoint or "").startswith("http://")},
            retry_config={"max_retries": 4, "retry_timeout": timedelta(seconds=retry_seconds)},
        )
        super().__init__(store, f"bucket {bucket} at {endpoint or region}")
        self._s3 = store
        self._clock = clock or SystemClock()

    def put(self, key: str, data: bytes | Path, *, filename: str | None = None) -> None:
        # S3 serves links itself, so download headers are stored with the object.
        name = key.rpartition("/")[2]
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        attributes: obstore.Attributes = {
            "Content-Type": "application/gzip" if name.endswith(".gz") else kind,
            "Content-Disposition": f'attachment; filename="{filename or name}"',
        }
        with self._errors("write", key):
            obstore.put(self._s3, key, data, attributes=attributes)

    def link(self, key: str, *, ttl_seconds: int, filename: str | None = None) -> SignedLink:  # noqa: ARG002
        """Return a presigned URL. Its file name is the one given to `put`."""
        with self._errors("sign", key):
            expires_at = _expiry(self._clock.now(), ttl_seconds)
            url = obstore.sign(self._s3, "GET", key, timedelta(seconds=ttl_seconds))
        return SignedLink(url, expires_at)


def _unavailable(
    kind: type[ObjectsUnavailable], operation: str, location: str, error: BaseException
) -> ObjectsUnavailable:
    reason = _reason(error)
    advice = _advice(str(error)) if location.startswith("bucket ") else ""
    detail = f"the object store failed: cannot {operation} in {location}: {reason}{advice}"
    _failures.warning("%s", detail)
    return kind(f"the object store failed: {reason}", detail=detail)


def _reason(error: BaseException) -> str:
    """Return the operating system's error if there is one, or the store's message."""
    message, _, debug = str(error).partition(_DEBUG)
    if _NO_SPACE in str(error):
        return "no space is left on its disk; free some space"
    if found := _SYSTEM_ERROR.findall(debug):
        return str(found[-1])
    if code := _S3_CODE.search(message):
        return code[1]
    return shortened(" ".join(message.rpartition(" - ")[2].split()), _REASON_CHARACTERS)


def _advice(message: str) -> str:
    """Return the settings to correct for an S3 error."""
    if _NO_BUCKET in message:
        return "; create it, or correct DOCSTEAD_S3_BUCKET"
    if any(code in message for code in _REFUSALS):
        return "; correct DOCSTEAD_S3_ACCESS_KEY_ID and DOCSTEAD_S3_SECRET_ACCESS_KEY"
    return "; start its server, or correct DOCSTEAD_S3_ENDPOINT"


def _check_key(key: str) -> None:
    if not _KEY.fullmatch(key):
        raise InvalidRequest(f"not an object key: {key!r}")


def _expiry(now: datetime, ttl_seconds: int) -> datetime:
    if not 0 < ttl_seconds <= MAX_TTL_SECONDS:
        raise InvalidRequest(f"a link lives 1 to {MAX_TTL_SECONDS} seconds")
    return now.replace(microsecond=0) + timedelta(seconds=ttl_seconds)
