"""Secrets are found by their formats or by their randomness; placeholders are none."""

from __future__ import annotations

import pytest

from docstead.agent.workspace import FileDiff
from docstead.agent.workspace.secret_scan import kinds_in, scan

# Written in two parts, so that no scanner takes this file for a leak.
BODY = "a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ"
SECRETS = {
    "private key": "-----BEGIN RSA PRIVATE" + " KEY-----",
    "AWS access key": "AKIA" + "IOSFODNN7QWERTYU",
    "GitHub token": "ghp_" + BODY,
    "GitLab token": "glpat-" + BODY[:20],
    "OpenAI key": "sk-proj-" + BODY + BODY[:10],
    "Anthropic key": "sk-ant-api03-" + BODY,
    "Slack token": "xoxb-" + "2345678901-" + BODY,
    "Stripe key": "sk_live_" + BODY[:24],
    "Google API key": "AIza" + (BODY * 2)[:35],
    "npm token": "npm_" + BODY,
    "SendGrid key": "SG." + BODY[:22] + "." + (BODY * 2)[:43],
    "Hugging Face token": "hf_" + BODY,
    "service key": "svc_" + BODY + "zQ",
    "JSON web token": "eyJ" + BODY + ".eyJ" + BODY + "." + BODY,
    "password in a URL": "postgres://app:q8" + "Zr4Lw0x@db.internal/main",
    "secret value": 'client_secret = "' + "f8Qz2Lm9Xw4Rt7Yb1Kc6" + '"',
}
HARMLESS = [
    'api_key = "YOUR_API_KEY"',
    "Authorization: Bearer $TOKEN",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    'OPENAI_API_KEY="sk-xxxxxxxxxxxxxxxxxxxxxxxx"',
    "sk_test_" + BODY[:24],
    "AKIAIOSFODNN7EXAMPLE",
    "postgres://user:password@localhost:5432/db",
    "https://user:<password>@host/x",
    "https://example.com/a:b@c",
    "The secret of good documentation: short sentences",
    "token_type_hint: access_token_of_the_user",
    "password: correct-horse-battery-staple-again",
    "sha256:" + "0123456789abcdef" * 4,
    "secret_name: projects/docs/locations/eu-west",
    "key = eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0."
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
]


@pytest.mark.parametrize(("kind", "text"), SECRETS.items())
def test_a_secret_is_known_by_its_kind(kind: str, text: str) -> None:
    assert list(kinds_in(f"use `{text}` here")) == [kind]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_documentation_writes_instead_is_none(text: str) -> None:
    assert list(kinds_in(text)) == []


def test_only_added_lines_count_and_their_positions_are_reported() -> None:
    text = (
        f"@@ -1,3 +10,4 @@\n one\n-{SECRETS['npm token']}\n+two\n+{SECRETS['npm token']}\n three\n"
        f"@@ -20,1 +30,2 @@\n {SECRETS['GitHub token']}\n+{SECRETS['GitHub token']}\n"
        "\\ No newline at end of file\n"
    )
    found = scan([FileDiff("a.mdx", "modified", None, text, 3, 1)])
    assert list(map(str, found)) == ["a.mdx:12: npm token", "a.mdx:31: GitHub token"]


def test_a_long_line_takes_no_time() -> None:
    assert list(kinds_in("token=" * 50_000)) == []
    assert list(kinds_in("a://b:" * 50_000)) == []
