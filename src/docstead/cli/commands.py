"""Every command with its options; what each does lives in the module of its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docstead import __version__
from docstead.cli.deployments import commands as deployments
from docstead.cli.errors import report_unknown_variables, told
from docstead.cli.formats import Format
from docstead.cli.organizations import commands as organizations
from docstead.cli.secret import commands as secret

app = typer.Typer(
    name="docstead",
    help="A documentation repository becomes a site, answers and a bundle.\n\n"
    "Start with: docstead demo",
    no_args_is_help=True,
    rich_markup_mode="markdown",  # paragraphs are wrapped as the terminal is wide
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
keys = typer.Typer(
    help="Make, list and revoke API keys.\n\n"
    "Admin keys (svc_…) are secret and work on the whole organization; assistant keys "
    "(svc_dsc_…) may be used in a browser and work on one deployment.",
    no_args_is_help=True,
)
app.add_typer(keys, name="keys")
app.add_typer(organizations, name="organizations")
app.add_typer(deployments, name="deployments")
app.add_typer(secret, name="secret")

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A folder with docs.json, or a git address (https://, ssh://, git@host:path, file://).",
        show_default=False,
    ),
]
RefOption = Annotated[
    str | None, typer.Option("--ref", help="Branch, tag or commit of a git address.")
]
RootOption = Annotated[str, typer.Option("--root", help="Sub-folder that holds docs.json.")]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output, no progress.")
]


@app.callback(invoke_without_command=True)
def docstead(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    strict_settings: Annotated[
        bool,
        typer.Option(
            "--strict-settings",
            help="Refuse DOCSTEAD_* variables that are not settings instead of warning.",
        ),
    ] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if strict_settings:
        report_unknown_variables(strict=True)


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
) -> None:
    """Start the service: sites, HTTP interface and dashboard.

    Settings come from DOCSTEAD_* and docstead.toml (docs: reference/settings).
    Ctrl-C lets open answers end, then stops.
    """
    from docstead.cli.serve import run

    with told():
        run(host=host, port=port)


@app.command()
def host(
    config: Annotated[
        Path,
        typer.Option(help="deployment.yaml: deploymentType, features, staticExport.*."),
    ],
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    rollback: Annotated[
        bool, typer.Option("--rollback", help="Go back to the bundle before, and end.")
    ] = False,
) -> None:
    """Serve an exported bundle by itself.

    Fetches staticExport.bundleUrl, checks and unpacks it beside the one that is live, and
    puts it in its place. The file is followed: a new bundleUrl is taken without a pause, and
    a bundle that fails leaves the old one live. /healthz and /readyz tell how it is.
    """
    from docstead.cli.host import roll_back, run

    with told():
        if rollback:
            roll_back(config)
        else:
            run(config, host=host, port=port)


@app.command()
def demo(
    source: Annotated[str, typer.Argument(help="The repository to publish.")] = "docs",
) -> None:
    """Start the service with everything embedded and show what it can do.

    Publishes SOURCE, makes an admin key, an assistant key and a one-time sign-in link, and
    prints commands to paste. The same facts go to demo.json in the data folder.
    A second run reuses the data.
    """
    from docstead.cli.demo import run

    with told():
        run(source)


@app.command()
def dev(
    source: Annotated[Path, typer.Argument(help="The folder with docs.json.")] = Path(),
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on, or the next that is free.")] = 3000,
) -> None:
    """Show a folder while it is written.

    Pages that are open in a browser show every change by themselves; new faults are printed.
    No database is needed.
    """
    from docstead.cli.dev import run

    with told():
        run(source, host=host, port=port)


@app.command()
def publish(
    source: SourceArgument,
    domain: Annotated[
        str,
        typer.Option(
            help="Deployment to publish to: lower-case letters, digits, hyphens. Made where "
            "there is none.",
            show_default=False,
        ),
    ],
    hostname: Annotated[
        str | None,
        typer.Option(help="Where readers find a new deployment; <domain>.localhost by default."),
    ] = None,
    ref: RefOption = None,
    root: RootOption = "",
    server: Annotated[
        str | None,
        typer.Option(
            help="URL of a service on another machine; the folder is sent to it. "
            "DOCSTEAD_SERVER by default.",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="Admin key of that service; better in DOCSTEAD_ADMIN_KEY.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a documentation repository.

    The service that runs on the data folder does it, or the one that --server names. Where
    none runs, the command does it by itself. Pages that did not change since the last time
    are not rendered again.
    """
    from docstead.cli.publish import run
    from docstead.publishing.publications import Destination

    with told():
        run(
            source,
            ref=ref,
            root=root,
            to=Destination(domain, hostname),
            server=server,
            key=key,
            as_json=as_json,
        )


@app.command()
def export(
    source: SourceArgument,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="A folder, or a file ending in .tar.gz or .zip.",
            show_default=False,
        ),
    ],
    base_url: Annotated[
        str,
        typer.Option(help="Address of the site, for canonical links and the sitemap."),
    ] = "",
    base_path: Annotated[
        str | None,
        typer.Option(help="Path that the files will stand at, for the 404 page: / or /docs."),
    ] = None,
    paths: Annotated[
        list[str] | None,
        typer.Option(help="Pages to export, comma-separated or repeated; every page by default."),
    ] = None,
    version: Annotated[
        str | None, typer.Option(help="A label, which `docstead host` can pin.")
    ] = None,
    deployment_type: Annotated[
        str | None,
        typer.Option(help="cloud, client-hosted or air-gapped; by default as the settings say."),
    ] = None,
    feature: Annotated[
        list[str] | None,
        typer.Option(help="search, assistant, analytics, playground: NAME=on|off."),
    ] = None,
    service_url: Annotated[
        str, typer.Option(help="Address of the service that pages ask: assistant, analytics.")
    ] = "",
    service_domain: Annotated[str, typer.Option(help="Domain of the deployment there.")] = "",
    service_key: Annotated[
        str, typer.Option(help="An assistant key of that deployment; it is public.")
    ] = "",
    groups: Annotated[
        list[str] | None,
        typer.Option(help="Groups of readers whose pages are included (comma-separated)."),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Folder that keeps what was made, so that the next export is quick."),
    ] = None,
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a documentation repository as static files. No database is needed.

    The result opens by a double click, works below any address, and asks no other host
    for anything, unless a service is named for its assistant or analytics. A .zip also
    holds a page to start from.
    """
    from docstead.app.features import bundle_choices
    from docstead.cli.export_options import export_options, listed, reach_of
    from docstead.cli.offline import run_export
    from docstead.publishing.sources import Source
    from docstead.settings import load_settings

    with told():
        wanted = Source(source, ref, root)
        reach = reach_of(service_url, service_domain, service_key, wanted)
        options = export_options(
            base_url,
            base_path,
            version,
            deployment_type,
            feature or (),
            reach,
            bundle_choices(load_settings()),
        )
        options = replace(options, groups=tuple(listed(groups or ())))
        run_export(wanted, output, options, listed(paths or ()), cache=cache, as_json=as_json)


@app.command()
def check(
    source: SourceArgument,
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
    output_format: Annotated[
        Format,
        typer.Option("--format", help="text, json, github (annotations) or sarif."),
    ] = Format.TEXT,
    strict: Annotated[
        bool, typer.Option("--strict", help="Give status 1 for warnings, too.")
    ] = False,
) -> None:
    """Render every page, write nothing, and print each diagnostic as file:line:column.

    Exit status: 1 where there are errors or the source cannot be read, 2 for wrong usage,
    else 0. In CI: docstead check . --strict --format github
    """
    from docstead.cli.check import run_check
    from docstead.publishing.sources import Source

    with told():
        wanted = Format.JSON if as_json else output_format
        run_check(Source(source, ref, root), wanted=wanted, strict=strict)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What to ask.", show_default=False)],
    domain: Annotated[
        str | None, typer.Option(help="Deployment to ask; the only one by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Answer a question from a published deployment, with its sources.

    Nothing is recorded: the question appears neither in conversations nor in gaps.
    """
    from docstead.cli.ask import run

    with told():
        run(question, domain=domain, as_json=as_json)


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(help="What to look for.", show_default=False)],
    domain: Annotated[
        str | None, typer.Option(help="Deployment to search; the only one by default.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="Sections to show.")] = 5,
    version: Annotated[str | None, typer.Option(help="Pages of this version alone.")] = None,
    language: Annotated[str | None, typer.Option(help="Pages in this language alone.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Find sections of a published deployment, as readers' search and the assistant do."""
    from docstead.cli.search import run

    with told():
        run(words, domain=domain, limit=limit, version=version, language=language, as_json=as_json)


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Check this machine and the settings. Status 1 where something has to be repaired."""
    from docstead.cli.doctor import run

    with told():
        run(as_json=as_json)


@app.command("sign-in")
def sign_in() -> None:
    """Print a one-time link to the dashboard, for the first sign-in or a forgotten password."""
    from docstead.cli.sign_in import run

    with told():
        run()


@keys.command("create")
def keys_create(
    kind: Annotated[
        str, typer.Argument(metavar="admin|assistant", help="Kind of key.", show_default=False)
    ],
    domain: Annotated[
        str | None,
        typer.Option(help="Deployment of an assistant key; the only one by default."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the key is for.")] = "command line",
    expires_in_days: Annotated[
        int | None, typer.Option(min=1, help="Days until it expires; never by default.")
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="read or write, for admin keys (both by default); groups, for assistant keys "
            "of servers that read pages for groups."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(help="Address or network (CIDR) that may use it; any by default."),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Origin of web pages that may use an assistant key; any by default."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print id and key as JSON.")] = False,
) -> None:
    """Make a key and show it, this once."""
    from docstead.cli.keys import create

    with told():
        create(
            kind,
            domain=domain,
            name=name,
            expires_in_days=expires_in_days,
            scopes=scope,
            allowlist=allow,
            origins=origin,
            as_json=as_json,
        )


@keys.command("list")
def keys_list(
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """List every key; the keys themselves are not kept."""
    from docstead.cli.keys import list_all

    with told():
        list_all(as_json=as_json)


@keys.command("rotate-site")
def keys_rotate_site(
    domain: Annotated[str | None, typer.Option(help="Deployment; the only one by default.")] = None,
) -> None:
    """Give the pages of a site another key. The one before stays valid until it is revoked."""
    from docstead.cli.keys import rotate_site

    with told():
        rotate_site(domain)


@keys.command("revoke")
def keys_revoke(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="Id from the list.")],
) -> None:
    """End a key at once."""
    from docstead.cli.keys import revoke

    with told():
        revoke(key_id)
