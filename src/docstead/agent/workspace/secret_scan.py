"""Detection of secrets in added lines.

Uses known token formats, and a heuristic for random-looking values assigned to names such as
`api_key`. Placeholders of documentation ("sk_test_xxx", "YOUR_API_KEY", "$TOKEN") are ignored.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from docstead.agent.workspace.diffs import FileDiff
from docstead.base.errors import InvalidRequest


def _compiled(pattern: str) -> Any:
    """Compile a pattern with RE2, because changed lines may have megabytes."""
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


_FORMATS: tuple[tuple[str, Any], ...] = tuple(
    (name, _compiled(pattern))
    for name, pattern in (
        ("private key", r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"),
        ("AWS access key", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
        ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b"),
        ("GitHub token", r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
        ("GitLab token", r"\bgl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent)-[A-Za-z0-9_-]{20,}"),
        ("OpenAI key", r"\bsk-[A-Za-z0-9_-]{20,200}T3BlbkFJ[A-Za-z0-9_-]{20,}"),
        ("OpenAI key", r"\bsk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,}"),
        ("Anthropic key", r"\bsk-ant-[a-z0-9]+-[A-Za-z0-9_-]{20,}"),
        ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
        ("Slack webhook", r"https://hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{24}"),
        ("Stripe key", r"\b[sr]k_live_[A-Za-z0-9]{20,}"),
        ("Google API key", r"\bAIza[A-Za-z0-9_-]{35}\b"),
        ("Google OAuth secret", r"\bGOCSPX-[A-Za-z0-9_-]{28}\b"),
        ("npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("PyPI token", r"\bpypi-AgE[A-Za-z0-9_-]{50,}"),
        ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b"),
        ("Twilio key", r"\bSK[0-9a-f]{32}\b"),
        ("Hugging Face token", r"\bhf_[A-Za-z0-9]{34,}\b"),
        ("DigitalOcean token", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
        ("Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
        ("Mailgun key", r"\bkey-[0-9a-f]{32}\b"),
        ("Telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b"),
        ("service key", r"\bsvc_(?:dsc_)?[A-Za-z0-9]{38,}\b"),
        ("JSON web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}"),
        ("password in a URL", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"<>{}$*]{1,64}:"
         r"(?P<value>[^\s/@'\"<>{}$*]{6,128})@[A-Za-z0-9]"),
    )
)  # fmt: skip

_ASSIGNED = _compiled(
    r"(?i)\b[\w.-]{0,40}?(?:api[_-]?key|secret|token|passw(?:or)?d|access[_-]?key|"
    r"private[_-]?key|client[_-]?secret|credentials?)[\w-]{0,20}[\"']?\s*(?:=>|[:=])\s*"
    r"[\"'`]?(?P<value>[A-Za-z0-9+/_=.~-]{20,200})[\"'`]?"
)
_EXAMPLE = re.compile(
    r"(?i)example|sample|placeholder|your|dummy|fake|redact|insert|replace|change[_-]?me|xxx|\.\.\.|"
    r"1234|abcd|([A-Za-z0-9])\1{4}|\A(?:user|pass(?:word)?|secret|token|hunter2?)\d*\Z"
)
_KEY_BLOCK = _compiled(
    r"(?s)-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----|\z)"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # not encodable, as RE2 requires
_MASK = "[secret left out]"
_RANDOM_BITS = 3.6  # bits per character above which a text looks random
_JWT_OF_THE_TOOL_SITE = "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"  # in every tutorial


@dataclass(frozen=True, slots=True)
class SecretFinding:
    file: str
    line: int
    kind: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.kind}"


class SecretFound(InvalidRequest):
    """The change contains possible secrets."""

    def __init__(self, findings: tuple[SecretFinding, ...]) -> None:
        self.findings = findings
        locations = "; ".join(map(str, findings[:10]))
        super().__init__(f"the change holds what looks like a secret ({locations}); take it out")


def scan(
    diffs: Iterable[FileDiff], examples: Collection[str] = frozenset()
) -> tuple[SecretFinding, ...]:
    """Return possible secrets in added lines and new paths, with their positions in the new file.

    `examples` are values to ignore.
    """
    return tuple(
        SecretFinding(diff.path, number, kind)
        for diff in diffs
        for number, line in (*_named(diff), *_added(diff.text))
        for kind in kinds_in(_without(line, examples))
    )


def _without(line: str, examples: Collection[str]) -> str:
    for example in examples:
        line = line.replace(example, "example")
    return line


def masked(text: str) -> str:
    """Mask possible secrets in a text that others will see."""
    encodable = _LONE_SURROGATE.sub("\ufffd", text)
    if not _may_hold_secrets(encodable):
        return text
    text = _KEY_BLOCK.sub(lambda _: _MASK, encodable)
    for _, pattern in _FORMATS:
        text = pattern.sub(lambda match: _MASK if _is_real(match) else match.group(), text)
    return str(_ASSIGNED.sub(_without_value, text))


def kinds_in(line: str) -> Iterator[str]:
    """Yield the kinds of secrets in a line, each once."""
    line = _LONE_SURROGATE.sub("\ufffd", line)
    if not _may_hold_secrets(line):
        return
    found = {name for name, pattern in _FORMATS for m in pattern.finditer(line) if _is_real(m)}
    if not found and any(_looks_random(match["value"]) for match in _ASSIGNED.finditer(line)):
        found.add("secret value")
    yield from sorted(found)


@lru_cache(maxsize=1)
def _any_format() -> Any:
    """Return all formats as one pattern, which quickly excludes most texts."""
    parts = (pattern.pattern.replace("?P<value>", "?:") for _, pattern in _FORMATS)
    return _compiled("|".join(f"(?:{part})" for part in parts))


def _may_hold_secrets(text: str) -> bool:
    return _any_format().search(text) is not None or _ASSIGNED.search(text) is not None


def _without_value(match: Any) -> str:
    value, whole = str(match["value"]), str(match.group())
    return whole.replace(value, _MASK) if _looks_random(value) else whole


def _named(diff: FileDiff) -> Iterator[tuple[int, str]]:
    if diff.status in ("added", "renamed"):
        yield 1, diff.path


def _added(text: str) -> Iterator[tuple[int, str]]:
    number = 0
    for line in text.split("\n"):  # git's lines: other separators stay in a line
        if header := re.match(r"@@ -\S+ \+(\d+)", line):
            number = int(header[1]) - 1
        elif not line.startswith(("-", "\\")):
            number += 1
            if line.startswith("+"):
                yield number, line[1:]


def _is_real(match: Any) -> bool:
    value = match.groupdict().get("value") or match.group()
    return not _EXAMPLE.search(value) and _JWT_OF_THE_TOOL_SITE not in value


def _looks_random(value: str) -> bool:
    if _EXAMPLE.search(value) or not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return False
    if re.fullmatch(r"[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+", value):
        return False  # words joined by dashes, dots or underscores
    return _entropy(value) > _RANDOM_BITS


def _entropy(value: str) -> float:
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)
