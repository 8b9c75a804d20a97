import re
from pathlib import Path

import pytest

from docstead.agent.forges.access import ForgeAccess, GitHubApp
from docstead.app.adapters import forge_credentials_of
from docstead.base.errors import InvalidRequest
from docstead.settings import ModelSettings, Settings, load_settings, unknown_variables

REFERENCE = Path(__file__).parent.parent / "docs" / "reference" / "settings.mdx"


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"DOCSTEAD_{name.upper()}", raising=False)


def test_every_setting_is_documented_and_nothing_else_is() -> None:
    documented = set(re.findall(r"^\| `DOCSTEAD_(\w+)`", REFERENCE.read_text(), re.MULTILINE))
    assert documented == {name.upper() for name in Settings.model_fields}


def test_documented_defaults_that_are_plain_values_are_the_real_ones() -> None:
    rows = re.findall(
        r"^\| `DOCSTEAD_(\w+)` \| `([\w.-]+)` \|", REFERENCE.read_text(), re.MULTILINE
    )
    assert len(rows) > 10
    for name, shown in rows:
        default = getattr(Settings(), name.lower())
        assert shown.lower() == str(default).lower(), name


def test_every_key_of_a_models_table_is_documented() -> None:
    documented = set(re.findall(r"^\| `([a-z_]+)`", REFERENCE.read_text(), re.MULTILINE))
    assert documented == set(ModelSettings.model_fields)


def test_models_are_tables_and_their_keys_may_stand_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docstead.toml").write_text(
        'assistant_models = ["big"]\n'
        '[models.big]\nmodel = "m"\napi_key_env = "BIG_KEY"\n'
        "options = { temperature = 0.1 }\n"
        "[deployment_models]\nparcelo = []\n"
    )
    monkeypatch.setenv("BIG_KEY", "k-1")
    settings = load_settings()
    assert settings.models["big"].key == "k-1"
    assert settings.models["big"].options == {"temperature": 0.1}
    assert (settings.assistant_models, settings.deployment_models) == (("big",), {"parcelo": ()})
    monkeypatch.setenv("DOCSTEAD_ASSISTANT_MODELS", "a, b")
    assert load_settings().assistant_models == ("a", "b")


def test_a_wrong_key_of_a_models_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "docstead.toml").write_text('[models.big]\nmodel = "m"\nprize = 1\n')
    with pytest.raises(InvalidRequest, match=r"docstead\.toml: models\.big\.prize is not a key"):
        load_settings()


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docstead.toml").write_text('port = 9000\ntrusted_proxies = ["10.0.0.0/8"]\n')
    assert load_settings().port == 9000
    assert load_settings().trusted_proxies == ("10.0.0.0/8",)
    monkeypatch.setenv("DOCSTEAD_PORT", "9001")
    monkeypatch.setenv("DOCSTEAD_TRUSTED_PROXIES", "10.0.0.0/8, 192.168.0.0/16")
    assert load_settings().port == 9001
    assert load_settings().trusted_proxies == ("10.0.0.0/8", "192.168.0.0/16")
    assert load_settings(port=9002).port == 9002


def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSTEAD_PORT", "eighty")
    with pytest.raises(InvalidRequest, match="DOCSTEAD_PORT"):
        load_settings()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('port = "eighty"', "port must be a whole number, not 'eighty'"),
        ("port = 99999", "port must be at most 65535, not 99999"),
        ("agent_max_cost = inf", "agent_max_cost must be at most 1000000000000000"),
        ("build_memory_mb = 99999999999", "build_memory_mb must be at most 1000000, not"),
        ("build_seconds = 99999999999", "build_seconds must be at most 1000000000"),
        ('thread_must_exist = "maybe"', "thread_must_exist must be true or false, not 'maybe'"),
        ('model_fallback = "none"', "model_fallback must be 'quotes' or 'error', not 'none'"),
        ("exports_kept = -1", "exports_kept must be at least 0 or 'all', not -1"),
        ('exports_kept = "some"', "exports_kept must be a whole number or 'all', not 'some'"),
        (
            'base_url = "docs.example.com"',
            "base_url must begin with http:// or https://, not 'docs.example.com'",
        ),
        ('git_networks = ["10.0.0.0/99"]', "git_networks '10.0.0.0/99' is not a network"),
        (
            'allowed_hostnames = ["docs.*.com"]',
            "allowed_hostnames must be names such as *.docs.example.com, not 'docs.*.com'",
        ),
    ],
)
def test_a_wrong_line_of_the_file_is_named_as_it_stands_there(
    tmp_path: Path, line: str, sentence: str
) -> None:
    (tmp_path / "docstead.toml").write_text(f"{line}\n")
    with pytest.raises(InvalidRequest) as caught:
        load_settings()
    assert caught.value.message.startswith(f"docstead.toml: {sentence}")


def test_a_variable_that_must_be_json_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSTEAD_LIMITS", '{"export-start"')
    with pytest.raises(InvalidRequest, match="DOCSTEAD_LIMITS: not valid JSON: Expecting ':'"):
        load_settings()


def test_a_refused_secret_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSTEAD_SECRET", '[["hidden-one"]]')
    with pytest.raises(InvalidRequest, match="DOCSTEAD_SECRET") as caught:
        load_settings()
    assert "hidden" not in caught.value.message


def test_an_unknown_line_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "docstead.toml").write_text("prot = 9000\n")
    with pytest.raises(InvalidRequest, match=r"prot is not a setting; did you mean port\?"):
        load_settings()


def test_a_settings_file_that_is_named_and_missing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCSTEAD_CONFIG", str(tmp_path / "nope.toml"))
    with pytest.raises(InvalidRequest, match=r"DOCSTEAD_CONFIG: .*/nope\.toml"):
        load_settings()


@pytest.mark.parametrize(
    ("content", "position"),
    [
        (b'port = 9000\ndata = "x\n', "2:10: a quote is not closed"),
        (b"port = 9000\n[models\n", "2:8: "),
        (b'port = 9000\nhost = """', "2:11: "),
        (b'host = "\xff"\n', "1:9: the file is not UTF-8"),
    ],
)
def test_a_broken_settings_file_is_one_sentence_with_its_position(
    tmp_path: Path, content: bytes, position: str
) -> None:
    (tmp_path / "docstead.toml").write_bytes(content)
    with pytest.raises(InvalidRequest) as caught:
        load_settings()
    assert caught.value.message.startswith(f"docstead.toml:{position}")
    assert "\n" not in caught.value.message


def test_unknown_variables_are_named_with_the_most_similar_setting() -> None:
    environment = {
        "DOCSTEAD_PROT": "1",
        "docstead_port": "1",
        "DOCSTEAD_CONFIG": "x",
        "DOCSTEAD_TEST_RUN": "7",
        "PATH": "/bin",
    }
    assert unknown_variables(environment) == {
        "DOCSTEAD_PROT": "DOCSTEAD_PORT",
        "DOCSTEAD_TEST_RUN": "",
    }


def test_the_public_url_has_no_slash_at_the_end() -> None:
    assert load_settings().public_url == "http://127.0.0.1:8080"
    assert load_settings(base_url="https://docs.example.com/").public_url == (
        "https://docs.example.com"
    )


def test_credentials_of_forges_come_from_either_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "app.pem"
    key.write_text("the key\n")
    (tmp_path / "docstead.toml").write_text(
        '[forge_credentials.bot]\ntoken = "t0ken"\norganizations = ["org_1"]\n'
        f'[forge_credentials.app]\napp_id = "7"\nprivate_key_file = "{key}"\n'
    )
    found = forge_credentials_of(load_settings())
    assert found["bot"] == ForgeAccess("bot", "t0ken", organizations=frozenset({"org_1"}))
    assert found["app"].app == GitHubApp("7", "the key\n")
    monkeypatch.setenv("DOCSTEAD_FORGE_CREDENTIALS", '{"bot": "another"}')
    assert forge_credentials_of(load_settings()) == {"bot": ForgeAccess("bot", "another")}


@pytest.mark.parametrize(
    "wrong",
    [
        '{"bot":',
        '["t0ken"]',
        '{"bot": {}}',
        '{"bot": {"tokn": "t0ken"}}',
        '{"bot": "t0\\nken"}',
        '{"bot": {"token": "t0ken", "app_id": "7"}}',
        '{"bot": {"app_id": "7"}}',
        '{"bot": {"token": "t0ken", "api_url": "ftp://h"}}',
    ],
)
def test_wrong_credentials_are_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv("DOCSTEAD_FORGE_CREDENTIALS", wrong)
    with pytest.raises(InvalidRequest, match="DOCSTEAD_FORGE_CREDENTIALS") as caught:
        load_settings()
    assert "t0" not in caught.value.message


def test_every_list_may_be_written_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [
        name for name, field in Settings.model_fields.items() if field.annotation == tuple[str, ...]
    ]
    assert "features" in lists
    for name in lists:
        monkeypatch.setenv(f"DOCSTEAD_{name.upper()}", "10.0.0.1, 10.0.0.2")
    settings = load_settings()
    assert {getattr(settings, name) for name in lists} == {("10.0.0.1", "10.0.0.2")}


@pytest.mark.parametrize(
    "host", ["*", "https://cdn.example.com", "cdn.example.com/a", "a b", "'self'"]
)
def test_hosts_of_scripts_are_names(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSTEAD_SCRIPT_HOSTS", "*.example.com, cdn.example.org:8443")
    assert load_settings().script_hosts == ("*.example.com", "cdn.example.org:8443")
    monkeypatch.setenv("DOCSTEAD_SCRIPT_HOSTS", host)
    with pytest.raises(InvalidRequest, match="DOCSTEAD_SCRIPT_HOSTS"):
        load_settings()


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("0.0.0.0", "http://127.0.0.1:8080"),
        ("::", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:8080"),
        ("192.0.2.1", "http://192.0.2.1:8080"),
    ],
)
def test_a_service_on_every_ip_address_is_named_as_this_machine(host: str, expected: str) -> None:
    assert Settings(host=host).public_url == expected
