"""Settings of the database, the object store and the secret."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, SecretStr
from pydantic_settings import NoDecode

from docstead.settings.values import (
    ONE_OR_SEVERAL,
    WebUrl,
)


class StoreSettings(BaseModel, defer_build=True):
    """Settings of the database, the object store and the secret."""

    data: Path = Path(".docstead")
    """Folder for everything embedded: SQLite, objects, caches, generated secrets."""

    database_url: str = ""
    """SQLAlchemy URL of the database; SQLite in the data folder by default."""

    s3_bucket: str = ""
    """Bucket for editions and bundles; empty keeps objects in the data folder."""

    s3_endpoint: WebUrl = ""
    """URL of an S3-compatible server; the provider's own for the region by default."""

    s3_region: str = "us-east-1"
    """Region of the bucket."""

    s3_access_key_id: str = ""
    """Access key of the bucket; empty uses the machine's own credentials."""

    s3_secret_access_key: SecretStr = SecretStr("")
    """Secret of that access key."""

    secret: Annotated[tuple[SecretStr, ...], NoDecode, ONE_OR_SEVERAL] = ()
    """Secret that encrypts the keys of the service, the same on every node; or a list (JSON in the
    environment), newest first. Empty makes one in the data folder."""

    plan: Literal["community", "pro", "enterprise"] = "enterprise"
    """Plan of organizations when commands create them; static export needs `enterprise`, agent jobs
    `pro` or `enterprise`. `docstead organizations plan` changes it."""
