"""Commands that read a documentation repository: publish, export, pdf, check."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from docstead.cli.early_parent import forked_worker, interruption_deferred
from docstead.cli.errors import exit_on_errors
from docstead.cli.formats import OutputFormat
from docstead.cli.interruption import UNCHANGED, said_when_interrupted
from docstead.cli.source_options import (
    SOURCE,
    BasePathOption,
    BaseUrlOption,
    CacheOption,
    DeploymentTypeOption,
    DomainOption,
    FeatureOption,
    FormatOption,
    GroupsOption,
    HostnameOption,
    JsonOption,
    OutputOption,
    PageOption,
    PaperOption,
    PathsOption,
    PdfBaseUrlOption,
    PdfOutputOption,
    RefOption,
    RootOption,
    SectionOption,
    ServerKeyOption,
    ServerOption,
    ServiceDomainOption,
    ServiceKeyOption,
    ServiceUrlOption,
    SourceArgument,
    StrictOption,
    TitleVersionOption,
    VersionOption,
)
from docstead.export.pdf.options import Paper

if TYPE_CHECKING:
    from docstead.publishing.builders.forking import CommandForkServer


def publish(
    source: SourceArgument,
    domain: DomainOption,
    hostname: HostnameOption = None,
    ref: RefOption = None,
    root: RootOption = "",
    server: ServerOption = None,
    key: ServerKeyOption = None,
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
        with interruption_deferred():
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
    context: typer.Context,
    source: SourceArgument,
    output: OutputOption,
    base_url: BaseUrlOption = "",
    base_path: BasePathOption = None,
    paths: PathsOption = None,
    version: VersionOption = None,
    deployment_type: DeploymentTypeOption = None,
    feature: FeatureOption = None,
    service_url: ServiceUrlOption = "",
    service_domain: ServiceDomainOption = "",
    service_key: ServiceKeyOption = "",
    groups: GroupsOption = None,
    cache: CacheOption = None,
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write a documentation repository as static files. No database is needed.

    The result works on any static storage, under any path, and from a local folder. It contacts no
    other host unless a service is configured for its assistant or analytics. A .zip also contains a
    start page.

    Example: docstead export ./docs -o site.zip --base-url https://example.com
    """
    from docstead.base.heap import tune_gc

    tune_gc()  # before the imports, which make many objects and no garbage
    from docstead.cli.early_parent import Invocation, early_parent, seems_unchanged

    arguments, begun = context.obj or Invocation()
    has_work = begun is not None or cache is None or not seems_unchanged(source, cache)
    with (
        exit_on_errors(),
        said_when_interrupted(UNCHANGED.format(output)),
        early_parent(begun) if has_work else nullcontext() as parent,
    ):
        if has_work and begun is None:
            with interruption_deferred():
                _fork_early(parent, has_cache=cache is not None)
        from docstead.app.features import bundle_choices
        from docstead.cli.export_options import (
            ExportFlags,
            export_options,
            external_services_of,
            listed,
        )
        from docstead.cli.unchanged_export import report_unchanged
        from docstead.publishing.sources import named_source
        from docstead.settings import load_settings

        requested = named_source(source, ref, root)
        settings = load_settings()
        services = external_services_of(service_url, service_domain, service_key, requested)
        services = replace(services, script_hosts=settings.script_hosts)
        flags = ExportFlags(
            base_url, base_path, version, deployment_type, feature or (), listed(groups or ())
        )
        options = export_options(flags, services, bundle_choices(settings))
        if cache is not None and not has_work:
            report_unchanged(
                requested, output, options, listed(paths or ()), cache=cache, as_json=as_json
            )
        from docstead.cli.export_command import ExportCommand, ExportSettings, keep_command
        from docstead.cli.offline import run_export
        from docstead.publishing.builders import OwnProcess

        command = ExportCommand(
            requested,
            str(output),
            options,
            tuple(listed(paths or ())),
            None if cache is None else str(cache),
            as_json,
            ExportSettings.of(settings),
        )
        keep_command(arguments, command)
        run_export(command, parent=parent or (OwnProcess() if has_work else None), ahead=has_work)


def _fork_early(parent: CommandForkServer | None, *, has_cache: bool) -> None:
    """Import the modules of an export while its first worker prepares itself; fork the others.

    Processes that are forked later have the modules.
    """
    if parent is not None:
        parent.take_worker(*forked_worker())
    import docstead.app.features
    import docstead.cli.building
    import docstead.cli.offline  # noqa: F401 - forked processes have it then
    from docstead.theme.markup import compile_templates

    if not has_cache:  # every process needs them; after an edit, only this one does, and later
        compile_templates()
    if parent is not None:
        parent.begin(prepares=not has_cache)


def pdf(
    source: SourceArgument,
    output: PdfOutputOption,
    section: SectionOption = None,
    page: PageOption = None,
    paper: PaperOption = Paper.A4,
    version: TitleVersionOption = None,
    base_url: PdfBaseUrlOption = "",
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
    with exit_on_errors(), said_when_interrupted(UNCHANGED.format(output)):
        with interruption_deferred():
            from docstead.cli.export_options import listed
            from docstead.cli.pdf import PdfRequest, run_pdf
            from docstead.export.options import checked_version
            from docstead.export.pdf.options import PdfOptions
            from docstead.publishing.sources import named_source

        options = PdfOptions(paper, edition=checked_version(version) or "", base_url=base_url)
        request = PdfRequest(output, options, section, tuple(listed(page or ())))
        run_pdf(named_source(source, ref, root), request, as_json=as_json)


def check(
    source: Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE)] = ".",
    ref: RefOption = None,
    root: RootOption = "",
    as_json: JsonOption = False,
    output_format: FormatOption = OutputFormat.TEXT,
    strict: StrictOption = False,
) -> None:
    """Render every page, write nothing, and print each diagnostic as file:line:column.

    Exit status: 1 for errors or an unreadable source, 2 for wrong usage, otherwise 0.
    In CI: docstead check . --strict --format github
    """
    with exit_on_errors(), said_when_interrupted("Interrupted."):
        with interruption_deferred():
            from docstead.cli.check import run_check
            from docstead.publishing.sources import named_source

        requested = OutputFormat.JSON if as_json else output_format
        run_check(named_source(source, ref, root), requested=requested, strict=strict)
