"""Store the data of a version for `test_upgrades.py`: a data folder and a dump of PostgreSQL.

    python tests/service/upgrades/store.py NAME --tree TREE

TREE is a checkout of the version with its `.venv` and its built engine. Its own interpreter and
code fill the stores, once for each database. The results are NAME-sqlite.tar.xz and
NAME-postgres.tar.xz in this folder.

Only what all versions have is used: the service's own objects, and the agent of the tests.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KILLED = 9
SECRET = "a long enough secret of stored data"
PAGE = '---\ntitle: "Webhooks"\ndescription: "News."\n---\n\nSee [start](/guides/start).\n'
WHOLE_PAGES = ("html", "txt", "xml", "md", "json", "yaml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--tree", type=Path, required=True)
    options = parser.parse_args()
    tree = options.tree.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store(tree, folder, "")
        pack(folder, f"{options.name}-sqlite")
    with tempfile.TemporaryDirectory() as name, postgres() as (url, dump):
        folder = Path(name)
        store(tree, folder, url)
        with (folder / "dump.sql").open("wb") as file:
            subprocess.run([*dump, url], stdout=file, check=True)
        pack(folder, f"{options.name}-postgres")


def store(tree: Path, folder: Path, url: str) -> None:
    """Fill a data folder with the code of `tree`, whose process is killed at its work."""
    support = os.pathsep.join((str(tree / "src"), str(tree / "tests" / "support")))
    for phase in ("work", "queue"):
        command = [tree / ".venv/bin/python", __file__, phase, folder, url]
        done = subprocess.run(
            command, cwd=tree, env={**os.environ, "PYTHONPATH": support}, check=False
        )
        if done.returncode != KILLED:
            raise SystemExit(f"{phase} ended with {done.returncode}")


def pack(folder: Path, name: str) -> None:
    """Pack what the new version must have; it creates caches again."""
    for unused in ("data/cache", "data/editions", "repository/.git/hooks"):
        shutil.rmtree(folder / unused, ignore_errors=True)
    for bundle in folder.glob("data/objects/**/*.tar.gz"):
        _shorten(bundle)
    with tarfile.open(HERE / f"{name}.tar.xz", "w:xz", preset=9) as archive:
        archive.add(folder, arcname=".")


def _shorten(bundle: Path) -> None:
    """Leave fonts and scripts out of a bundle, which are nine tenths of it."""
    kept = io.BytesIO()
    with tarfile.open(bundle) as whole, tarfile.open(fileobj=kept, mode="w") as short:
        for member in whole:
            if member.isfile() and member.name.rpartition(".")[2] in WHOLE_PAGES:
                short.addfile(member, whole.extractfile(member))
    bundle.write_bytes(gzip.compress(kept.getvalue(), mtime=0))


@contextmanager
def postgres() -> Iterator[tuple[str, list[str]]]:
    """The URL of a new server, and the command that dumps its database."""
    sys.path.insert(0, str(HERE.parents[1] / "support"))
    from store_servers import own_stores

    with own_stores() as stores:
        programs = Path(stores.postgres.command[stores.postgres.command.index("-D") - 1]).parent
        yield stores.database_url, [str(programs / "pg_dump"), "--no-owner", "--inserts"]


@contextmanager
def opened(folder: Path, url: str, model_url: str) -> Iterator[tuple[Any, Any]]:
    """The services and the jobs, which are not launched yet."""
    from docstead.app.services import open_services
    from docstead.jobs import Jobs
    from docstead.settings import Settings

    try:
        from docstead.app.databases import database_url
    except ImportError:  # in 7e77c87
        from docstead.app.services import database_url  # type: ignore[attr-defined]

    settings = Settings(
        data=folder / "data",
        database_url=url,
        model_base_url=model_url,
        model_name="scripted",
        base_url="http://docstead.test",
        secret=SECRET,
        render_workers=1,
        model_retries=0,
    )
    with open_services(settings) as services:
        jobs = Jobs(database_url(settings), node_id="node-1", polling_seconds=0.25)
        for part in (services.agent, services.exports, services.updates):
            part.register(jobs)
        yield services, jobs


def work(folder: Path, url: str) -> None:
    """Publish, answer, export and open a review; be killed in a job and in an export."""
    from agent_harness import AgentHarness, new_repository
    from chat_server import chat_server
    from docstead.base.api_keys import KeyKind

    repository = new_repository(folder / "repository")
    with chat_server() as chat, opened(folder, url, chat.url) as (services, jobs):
        harness = AgentHarness(services, jobs, repository, chat)
        project = harness.project
        deployment = services.tenancy.create_deployment(project.id, "acme", "docs.acme.example")
        jobs.launch()
        services.updates.run(services.updates.create(project.id, "api").id)
        chat.pieces = ("Parcelo sends parcels [1].",)
        facts = asyncio.run(_answered(services, deployment))
        facts |= {
            "organization": project.organization_id,
            "project": project.id,
            "deployment": deployment.id,
            "adminKey": _key(services, KeyKind.ADMIN, deployment),
            "assistantKey": _key(services, KeyKind.ASSISTANT, deployment),
            "proposedJob": _proposed(harness),
            "export": _exported(harness, deployment),
            "runningJob": _begun(harness),
        }
        _be_killed_in_an_export(harness, deployment, facts, folder / "facts.json")


def queue(folder: Path, url: str) -> None:
    """Queue one job of each kind in a process that runs none."""
    from docstead.agent.values import Instruction

    facts = json.loads((folder / "facts.json").read_text())
    with opened(folder, url, "http://127.0.0.1:9/v1") as (services, _jobs):
        project = services.tenancy.project(facts["project"])
        instruction = Instruction.of("Add a page about parcels")
        facts["queuedJob"] = services.agent.create(project, instruction).id
        facts["queuedUpdate"] = services.updates.start(project.id, "api").id
        queued = services.exports.start(facts["organization"], "acme", version="2.0")
        facts["queuedExport"] = queued.id
        (folder / "facts.json").write_text(json.dumps(facts, indent=1))
        os._exit(KILLED)


async def _answered(services: Any, deployment: Any) -> dict[str, str]:
    from docstead.assistant.conversation import ConversationMessage, Question, Speaker

    question = Question((ConversationMessage(Speaker.USER, "What does Parcelo do?"),))
    found = {}
    async for event in services.assistant.answer(deployment, question):
        if hasattr(event, "thread_key"):  # the name of its class is not that of all versions
            found = {"thread": event.thread_id, "threadKey": event.thread_key or ""}
    return found


def _key(services: Any, kind: Any, deployment: Any) -> str:
    of_site = {"deployment_id": deployment.id} if kind == "assistant" else {}
    return str(services.api_keys.create(deployment.organization_id, kind, "stored", **of_site).key)


def _proposed(harness: Any) -> str:
    """The id of a job that has ended with a review."""
    from agent_harness import FILES
    from chat_server import Call, Reply

    docs = json.loads(FILES["docs.json"])
    docs["navigation"]["groups"][0]["pages"].append("guides/webhooks")
    calls = (
        Call("write_file", {"path": "guides/webhooks.mdx", "text": PAGE}, "a"),
        Call("write_file", {"path": "docs.json", "text": json.dumps(docs)}, "b"),
    )
    finish = Call("finish", {"title": "Add webhooks", "summary": "It was missing."})
    harness.says(Reply(calls=calls), Reply(calls=(finish,)))
    done = harness.run("Add a page about webhooks")
    assert done.pr_link, done
    return str(done.id)


def _exported(harness: Any, deployment: Any) -> str:
    exports, organization_id = harness.services.exports, harness.project.organization_id
    started = exports.start(organization_id, deployment.domain)
    harness.until(
        lambda: exports.get(organization_id, started.id), lambda export: export.status.is_final
    )
    return str(started.id)


def _begun(harness: Any) -> str:
    """The id of a job that has read a page and waits for the model."""
    from chat_server import Call, Reply

    waits = threading.Event()

    def wait(_conversation: object) -> Reply:
        waits.set()
        threading.Event().wait()
        raise AssertionError

    read = Reply(calls=(Call("read_file", {"path": "guides/start.mdx"}, "a"),))
    harness.says(read, wait)
    begun = harness.start("Explain the first parcel")
    assert waits.wait(120)
    return str(begun.id)


def _be_killed_in_an_export(
    harness: Any, deployment: Any, facts: dict[str, str], file: Path
) -> None:
    """Start an export and end this process when all of its pages are stored."""
    services, put = harness.services, type(harness.services.objects).put

    def put_or_die(objects: Any, key: str, data: Any, **more: Any) -> None:
        if "/parts/" in key:
            put(objects, key, data, **more)
            return
        facts["runningExport"] = key.split("/")[1]
        file.write_text(json.dumps(facts))
        os._exit(KILLED)

    type(services.objects).put = put_or_die
    services.exports.start(harness.project.organization_id, deployment.domain)
    threading.Event().wait(120)


if __name__ == "__main__":
    if sys.argv[1] in ("work", "queue"):
        globals()[sys.argv[1]](Path(sys.argv[2]), sys.argv[3])
    else:
        main()
