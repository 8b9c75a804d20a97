"""Arguments and options of commands that read a documentation repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from docstead.cli.formats import OutputFormat
from docstead.export.pdf.options import Paper

SOURCE = "A folder with docs.json, or a git URL (https://, ssh://, git@host:path, file://)."
SourceArgument = Annotated[str, typer.Argument(metavar="SOURCE", help=SOURCE, show_default=False)]
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

# publish

DomainOption = Annotated[
    str,
    typer.Option(
        help="Domain of the deployment: lower-case letters, digits, hyphens. The deployment "
        "is created if it does not exist.",
        show_default=False,
    ),
]
HostnameOption = Annotated[
    str | None,
    typer.Option(help="Hostname of a new deployment; DOMAIN.localhost by default."),
]
ServerOption = Annotated[
    str | None,
    typer.Option(
        help="URL of a service on another machine, to which the folder is uploaded. "
        "DOCSTEAD_SERVER by default.",
        show_default=False,
    ),
]
ServerKeyOption = Annotated[
    str | None,
    typer.Option(help="Admin key of that service; prefer DOCSTEAD_ADMIN_KEY.", show_default=False),
]

# export

OutputOption = Annotated[
    Path,
    typer.Option(
        "-o",
        "--output",
        help="A folder, or a file ending in .tar.gz or .zip.",
        show_default=False,
    ),
]
BaseUrlOption = Annotated[
    str,
    typer.Option(help="Public URL of the site, for canonical links and the sitemap."),
]
BasePathOption = Annotated[
    str | None,
    typer.Option(
        help="Path where the files will be served, for the 404 page, such as / or /docs; that "
        "of --base-url by default."
    ),
]
PathsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Pages to export, such as guides/keys (comma-separated, or repeat the option); "
        "all by default."
    ),
]
VersionOption = Annotated[str | None, typer.Option(help="Label that `docstead host` can pin.")]
DeploymentTypeOption = Annotated[
    str | None,
    typer.Option(help="cloud, client-hosted or air-gapped; from the settings by default."),
]
FeatureOption = Annotated[
    list[str] | None,
    typer.Option(
        help="search, assistant, analytics or playground, as NAME=on|off (repeat the option); "
        "from the settings by default."
    ),
]
ServiceUrlOption = Annotated[
    str, typer.Option(help="URL of the service for the assistant and analytics.")
]
ServiceDomainOption = Annotated[str, typer.Option(help="Domain of the deployment in that service.")]
ServiceKeyOption = Annotated[
    str, typer.Option(help="Assistant key of that deployment; it becomes public.")
]
GroupsOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Groups of readers whose pages are included (comma-separated, or repeat the "
        "option); none by default."
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(help="Cache folder, which speeds up the next export; none by default."),
]

# pdf

PdfOutputOption = Annotated[
    Path,
    typer.Option("-o", "--output", help="A file ending in .pdf.", show_default=False),
]
SectionOption = Annotated[
    str | None,
    typer.Option(
        help="Only this part: the label of a group, tab or language, or a folder of pages.",
        show_default=False,
    ),
]
PageOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Only these pages, such as guides/keys (comma-separated, or repeat the option)."
    ),
]
PaperOption = Annotated[Paper, typer.Option(help="Paper size.")]
TitleVersionOption = Annotated[
    str | None,
    typer.Option(help="Label on the title page; today's date by default.", show_default=False),
]
PdfBaseUrlOption = Annotated[
    str,
    typer.Option(help="Public URL of the site, for links to pages that are not in the PDF."),
]

# check

FormatOption = Annotated[
    OutputFormat,
    typer.Option("--format", help="text, json, github (annotations) or sarif."),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Exit with status 1 for warnings too.")
]
