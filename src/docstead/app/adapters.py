"""Chooses the adapters that the settings name: disk or S3, a chat model or none."""

from __future__ import annotations

import hashlib

from docstead import secrets
from docstead.base.clock import Clock
from docstead.base.errors import InvalidRequest
from docstead.models.chat import ChatModel
from docstead.models.openai_compatible import OpenAICompatible
from docstead.settings import Settings
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, Objects, S3Objects


def root_secret(settings: Settings) -> str:
    given = settings.secret.get_secret_value()
    return given or secrets.kept_text(settings.data / "secret", secrets.new_secret())


def signer_of(secret: str, clock: Clock) -> LinkSigner:
    key = secrets.derived(secret, "links")
    key_id = hashlib.sha256(key).hexdigest()[:8]
    return LinkSigner({key_id: key}, key_id, clock)


def objects_of(settings: Settings, signer: LinkSigner, clock: Clock) -> Objects:
    if not settings.s3_bucket:
        return DiskObjects(settings.data / "objects", signer, settings.public_url)
    return S3Objects(
        settings.s3_bucket,
        endpoint=settings.s3_endpoint or None,
        region=settings.s3_region,
        access_key_id=settings.s3_access_key_id or None,
        secret_access_key=settings.s3_secret_access_key.get_secret_value() or None,
        clock=clock,
    )


def model_of(settings: Settings) -> ChatModel | None:
    if not settings.model_base_url:
        return None
    if not settings.model_name:
        raise InvalidRequest("settings: DOCSTEAD_MODEL_NAME: needed with DOCSTEAD_MODEL_BASE_URL")
    key = settings.model_api_key.get_secret_value()
    return OpenAICompatible(settings.model_base_url, key, settings.model_name)
