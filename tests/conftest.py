"""Real servers and fresh stores for every test.

`backend` runs a test on SQLite with objects on disk, and again on PostgreSQL with objects
in S3. The whole suite runs most of these tests on one of the two, and `--deep` on the other.
PostgreSQL and S3 are started once for the whole run, on first need, and shared by all its
processes; each test has a database and a folder of the bucket to itself. A small shell next to
each server ends it when the run ends, however that happens.
"""

from __future__ import annotations

import gc
import os
import secrets
import shlex
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import obstore
import psycopg
import pytest
from hypothesis import settings
from obstore.exceptions import BaseError
from obstore.store import S3Store
from xdist.remote import Producer

import migrated_data
from distribution import Distribution, in_order
from docstead.base.clock import SystemClock
from docstead.jobs import library
from docstead.storage.database import Database
from docstead.storage.links import LinkSigner
from docstead.storage.objects import DiskObjects, ObjectStore, S3Objects
from fast_tests import is_fast, is_fast_path
from few_certificates import use_one_certificate
from manual_clock import ManualClock
from memory_folder import release_memory, use_memory
from postgres_databases import PostgresDatabases
from ready_processes import ReadyProcess, ReadyProcesses, shared_processes
from run_folder import RUN_VARIABLE, locked, run_folder, start_for_run
from shared_statements import share_statements
from store_servers import BUCKET, S3_ENVIRONMENT, S3_KEYS, postgres_command, s3_command

settings.register_profile("steady", deadline=None)  # other work shares the machine
settings.load_profile("steady")

_START_SECONDS = 120
_TEMPLATE = "docstead_template"
_WHOLE_VARIABLE = "WHOLE_TEST_SUITE"  # set where no file or folder is named
BACKENDS = ("sqlite+disk", "postgres+s3")
_ON_BOTH_BACKENDS = ("tests/limits/", "tests/storage/")
_GUARDED = "guarded"  # a user with a password; all others need none


@dataclass(frozen=True)
class Backend:
    """Stores of one test."""

    database: Database
    objects: ObjectStore
    database_url: str
    signer: LinkSigner  # signs the links of objects on disk

    @property
    def is_sqlite(self) -> bool:
        return self.database.is_sqlite


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run only tests marked as deep")
    parser.addoption("--fast", action="store_true", help="run only tests that need no server")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until the tests are collected: nothing of them is garbage
    # Workers inherit the environment of the process that started the run, and so its folder.
    os.environ.setdefault(RUN_VARIABLE, f"{os.getpid()}-{secrets.token_hex(4)}")
    use_memory()
    share_statements()
    if not hasattr(config, "workerinput"):
        config.add_cleanup(use_one_certificate())
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    os.environ.setdefault(_WHOLE_VARIABLE, "yes" if is_whole else "")
    # Libraries that tests import by themselves send nothing either.
    os.environ.update(ORT_DISABLE_TELEMETRY="1", SE_AVOID_STATS="true")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and not hasattr(session.config, "workerinput"):
        session.config.add_cleanup(release_memory)


def _is_deep(item: pytest.Item) -> bool:
    return item.get_closest_marker("deep") is not None or _is_on_other_backend(item)


def _is_fast(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    path = item.path.relative_to(item.config.rootpath).as_posix()
    fixtures = getattr(item, "fixturenames", ())
    return is_fast(path, fixtures, callspec.params.get("backend") if callspec else None)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file without fast tests for `--fast`."""
    if not config.getoption("fast", False) or not collection_path.is_relative_to(config.rootpath):
        return None
    path = collection_path.relative_to(config.rootpath).as_posix()
    return None if is_fast_path(path) else True


def _is_on_other_backend(item: pytest.Item) -> bool:
    """Return whether the whole suite runs this test on the other backend.

    Tests of stores run on both. Others take turns, unless a file or a folder is named.
    """
    callspec = getattr(item, "callspec", None)
    kind = callspec.params.get("backend") if callspec else None
    if kind is None or not os.environ[_WHOLE_VARIABLE] or item.nodeid.startswith(_ON_BOTH_BACKENDS):
        return False
    name = item.nodeid.replace(kind, "")
    return BACKENDS[zlib.crc32(name.encode()) % len(BACKENDS)] != kind


def _select(
    config: pytest.Config, items: list[pytest.Item], is_selected: Callable[[pytest.Item], bool]
) -> None:
    config.hook.pytest_deselected(items=[item for item in items if not is_selected(item)])
    items[:] = [item for item in items if is_selected(item)]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("fast", False):
        _select(config, items, lambda item: _is_fast(item) and not item.get_closest_marker("deep"))
    else:
        _select(config, items, lambda item: _is_deep(item) == config.getoption("deep", False))
    if hasattr(config, "workerinput"):
        in_order(items)


def pytest_collection_finish() -> None:
    """Leave thousands of collected tests out of the search for garbage from now on."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Distribution | None:
    if config.getvalue("dist") != "load":  # somebody has asked for another one
        return None
    config.option.loadscopereorder = False
    return Distribution(config, log)


@pytest.fixture
def clock() -> ManualClock:
    """A clock that stands at noon of a day until it is moved."""
    return ManualClock(datetime(2026, 11, 21, 12, 0, tzinfo=UTC))


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Backend:
    """A migrated database and an empty object store, of both kinds in turn."""
    kind = "sqlite_backend" if request.param == BACKENDS[0] else "postgres_backend"
    return request.getfixturevalue(kind)


@pytest.fixture
def signer() -> LinkSigner:
    keys = {"k1": secrets.token_bytes(32)}
    return LinkSigner(lambda: keys, SystemClock())


@pytest.fixture
def sqlite_backend(tmp_path: Path, signer: LinkSigner) -> Iterator[Backend]:
    path = tmp_path / "docstead.db"
    migrated_data.copy_databases(path)
    url = f"sqlite:///{path}"
    database = Database(url)
    yield Backend(
        database, DiskObjects(tmp_path / "objects", signer, "http://localhost"), url, signer
    )
    database.close()


@pytest.fixture
def postgres_backend(
    postgres_databases: PostgresDatabases, s3_objects: ObjectStore, signer: LinkSigner
) -> Iterator[Backend]:
    with postgres_databases.one() as url:
        database = Database(url)
        yield Backend(database, s3_objects, url, signer)
        database.close()


@pytest.fixture
def s3_objects(s3_endpoint: str) -> ObjectStore:
    return S3Objects(BUCKET, endpoint=s3_endpoint, prefix=secrets.token_hex(8), **S3_KEYS)


@pytest.fixture(scope="session")
def ready() -> ReadyProcesses:
    """Starts processes that need not import the program first."""
    return shared_processes()


@pytest.fixture
def start_worker(
    request: pytest.FixtureRequest, backend: Backend, tmp_path: Path, ready: ReadyProcesses
) -> Iterator[Callable[..., ReadyProcess]]:
    """Start `worker.py`, which is next to the test; it ends with the test.

    It stops at the first object whose key contains `hold`, until it is killed.
    """
    worker = request.path.with_name("worker.py")
    started: list[ReadyProcess] = []

    def start(hold: str = "") -> ReadyProcess:
        started.append(ready.start([worker, backend.database_url, tmp_path, hold]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="session")
def sqlite_template() -> Path:
    """A migrated, empty SQLite database to copy."""
    return migrated_data.sqlite_template()


@pytest.fixture(scope="session")
def postgres_url() -> Callable[[str], str]:
    """The URL of a database of the run's PostgreSQL server, by its name.

    Its template has the tables of jobs, too: to make them takes longer than most tests.
    """
    folder = run_folder()

    def url_of(name: str) -> str:
        return f"postgresql://postgres@/{name}?host={folder / 'pg'}"

    with locked(folder / "postgres.lock"):
        if not (folder / "postgres.ready").exists():
            _start_postgres(folder / "pg")
            _wait_for(lambda: psycopg.connect(url_of("postgres")).close())
            _create_template(url_of)
            (folder / "postgres.ready").touch()
    return url_of


@pytest.fixture(scope="session")
def postgres_databases(postgres_url: Callable[[str], str]) -> Iterator[PostgresDatabases]:
    databases = PostgresDatabases(postgres_url, _TEMPLATE)
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def s3_endpoint() -> str:
    """The URL of the run's S3 server; its bucket exists."""
    folder = run_folder()
    with locked(folder / "s3.lock"):
        ready = folder / "s3.ready"
        if not ready.exists():
            endpoint = _start_s3(folder / "s3")
            store = S3Store(
                BUCKET,
                config={"endpoint": endpoint, "region": "us-east-1", **S3_KEYS},
                client_options={"allow_http": True},
                retry_config={"max_retries": 0},
            )
            _wait_for(lambda: obstore.put(store, "ready", b"yes"))
            ready.write_text(endpoint)
    return ready.read_text()


def _start_postgres(data: Path) -> None:
    command, user = postgres_command(data)
    rules = data / "pg_hba.conf"
    rules.write_text(f"local all {_GUARDED} scram-sha-256\n{rules.read_text()}")
    _run_server(command, data, user=user)


def _create_template(url_of: Callable[[str], str]) -> None:
    with psycopg.connect(url_of("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {_TEMPLATE}")
        connection.execute(f"CREATE ROLE {_GUARDED} LOGIN PASSWORD 'known'")
    database = Database(url_of(_TEMPLATE))
    database.migrate()
    database.close()
    library.migrate(library.jobs_url(url_of(_TEMPLATE)))


def _start_s3(data: Path) -> str:
    command, endpoint = s3_command(data)
    _run_server(command, data, environment=S3_ENVIRONMENT)
    return endpoint


def _run_server(
    command: list[str],
    data: Path,
    *,
    user: str | None = None,
    environment: dict[str, str] | None = None,
) -> None:
    """Start a server that ends, and whose data goes, with the process that started the run."""
    if user is not None:
        command = ["setpriv", f"--reuid={user}", "--clear-groups", *command]
    script = (
        f"{shlex.join(command)} & server=$!; "
        "while kill -0 $run && kill -0 $server; do sleep 2; done; "
        f"kill -QUIT $server; wait $server; rm -rf {shlex.quote(str(data.parent))}"
    )
    start_for_run(script, data.with_suffix(".log"), environment=environment, folder=data)


def _wait_for(attempt: Callable[[], object]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with suppress(psycopg.OperationalError, BaseError, OSError):
            attempt()
            return
        time.sleep(0.1)
    attempt()
