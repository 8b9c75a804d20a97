"""`deployment.yaml`: the bundle to serve and its features.

Scalars are read as strings and then converted to the type of their field, so that a version such
as `2024-06-01` or `1.10` is kept as written.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from docstead.base.archives import ArchiveLimits
from docstead.base.errors import InvalidRequest
from docstead.base.features import FORMER_SEARCH, DeploymentType, Features, deployment_type_of
from docstead.base.networks import Network, parsed_networks
from docstead.base.units import MIB
from docstead.base.validation_texts import validation_text

_MAX_BYTES = MIB
_NOTHING = ("", "~", "null", "Null", "NULL")
_BASE_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)*")
ORIGIN = re.compile(r"(?:https?|wss?)://[A-Za-z0-9.*-]+(?::\d{1,5})?")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True)
class HostConfig:
    """Validated contents of `deployment.yaml`.

    `bundle_url` is a URL or a path. `allowed_networks` may be contacted although they are private.
    `connect` lists origins that scripts of pages may call in addition to the site's own.
    """

    deployment_type: DeploymentType
    features: Features
    bundle_url: str
    version: str | None
    sha256: str | None
    allowed_networks: tuple[Network, ...]
    limits: ArchiveLimits
    base_path: str
    connect: tuple[str, ...]

    @property
    def source(self) -> str:
        """Digest of the bundle's source, without the signature in its URL."""
        parts = (self.bundle_url, self.version or "", self.sha256 or "")
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    @property
    def is_pinned(self) -> bool:
        """Whether the source always refers to the same bundle."""
        return self.version is not None or self.sha256 is not None


def _text_or_none(value: object) -> object:
    return None if isinstance(value, str) and value in _NOTHING else value


def _mapping_or_empty(value: object) -> object:
    return {} if value in _NOTHING else value


Optional = Annotated[str | None, BeforeValidator(_text_or_none)]


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class _StaticExport(_StrictModel):
    enabled: bool = False
    bundleUrl: Optional = None  # noqa: N815 - the file's name
    version: Optional = None
    sha256: Optional = None
    allowedNetworks: list[str] = []  # noqa: N815
    maxArchiveBytes: int = Field(ArchiveLimits().archive_bytes, ge=1)  # noqa: N815
    maxUnpackedBytes: int = Field(ArchiveLimits().unpacked_bytes, ge=1)  # noqa: N815
    maxFiles: int = Field(ArchiveLimits().files, ge=1)  # noqa: N815


class _Deployment(_StrictModel):
    deploymentType: str = DeploymentType.CLIENT_HOSTED.value  # noqa: N815
    features: Annotated[dict[str, bool], BeforeValidator(_mapping_or_empty)] = {}
    staticExport: _StaticExport = _StaticExport()  # noqa: N815
    basePath: str = ""  # noqa: N815
    connectSources: list[str] = []  # noqa: N815


def read_config(path: Path) -> HostConfig:
    """Read and validate a configuration file.

    Raises:
        InvalidRequest: a field is invalid or missing, or a combination is not supported; the
            message names the field.
    """
    return parsed_config(_read(path), path)


def parsed_config(data: bytes, path: Path) -> HostConfig:
    """Validate the contents of a configuration file; relative paths are relative to `path`."""
    try:
        found = _Deployment.model_validate(_yaml(data, path))
    except ValidationError as error:
        raise InvalidRequest(f"{path.name}: {_first_error(error)}") from None
    try:
        return _checked(found, path.parent)
    except InvalidRequest as error:
        raise InvalidRequest(f"{path.name}: {error.message}") from None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise InvalidRequest(
            f"{path}: {error.strerror or error}; correct the path or its permissions"
        ) from error


def _yaml(data: bytes, path: Path) -> Any:
    if len(data) > _MAX_BYTES:
        raise InvalidRequest(f"{path.name}: larger than {_MAX_BYTES} bytes")
    try:
        return yaml.load(data, _TextLoader) or {}  # noqa: S506 - it makes only text
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        position = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise InvalidRequest(f"{path.name}{position}: {error.problem}") from None
    except RecursionError:
        raise InvalidRequest(f"{path.name}: is nested too deeply") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise InvalidRequest(f"{path.name}: must be YAML in UTF-8") from None


class _TextLoader(yaml.BaseLoader):
    """YAML loader that reads scalars as strings and rejects duplicate keys."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                problem = f"{key.value!r} is defined twice; remove one"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add(str(key.value))
        found: dict[Any, Any] = super().construct_mapping(node, deep)
        return found


def _first_error(error: ValidationError) -> str:
    return "; ".join(_problem(problem) for problem in error.errors(include_url=False))


def _problem(problem: ErrorDetails) -> str:
    name = ".".join(map(str, problem["loc"])) or "the file"
    if problem["type"] == "extra_forbidden":
        return f"{name}: no such field{_similar(problem['loc'])}"
    return f"{name}: {validation_text(problem)}"


def _similar(location: tuple[int | str, ...]) -> str:
    """Return a hint with the known field that is closest to an unknown one."""
    kinds: dict[int, type[BaseModel]] = {1: _Deployment, 2: _StaticExport}
    known = {field.lower(): field for field in kinds[len(location)].model_fields}
    near = get_close_matches(str(location[-1]).lower(), list(known), 1)
    return (
        f"; did you mean {known[near[0]]}?" if near else f"; there are {', '.join(known.values())}"
    )


def _checked(found: _Deployment, folder: Path) -> HostConfig:
    export = found.staticExport
    kind = deployment_type_of(found.deploymentType)
    named = {name: is_on for name, is_on in found.features.items() if name != FORMER_SEARCH}
    features = Features.of(kind, named)
    return HostConfig(
        deployment_type=kind,
        features=features,
        bundle_url=_bundle_url(export, folder),
        version=export.version,
        sha256=_checked_digest(export.sha256),
        allowed_networks=_networks(export.allowedNetworks),
        limits=ArchiveLimits(export.maxArchiveBytes, export.maxUnpackedBytes, export.maxFiles),
        base_path=_checked_base(found.basePath),
        connect=tuple(map(_checked_source, found.connectSources)),
    )


def _bundle_url(export: _StaticExport, folder: Path) -> str:
    if not export.enabled:
        raise InvalidRequest(
            "staticExport.enabled: must be true, because this command only serves bundles; "
            "`docstead serve` runs the whole service"
        )
    if export.bundleUrl is None:
        raise InvalidRequest("staticExport.bundleUrl: is required if staticExport.enabled is true")
    is_path = "://" not in export.bundleUrl
    return str((folder / export.bundleUrl).absolute()) if is_path else export.bundleUrl


def _checked_digest(digest: str | None) -> str | None:
    if digest is not None and not _SHA256.fullmatch(digest):
        raise InvalidRequest("staticExport.sha256: must be 64 hexadecimal characters")
    return digest.lower() if digest else None


def _networks(texts: list[str]) -> tuple[Network, ...]:
    try:
        return parsed_networks(texts)
    except InvalidRequest as error:
        raise InvalidRequest(f"staticExport.allowedNetworks: {error.message}") from None


def _checked_base(path: str) -> str:
    base = path.rstrip("/")
    if not _BASE_PATH.fullmatch(base) or any(part in (".", "..") for part in base.split("/")):
        raise InvalidRequest(f"basePath: must be a path such as /docs, not {path!r}")
    return base


def _checked_source(source: str) -> str:
    if not ORIGIN.fullmatch(source):
        raise InvalidRequest(
            f"connectSources: must be origins such as https://a.example, not {source!r}"
        )
    return source
