"""Every module that can open a connection to another host is known, and the guide lists each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
GUIDE = ROOT / "docs" / "concepts" / "containment.mdx"

# Libraries that connect, or from which a connection is made.
CONNECTING = {
    "aiohttp", "anthropic", "anyio.connect_tcp", "asyncio.open_connection", "dbos", "ftplib",
    "http.client", "httpcore", "httpx", "imaplib", "obstore", "openai", "paramiko", "poplib",
    "psycopg", "requests", "smtplib", "socket", "socketserver", "telnetlib", "urllib.request",
    "urllib3", "websocket", "websockets", "xmlrpc",
}  # fmt: skip

ALLOWED = {
    # The one way out: each IP address is vetted.
    "docstead.base.outbound": {"socket"},
    "docstead.base.vetted_connections": {"httpcore"},
    # The operator's own service, for a command.
    "docstead.cli.service_client": {"httpx"},
    # Hosts that the operator's settings or a project's source name.
    "docstead.agent.forges.client": {"httpx"},
    "docstead.agent.forges.factory": {"httpx"},
    "docstead.base.response_deadlines": {"httpcore", "httpx"},
    "docstead.models.anthropic_messages": {"anthropic"},
    "docstead.models.openai_client": {"openai"},
    "docstead.models.openai_compatible": {"openai"},
    "docstead.models.openai_embeddings": {"openai"},
    "docstead.storage.database": {"psycopg"},
    "docstead.storage.objects": {"obstore"},
    "docstead.jobs.context": {"dbos"},
    "docstead.jobs.library": {"dbos"},
    "docstead.jobs.queue_claims": {"dbos"},
    "docstead.jobs.runner": {"dbos"},
}

# Sockets that listen, or lead to a process of ours: these modules connect to no host.
LOCAL = (
    "docstead.cli.early_parent",
    "docstead.cli.server",
    "docstead.publishing.builders.",
    "docstead.rendering.",
)
CONNECT = re.compile(r"\.connect(_ex)?\(|create_connection|open_connection")


def _imported(tree: ast.AST) -> Iterator[str]:
    """Each name that a module imports, its type annotations included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def _connecting(path: Path) -> set[str]:
    text = path.read_text()
    named = [library for library in CONNECTING if all(part in text for part in library.split("."))]
    names = set(_imported(ast.parse(text))) if named else set()
    return {
        library
        for library in named
        if any(name == library or name.startswith(f"{library}.") for name in names)
    }


def _module(path: Path) -> str:
    return ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__")


def test_no_other_module_imports_what_connects() -> None:
    found = {_module(path): _connecting(path) for path in sorted(SOURCES.rglob("*.py"))}
    reaching_out = {
        module: names
        for module, names in found.items()
        if names and not (names == {"socket"} and module.startswith(LOCAL))
    }
    assert reaching_out == ALLOWED


def test_sockets_of_our_own_processes_connect_to_no_host() -> None:
    local = [path for path in SOURCES.rglob("*.py") if _module(path).startswith(LOCAL)]
    assert local
    assert [path for path in local if CONNECT.search(path.read_text())] == []


def test_git_is_started_in_one_module() -> None:
    starting = re.compile(r"""\[\s*["'](git|ssh|curl|wget)["']""")
    found = [path for path in SOURCES.rglob("*.py") if starting.search(path.read_text())]
    assert [_module(path) for path in found] == ["docstead.publishing.git"]


def test_the_guide_names_each_connection_and_its_setting() -> None:
    rows = re.findall(r"^\| .+ \|$", GUIDE.read_text(), re.MULTILINE)
    settings = set(re.findall(r"`DOCSTEAD_(\w+)`", "\n".join(rows)))
    assert {
        "AGENT_REPOSITORIES", "DATABASE_URL", "EMBEDDING_BASE_URL", "FORGE_CREDENTIALS",
        "GIT_NETWORKS", "MODEL_BASE_URL", "PLAYGROUND_NETWORKS", "S3_ENDPOINT",
        "SPECIFICATION_NETWORKS", "WEBHOOK_NETWORKS",
    } <= settings  # fmt: skip
