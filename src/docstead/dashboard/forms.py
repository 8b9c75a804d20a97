"""Parsing and verification of submitted forms: size limits, CSRF tokens, file uploads.

Multipart forms are accepted only on pages that take files.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from docstead.base.bodies import limited_blocks, limited_body
from docstead.base.errors import InvalidRequest, PayloadTooLarge
from docstead.base.units import KIB

CSRF_FIELD = "csrf"
CONFIRMED = "confirmed"
_MAX_BYTES = 64 * KIB
_MAX_FIELDS = 200
_MAX_FILES = 20
_TOKEN_BYTES = hashlib.sha256().digest_size
_SIGNATURE_BYTES = 8


class SubmittedForm:
    """Submitted form fields. Missing fields read as empty."""

    def __init__(
        self, fields: Mapping[str, Sequence[str]], files: Sequence[tuple[str, bytes]] = ()
    ) -> None:
        self._fields = fields
        self.files = files  # names and contents

    def text(self, name: str) -> str:
        """Return the first value of a field, stripped of whitespace."""
        return next(iter(self._fields.get(name, ())), "").strip()

    def secret(self, name: str) -> str:
        """Return the first value of a field unchanged, as for passwords."""
        return next(iter(self._fields.get(name, ())), "")

    @property
    def is_confirmed(self) -> bool:
        """Whether the form was submitted by the confirmation page."""
        return self.text(CONFIRMED) == "yes"

    def items(self) -> list[tuple[str, str]]:
        """Return all names and values, without the CSRF token."""
        sent = self._fields.items()
        return [(name, value) for name, all_ in sent if name != CSRF_FIELD for value in all_]

    def all(self, name: str) -> list[str]:
        return list(self._fields.get(name, ()))


async def read_form(request: Request, max_file_bytes: int = 0) -> SubmittedForm:
    """Parse the form in a request body; a request without a body gives an empty form.

    Files are accepted if `max_file_bytes` is not 0.

    Raises:
        InvalidRequest: the body is not a valid form. PayloadTooLarge: it exceeds 64 KiB without
            files, or its files exceed `max_file_bytes`.
    """
    is_multipart = request.headers.get("content-type", "").startswith("multipart/form-data")
    if is_multipart and max_file_bytes:
        form = await _multipart(request, max_file_bytes)
    else:
        form = SubmittedForm(await _url_encoded(request))
    if any("\0" in value for _, value in form.items()):
        raise InvalidRequest("the form is malformed")
    return form


async def _url_encoded(request: Request) -> Mapping[str, Sequence[str]]:
    body = await limited_body(request.stream(), _MAX_BYTES, _too_large())
    try:
        return parse_qs(
            body.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS
        )
    except ValueError as error:
        raise InvalidRequest("the form is malformed") from error


async def _multipart(request: Request, max_file_bytes: int) -> SubmittedForm:
    parser = MultiPartParser(
        request.headers,
        limited_blocks(request.stream(), _MAX_BYTES + max_file_bytes, _too_large()),
        max_files=_MAX_FILES,
        max_fields=_MAX_FIELDS,
        max_part_size=_MAX_BYTES,
    )
    try:
        data = await parser.parse()
    except MultiPartException as error:
        raise InvalidRequest(f"the form is malformed: {error.message}") from error
    except UnicodeError as error:  # its charset may be any codec of Python, such as "punycode"
        raise InvalidRequest("the form is malformed: it must be in UTF-8") from error
    try:
        return await _with_files(data)
    finally:
        await data.close()


async def _with_files(data: FormData) -> SubmittedForm:
    fields: dict[str, list[str]] = {}
    files: list[tuple[str, bytes]] = []
    for name, value in data.multi_items():
        if not isinstance(value, UploadFile):
            fields.setdefault(name, []).append(value)
        elif value.filename:  # browsers send an empty part if no file is selected
            files.append((value.filename, await value.read()))
    return SubmittedForm(fields, files)


def _too_large() -> PayloadTooLarge:
    return PayloadTooLarge("the form is too large")


def csrf_token(cookie_secret: str) -> str:
    """Return a CSRF token, masked with random bytes against BREACH.

    Only a holder of the cookie's value can create it.
    """
    mask = secrets.token_bytes(_TOKEN_BYTES)
    return (mask + _masked(_token(cookie_secret), mask)).hex()


def is_csrf_token(given: str, cookie_secret: str) -> bool:
    try:
        found = bytes.fromhex(given)
    except ValueError:
        return False
    token = _masked(found[_TOKEN_BYTES:], found[:_TOKEN_BYTES])
    return hmac.compare_digest(token, _token(cookie_secret))


def signed(text: str, cookie_secret: str) -> str:
    """Return a signed value for a link, bound to this browser's cookie."""
    return f"{text}.{_token(cookie_secret, text)[:_SIGNATURE_BYTES].hex()}"


def verified(given: str, cookie_secret: str) -> str | None:
    """Return the text of a value signed by `signed`, or None if the signature is invalid."""
    text, _, _ = given.rpartition(".")
    is_ours = hmac.compare_digest(given.encode(), signed(text, cookie_secret).encode())
    return text if is_ours else None


def _token(cookie_secret: str, text: str = "") -> bytes:
    return hmac.digest(cookie_secret.encode(), f"docstead form{text}".encode(), hashlib.sha256)


def _masked(token: bytes, mask: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(token, mask, strict=False))
