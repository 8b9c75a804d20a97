"""The `demo` command: starts a service with everything embedded, publishes and prints examples.

A second run reuses the data: it publishes only changes, and prints the same keys while they are
valid.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

from rich.console import Console

from docstead.accounts.tenancy import Deployment
from docstead.app.databases import database_url
from docstead.app.services import AppServices, open_services
from docstead.base.api_keys import KeyKind
from docstead.base.errors import DocsteadError
from docstead.base.heap import limit_fragmentation
from docstead.cli.first_vectors import wait_for_vectors
from docstead.cli.logs import configure_logging
from docstead.cli.publish import located, publish
from docstead.cli.serve import serve
from docstead.cli.server import check_machine, check_port
from docstead.jobs.library import check_unused
from docstead.publishing.folders import no_folder
from docstead.publishing.publications import Destination
from docstead.publishing.sources import DocumentationSource
from docstead.secrets import write_private
from docstead.settings import Settings, load_settings

DOMAIN = "docstead"
_LOCAL = "127.0.0.1"


def run(source: str) -> None:
    settings = load_settings(default_domain=DOMAIN)
    check_machine()
    limit_fragmentation()
    check_port(settings)
    check_unused(database_url(settings))
    configure_logging("warning" if settings.log_level == "info" else settings.log_level)
    with open_services(settings) as services:
        location = located(source)
        if not Path(location).is_dir() and "://" not in location:
            raise no_folder(Path(source))
        domain = services.tenancy.present_domain(DOMAIN)
        publish(services, DocumentationSource(location), Destination(domain), quiet=False)
        target = services.tenancy.deployment_of_domain(domain)
        facts = _facts(services, target)
        link = services.owners.new_sign_in_link(target.organization_id)
        shown = {"site": services.browser_url(target), "signIn": settings.public_url + link}

        def announce() -> None:
            wait_for_vectors(services, target)
            _announce(settings, facts, shown)

        # In a thread of its own, because the service already answers meanwhile.
        serve(services, Thread(target=announce, name="demo", daemon=True).start)


def _facts(services: AppServices, target: Deployment) -> Mapping[str, str]:
    settings = services.settings
    earlier = _earlier(settings)
    return {
        "baseUrl": settings.public_url,
        "siteUrl": services.site_url(target),
        "dashboardUrl": f"{settings.public_url}/dashboard",
        "domain": target.domain,
        "hostname": target.hostname,
        "organizationId": target.organization_id,
        "projectId": target.project_id,
        "assistantKey": _key(services, target, KeyKind.ASSISTANT, earlier.get("assistantKey")),
        "adminKey": _key(services, target, KeyKind.ADMIN, earlier.get("adminKey")),
    }


def _file(settings: Settings) -> Path:
    return settings.data / "demo.json"


def _earlier(settings: Settings) -> Mapping[str, str]:
    try:
        found = json.loads(_file(settings).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _key(services: AppServices, target: Deployment, kind: KeyKind, known: str | None) -> str:
    """Return the previous run's key if it is still valid for this deployment, or a new one."""
    try:
        caller = services.api_keys.authenticate(
            known, kind, method="POST", client_ip=_LOCAL, is_use=False
        )
        if known and caller.organization_id == target.organization_id:
            return known
    except DocsteadError:
        pass
    deployment_id = target.id if kind is KeyKind.ASSISTANT else None
    return services.api_keys.create(
        target.organization_id, kind, "demo", deployment_id=deployment_id
    ).key


def _announce(settings: Settings, facts: Mapping[str, str], links: Mapping[str, str]) -> None:
    variables = settings.data / "demo.env"
    write_private(variables, _VARIABLES.format(**facts))
    console = Console(highlight=False, soft_wrap=True)
    shown = _TEXT.format(
        **facts,
        **links,
        askBody=_ASK_BODY,
        file=_shown_path(_file(settings)),
        variables=_shown_path(variables),
        command=_command(settings),
    )
    console.print(shown, markup=False)
    # Last, because programs wait for this file.
    write_private(_file(settings), json.dumps(facts, indent=2) + "\n")


def _command(settings: Settings) -> str:
    """Return the command line for another shell in this folder, with the same data folder."""
    program = Path(sys.argv[0]).absolute()
    shown = "docstead" if _is_on_path(program) else shlex.quote(_shown_path(program))
    if program.name == "__main__.py":
        shown = f"{shlex.quote(sys.executable)} -m docstead.cli"
    is_usual = settings.data == Path(Settings.model_fields["data"].default).absolute()
    data = "" if is_usual else f"DOCSTEAD_DATA={shlex.quote(str(settings.data))} "
    return f"{data}{shown}"


def _is_on_path(program: Path) -> bool:
    """Report whether a new shell finds the program, without the PATH of `uv run` or `activate`."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    others = os.pathsep.join(
        each for each in folders if Path(each).resolve() != program.resolve().parent
    )
    found = shutil.which("docstead", path=others)
    return found is not None and Path(found).resolve() == program.resolve()


def _shown_path(path: Path) -> str:
    """Return the path relative to the working directory if it is below it."""
    here = Path.cwd()
    inner = str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
    return inner if os.sep in inner else f"./{inner}"


_QUESTION = "How do I export the site?"
_ASK_BODY = json.dumps(
    {
        "fp": "anonymous",
        "messages": [
            {
                "id": "1",
                "role": "user",
                "content": _QUESTION,
                "parts": [{"type": "text", "text": _QUESTION}],
            }
        ],
    }
)

_TEXT = """
  Docstead is ready.

  Site           {site}
  Dashboard      {signIn}
                 (signs you in once; set a password afterwards)
  Domain         {domain}
  Hostname       {hostname}
  Project        {projectId}
  Assistant key  {assistantKey}
  Admin key      {adminKey}

  Ask a question:

curl -N {baseUrl}/discovery/v1/assistant/{domain}/message \\
  -H 'Authorization: Bearer {assistantKey}' -H 'Content-Type: application/json' \\
  -d '{askBody}'

  Export the site, look at the job, then get its bundle:

curl {baseUrl}/v1/static-export/jobs \\
  -H 'Authorization: Bearer {adminKey}' -H 'Content-Type: application/json' \\
  -d '{{"domain":"{hostname}"}}'
curl {baseUrl}/v1/static-export/jobs/JOB_ID -H 'Authorization: Bearer {adminKey}'
curl -X POST {baseUrl}/v1/static-export/jobs/JOB_ID/bundle -H 'Authorization: Bearer {adminKey}'

  Publish a repository of your own, in another terminal:

{command} publish ../handbook --domain handbook

  The same facts are in {file}, the keys as variables of a shell in {variables}.
  Ctrl-C stops the service.
"""
_VARIABLES = """\
export ASSISTANT_KEY='{assistantKey}'
export ADMIN_KEY='{adminKey}'
export PROJECT_ID='{projectId}'
"""
