"""Read an edition from four threads at once, in processes that have not decoded one before.

Prints how many of them ended by a signal. The argument is their number.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from pathlib import Path

from docstead.loading.loader import load_repository
from docstead.markup.rendered import RenderedPage
from docstead.publishing.edition_file import EditionFile, EditionWriter

_THREADS = 4
_SETTINGS = (
    '{"name":"x","theme":"mint","colors":{"primary":"#0055ff"},"navigation":{"pages":["index"]}}'
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        edition = _edition(Path(folder))
        print(sum(_status_of_child(edition) < 0 for _ in range(int(sys.argv[1]))))


def _edition(folder: Path) -> Path:
    repository, path = folder / "docs", folder / "edition.sqlite"
    repository.mkdir()
    (repository / "docs.json").write_text(_SETTINGS)
    (repository / "index.mdx").write_text("Hello")
    writer = EditionWriter(path, packed=False)
    writer.add_page(RenderedPage("index", "<p>Hello</p>", (), ()), "key")
    writer.close(commit="1", site=load_repository(repository).site, diagnostics=())
    return path


def _status_of_child(edition: Path) -> int:
    process = os.fork()
    if not process:
        _read_at_once(edition)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _read_at_once(edition: Path) -> None:
    sys.setswitchinterval(1e-6)
    files = [EditionFile(edition) for _ in range(_THREADS)]
    barrier = threading.Barrier(_THREADS)

    def read(file: EditionFile) -> None:
        barrier.wait()
        file.site()
        file.page("index")

    threads = [threading.Thread(target=read, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
