"""`deployment.yaml`: every field, and every mistake by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from docstead.base.archives import ArchiveLimits
from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType
from docstead.hosting.bundle.config import HostConfig, parsed_config, read_config

PATH = Path("/etc/docstead/deployment.yaml")
ON = "staticExport: {enabled: true, bundleUrl: b.tar.gz}\n"


def parsed(text: str) -> HostConfig:
    return parsed_config(text.encode(errors="surrogateescape"), PATH)


def test_every_field() -> None:
    config = parsed(
        "deploymentType: air-gapped\nfeatures: {playground: on, search: off}\n"
        "basePath: /docs/\nconnectSources: [https://api.example.com]\n"
        "staticExport:\n  enabled: yes\n  bundleUrl: https://a.example/b?sig=x\n"
        "  version: 2024-06-01\n  sha256: " + "Ab" * 32 + "\n  allowedNetworks: [10.0.0.0/8]\n"
        "  maxArchiveBytes: 10\n  maxUnpackedBytes: 20\n  maxFiles: 30\n"
    )
    assert config.deployment_type is DeploymentType.AIR_GAPPED
    assert config.features.playground
    assert not config.features.search
    assert config.bundle_url == "https://a.example/b?sig=x"
    assert config.version == "2024-06-01"
    assert config.sha256 == "ab" * 32
    assert [str(network) for network in config.allowed_networks] == ["10.0.0.0/8"]
    assert config.limits == ArchiveLimits(10, 20, 30)
    assert (config.base_path, config.connect) == ("/docs", ("https://api.example.com",))


def test_what_is_left_out() -> None:
    config = parsed(ON)
    assert config.deployment_type is DeploymentType.CLIENT_HOSTED
    assert (config.version, config.sha256, config.base_path) == (None, None, "")
    assert config.bundle_url == "/etc/docstead/b.tar.gz"
    assert parsed(ON.replace("}", ", version: null}")).version is None
    assert parsed(f"features:\n{ON}").features == config.features


@pytest.mark.parametrize("version", ["1.10", "2024-06-01", "0x10", "1e3", "on", "007"])
def test_a_version_is_what_was_written(version: str) -> None:
    assert parsed(ON.replace("}", f", version: {version}}}")).version == version


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "staticExport.enabled: must be true"),
        ("staticExport: {enabled: false, bundleUrl: x}", "staticExport.enabled: must be true"),
        ("staticExport: {enabled: true}", "staticExport.bundleUrl: is required"),
        ("staticExport: {enabled: maybe, bundleUrl: x}", "staticExport.enabled: "),
        ("staticExport: {enabled: true, bundelUrl: x}", "staticExport.bundelUrl: no such field"),
        ("static: {}", "static: no such field"),
        (
            "staticExport: {enabled: yess}",
            "staticExport.enabled: must be true or false, not 'yess'",
        ),
        (f"{ON}deploymentType: lan", "deploymentType: must be one of cloud,"),
        (f"{ON}features: {{chat: on}}", "features.chat: no such feature"),
        (f"{ON}features: {{search: maybe}}", "features.search: "),
        (f"{ON}features: [search]", "features: "),
        (
            f"{ON}deploymentType: air-gapped\nfeatures: {{assistant: on}}",
            "features.assistant: not available where deploymentType is air-gapped",
        ),
        (
            f"{ON}deploymentType: cloud\nfeatures: {{search: off}}",
            "features.search: always on where deploymentType is cloud",
        ),
        (f"{ON}basePath: docs", "basePath: must be a path such as /docs, not 'docs'"),
        (f"{ON}basePath: /a/../b", "basePath: "),
        (f"{ON}connectSources: ['https://a; script-src *']", "connectSources: "),
        (ON.replace("}", ", sha256: abc}"), "staticExport.sha256: must be 64 hexadecimal"),
        (ON.replace("}", ", maxFiles: 0}"), "staticExport.maxFiles: "),
        (ON.replace("}", ", allowedNetworks: [x]}"), "staticExport.allowedNetworks: 'x' is not"),
        (f"{ON}a: [", "deployment.yaml:2:5: expected the node content, but found '<stream end>'"),
        (f"{ON}\ta: 1", "deployment.yaml:2:1: found character '\\t'"),
        (f"{ON}{ON}", "deployment.yaml:2:1: 'staticExport' is defined twice"),
        (ON.replace("}", ", version: a, version: b}"), ":1:64: 'version' is defined twice"),
        ("staticexport: {}", "staticexport: no such field; did you mean staticExport?"),
        (ON.replace("}", ", sha: x}"), "staticExport.sha: no such field; "),
        ("\udcff", "must be YAML in UTF-8"),
        ("[" * 100_000, "is nested too deeply"),
        ("a: &a [*a]", "deployment.yaml:1:4: found unconstructable recursive node"),
        ("- a", "the file: "),
        ("just text", "the file: "),
    ],
)
def test_a_mistake_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        parsed(text)
    assert refusal.value.message.startswith(("deployment.yaml: ", "deployment.yaml:"))
    assert message in refusal.value.message


def test_a_file_that_is_missing_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match="No such file"):
        read_config(tmp_path / "deployment.yaml")
    (tmp_path / "deployment.yaml").write_text("#" * 2_000_000)
    with pytest.raises(InvalidRequest, match="larger than"):
        read_config(tmp_path / "deployment.yaml")
