"""Cost of publishing three pages with few and with many editions of other projects.

    python bench/editions.py [--few 10] [--many 1000] [--projects 100] [--runs 15]

Two installations publish in turns, so that both see the same machine. The editions of the other
projects are copies of one file, with rows and objects of their own. The project that is measured
has more editions than are kept, so each publish removes one. Time is that of the whole update;
processor time is that of the service without its builders, whose work is the same. Ends with
status 1 where many editions cost 20 % more than few.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert, select

from docstead.app.services import AppServices, open_services
from docstead.publishing.edition_objects import object_key
from docstead.settings import Settings
from docstead.storage.schema import edition_assets, editions
from measure import median

BAR = 1.2
KEPT = 3
PAGES = 3
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg"><title>%d</title></svg>'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--few", type=int, default=10)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--projects", type=int, default=100)
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="docstead-bench-") as name, ExitStack() as opened:
        both = [
            opened.enter_context(_installation(Path(name) / str(count), count, options.projects))
            for count in (options.few, options.many)
        ]
        runs = [[each.publish() for each in both] for _ in range(options.runs)]
    few, many = ([run[number] for run in runs] for number in range(2))
    sys.exit(_report(options, few, many))


@dataclass(frozen=True)
class MeasuredProject:
    """A project whose publishes are measured, and its installation."""

    services: AppServices
    project: str
    source: Path

    def publish(self) -> tuple[float, float]:
        """Publish an edit; return its seconds and processor seconds."""
        page = self.source / f"page-{secrets.randbelow(PAGES)}.mdx"
        page.write_text(f"{page.read_text()}\n\nEdit {secrets.token_hex(4)}.\n")
        begun, worked = time.perf_counter(), time.process_time()
        updates = self.services.updates
        ended = updates.run(updates.create(self.project, "internal").id)
        found = time.perf_counter() - begun, time.process_time() - worked
        if ended.update.status.value != "success":
            raise SystemExit(ended.update.summary)
        time.sleep(1)  # until the next worker is ready
        return found


@contextmanager
def _installation(folder: Path, count: int, projects: int) -> Iterator[MeasuredProject]:
    """Yield an installation whose other projects have `count` editions in total."""
    folder.mkdir()
    source = _repository(folder / "source")
    with _services(folder) as services:
        measured = MeasuredProject(services, _project(services, "measured", source), source)
        others = [_project(services, f"other-{number}", source) for number in range(projects)]
        for _ in range(KEPT + 2):  # warm caches, and one edition to remove each time
            measured.publish()
        for number in range(count):
            _copy(services, measured.project, others[number % projects])
        yield measured


@contextmanager
def _services(folder: Path) -> Iterator[AppServices]:
    settings = Settings(
        data=folder / "data", editions_kept=KEPT, search_by_meaning=False, render_workers=1
    )
    with open_services(settings) as services:
        yield services


def _repository(folder: Path) -> Path:
    folder.mkdir()
    pages = [f"page-{number}" for number in range(PAGES)]
    for name in pages:
        (folder / f"{name}.mdx").write_text(f"---\ntitle: {name}\n---\n\n![](/{name}.svg)\n")
        (folder / f"{name}.svg").write_bytes(PICTURE % len(name))
    config = {"name": "Bench", "theme": "mint", "navigation": {"pages": pages}}
    (folder / "docs.json").write_text(json.dumps({**config, "colors": {"primary": "#0F766E"}}))
    return folder


def _project(services: AppServices, domain: str, source: Path) -> str:
    organization = services.tenancy.create_organization(domain)
    project = services.tenancy.create_project(organization.id, domain, str(source))
    services.tenancy.create_deployment(project.id, domain, f"{domain}.example.com")
    return project.id


def _copy(services: AppServices, from_project: str, to_project: str) -> None:
    """Copy an edition to another project, with its own asset."""
    newest = select(editions).where(editions.c.project_id == from_project)
    with services.database.reading() as connection:
        order = editions.c.sequence.desc()
        row = dict(connection.execute(newest.order_by(order).limit(1)).mappings().one())
    data = services.objects.get(row["object_key"])
    digest = row["object_key"].rsplit(".", 2)[1]
    row |= {"id": f"ed_{secrets.token_hex(12)}", "project_id": to_project}
    row["object_key"] = object_key(row["id"], digest)
    services.objects.put(row["object_key"], data)
    asset = {"edition_id": row["id"], "sha256": secrets.token_hex(32)}
    with services.database.transaction() as connection:
        connection.execute(insert(editions), row)
        connection.execute(insert(edition_assets), asset)


def _report(
    options: argparse.Namespace,
    few: list[tuple[float, float]],
    many: list[tuple[float, float]],
) -> int:
    missed = False
    for name, column in (("time", 0), ("processor time of the service", 1)):
        less, more = (median([each[column] for each in found]) for found in (few, many))
        missed |= more > BAR * less
        print(
            f"{name}: {less * 1e3:.0f} ms with {options.few} editions, {more * 1e3:.0f} ms with "
            f"{options.many} of {options.projects} projects ({more / less - 1:+.0%}), "
            f"medians of {options.runs}"
        )
    return int(missed)


if __name__ == "__main__":
    main()
