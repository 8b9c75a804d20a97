"""Commands that read a documentation repository: publish, export, pdf, check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docstead.cli.errors import exit_on_errors
from docstead.cli.formats import OutputFormat
from docstead.cli.interruption import said_when_interrupted
from docstead.export.pdf.options import Paper

_UNCHANGED = "Interrupted; {} is unchanged."
_SOURCE = "A folder with docs.json, or a git URL (https://, ssh://, git@host:path, file://)."
SourceArgument = Annotated[str, typer.Argument(metavar="SOURCE", help=_SOURCE, show_default=False)]
RefOption = Annotated[
    str | None,
    typer.Option(
        "--ref", help="Branch, tag or commit of a git URL; its default branch if omitted."
    ),
]
RootOption = Annotated[
    str, typer.Option("--root", help="Subfolder that contains docs.json; the top if omitted.")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object instead of progress.")
]


def publish(
    source: SourceArgument,
    domain: Annotated[
        str,
        typer.Option(
            help="Domain of the deployment: lower-case letters, digits, hyphens. The deployment "
            "is created if it does not exist.",
            show_default=False,
        ),
    ],
    hostname: Annotated[
        str | None,
        typer.Option(help="Hostname of a new deployment; DOMAIN.localhost by default."),
    ] = None,
    ref: RefOption = None,
    root: RootOption = "",
    server: Annotated[
        str | None,
        typer.Option(
            help="URL of a service on another machine, to which the folder is uploaded. "
            "DOCSTEAD_SERVER by default.",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="Admin key of that service; prefer DOCSTEAD_ADMIN_KEY.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a documentation repository.

    The running service of the data folder does the work, or the one that --server names. If
    none runs, the command does it. Only pages that changed since the last update are rendered.

    Example: docstead publish ./docs --domain handbook
    """
    with (
        said_when_interrupted("Interrupted; the published site is unchanged.") as interruption,
        exit_on_errors(),
    ):
        from docstead.cli.publish import run
        from docstead.publishing.publications import Destination

        run(
            source,
            ref=ref,
            root=root,
            to=Destination(domain, hostname),
            server=server,
            key=key,
            as_json=as_json,
            interruption=interruption,
        )


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
        typer.Option(help="Public URL of the site, for canonical links and the sitemap."),
    ] = "",
    base_path: Annotated[
        str | None,
        typer.Option(
            help="Path where the files will be served, for the 404 page, such as / or /docs; that "
            "of --base-url by default."
        ),
    ] = None,
    paths: Annotated[
        list[str] | None,
        typer.Option(
            help="Pages to export, such as guides/keys (comma-separated, or repeat the option); "
            "all by default."
        ),
    ] = None,
    version: Annotated[str | None, typer.Option(help="Label that `docstead host` can pin.")] = None,
    deployment_type: Annotated[
        str | None,
        typer.Option(help="cloud, client-hosted or air-gapped; from the settings by default."),
    ] = None,
    feature: Annotated[
        list[str] | None,
        typer.Option(
            help="search, assistant, analytics or playground, as NAME=on|off (repeat the option); "
            "from the settings by default."
        ),
    ] = None,
    service_url: Annotated[
        str, typer.Option(help="URL of the service for the assistant and analytics.")
    ] = "",
    service_domain: Annotated[
        str, typer.Option(help="Domain of the deployment in that service.")
    ] = "",
    service_key: Annotated[
        str, typer.Option(help="Assistant key of that deployment; it becomes public.")
    ] = "",
    groups: Annotated[
        list[str] | None,
        typer.Option(
            help="Groups of readers whose pages are included (comma-separated, or repeat the "
            "option); none by default."
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Cache folder, which speeds up the next export; none by default."),
    ] = None,
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a documentation repository as static files. No database is needed.

    The result works on any static storage, under any path, and from a local folder. It contacts no
    other host unless a service is configured for its assistant or analytics. A .zip also contains a
    start page.

    Example: docstead export ./docs -o site.tar.gz --base-url https://docs.example.com
    """
    from docstead.base.heap import tune_gc

    tune_gc()  # before the imports, which make many objects and no garbage
    from docstead.cli.early_parent import early_parent, seems_unchanged

    with (
        exit_on_errors(),
        said_when_interrupted(_UNCHANGED.format(output)),
        early_parent() as parent,
    ):
        has_work = not seems_unchanged(source, cache)
        if parent is not None and has_work:
            parent.begin_worker()  # it prepares itself during the imports
        import docstead.cli.building  # noqa: F401 - forked processes have it then
        from docstead.app.features import bundle_choices
        from docstead.cli.export_options import export_options, external_services_of, listed
        from docstead.cli.offline import run_export
        from docstead.publishing.sources import named_source
        from docstead.settings import load_settings
        from docstead.theme.markup import compile_templates

        if cache is None:  # every process needs them; after an edit, only this one does, and later
            compile_templates()
        if parent is not None:
            parent.begin(prepares=cache is None)
        requested = named_source(source, ref, root)
        settings = load_settings()
        external_services = external_services_of(
            service_url, service_domain, service_key, requested
        )
        external_services = replace(external_services, script_hosts=settings.script_hosts)
        options = export_options(
            base_url,
            base_path,
            version,
            deployment_type,
            feature or (),
            external_services,
            bundle_choices(settings),
        )
        options = replace(options, groups=tuple(listed(groups or ())))
        run_export(
            requested,
            output,
            options,
            listed(paths or ()),
            parent=parent,
            ahead=has_work,
            cache=cache,
            as_json=as_json,
        )


def pdf(
    source: SourceArgument,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="A file ending in .pdf.", show_default=False),
    ],
    section: Annotated[
        str | None,
        typer.Option(
            help="Only this part: the label of a group, tab or language, or a folder of pages.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        list[str] | None,
        typer.Option(
            help="Only these pages, such as guides/keys (comma-separated, or repeat the option)."
        ),
    ] = None,
    paper: Annotated[Paper, typer.Option(help="Paper size.")] = Paper.A4,
    version: Annotated[
        str | None,
        typer.Option(help="Label on the title page; today's date by default.", show_default=False),
    ] = None,
    base_url: Annotated[
        str,
        typer.Option(help="Public URL of the site, for links to pages that are not in the PDF."),
    ] = "",
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a site, a section or pages as one PDF. Requires Chromium or Chrome.

    It has a title page, contents with page numbers, bookmarks, and links within the PDF. Pages are
    in navigation order; hidden pages are included only if --page names them. Chromium runs no
    scripts of the repository and contacts no other host.

    Example: docstead pdf ./docs -o handbook.pdf --section Guides
    """
    from docstead.cli.export_options import listed
    from docstead.cli.pdf import PdfRequest, run_pdf
    from docstead.export.options import checked_version
    from docstead.export.pdf.options import PdfOptions
    from docstead.publishing.sources import named_source

    with exit_on_errors(), said_when_interrupted(_UNCHANGED.format(output)):
        options = PdfOptions(paper, edition=checked_version(version) or "", base_url=base_url)
        request = PdfRequest(output, options, section, tuple(listed(page or ())))
        run_pdf(named_source(source, ref, root), request, as_json=as_json)


def check(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=_SOURCE)] = ".",
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
    output_format: Annotated[
        OutputFormat,
        typer.Option("--format", help="text, json, github (annotations) or sarif."),
    ] = OutputFormat.TEXT,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with status 1 for warnings too.")
    ] = False,
) -> None:
    """Render every page, write nothing, and print each diagnostic as file:line:column.

    Exit status: 1 for errors or an unreadable source, 2 for wrong usage, otherwise 0.
    In CI: docstead check . --strict --format github
    """
    from docstead.cli.check import run_check
    from docstead.publishing.sources import named_source

    with exit_on_errors(), said_when_interrupted("Interrupted."):
        requested = OutputFormat.JSON if as_json else output_format
        run_check(named_source(source, ref, root), requested=requested, strict=strict)
