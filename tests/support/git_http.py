"""Git over smart HTTP with authentication, as on a forge: nginx and `git http-backend`."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from free_ports import free_port

_BACKEND = "/usr/lib/git-core/git-http-backend"
_START_SECONDS = 120

_CONFIG = """\
daemon off;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 64; }}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  fastcgi_temp_path {folder}/fastcgi;
  proxy_temp_path {folder}/proxy;
  scgi_temp_path {folder}/scgi;
  uwsgi_temp_path {folder}/uwsgi;
  client_max_body_size 0;
  log_format seen '$request|$http_authorization';
  server {{
    listen 127.0.0.1:{port} ssl;
    ssl_certificate {folder}/certificate.pem;
    ssl_certificate_key {folder}/key.pem;
    location ~ ^/elsewhere/(.*)$ {{ return 302 https://localhost:{port}/$1$is_args$args; }}
    location / {{
      if (-f {folder}/away) {{ return 503; }}
      auth_basic "git";
      auth_basic_user_file {folder}/users;
      set $receive "";
      if ($remote_user = reader) {{ set $receive reader; }}
      if ($arg_service = git-receive-pack) {{ set $receive "${{receive}}-push"; }}
      if ($receive = reader-push) {{ return 403; }}
      fastcgi_pass unix:{socket};
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME {backend};
      fastcgi_param GIT_PROJECT_ROOT {root};
      fastcgi_param GIT_HTTP_EXPORT_ALL "";
      fastcgi_param PATH_INFO $uri;
      fastcgi_param REMOTE_USER $remote_user;
      fastcgi_param HTTP_GIT_PROTOCOL $http_git_protocol;
    }}
  }}
  server {{
    listen 127.0.0.1:{other_port} ssl;
    ssl_certificate {folder}/certificate.pem;
    ssl_certificate_key {folder}/key.pem;
    access_log {folder}/other.log seen;
    location / {{
      add_header WWW-Authenticate 'Basic realm="git"' always;
      return 401;
    }}
  }}
}}
"""


@dataclass(frozen=True)
class GitServer:
    """Server of the repositories below a folder, with users `writer` and (read-only) `reader`.

    The user name that GitHub uses for tokens may write as well.
    """

    folder: Path
    port: int
    other_port: int  # a different host, as far as credentials are concerned
    # Unique to this server: parallel tests record the passwords of their own.
    password: str = field(default_factory=secrets.token_hex)

    def url_of(self, name: str) -> str:
        return f"https://localhost:{self.port}/{name}"

    @property
    def away(self) -> Path:
        """File whose existence makes every request fail with 503."""
        return self.folder / "away"

    @property
    def certificate(self) -> Path:
        return self.folder / "certificate.pem"


@contextmanager
def git_server(root: Path, folder: Path) -> Iterator[GitServer]:
    """Yield a server for the repositories below `root`; `folder` holds its own files."""
    folder.mkdir(parents=True)
    server = GitServer(folder, free_port(), free_port())
    short = tempfile.mkdtemp(prefix="cgi-", dir="/tmp")  # paths of sockets have 107 characters
    backend_socket = f"{short}/socket"
    _write_certificate(folder)
    _write_users(server)
    text = _CONFIG.format(
        folder=folder,
        port=server.port,
        other_port=server.other_port,
        root=root,
        backend=_BACKEND,
        socket=backend_socket,
        user="user root;" if os.geteuid() == 0 else "",
    )
    (folder / "nginx.conf").write_text(text)
    backend = _start("fcgiwrap", "-s", f"unix:{backend_socket}", "-f")
    front = _start(_nginx(), "-p", str(folder), "-c", str(folder / "nginx.conf"))
    try:
        _wait_for(server.port, front)
        yield server
    finally:
        for process in (front, backend):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
        shutil.rmtree(short)


def _start(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env={"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
             "GIT_CONFIG_COUNT": "2",
             "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
             "GIT_CONFIG_KEY_1": "http.receivepack", "GIT_CONFIG_VALUE_1": "true"},
    )  # fmt: skip


def _nginx() -> str:
    return shutil.which("nginx") or "/usr/sbin/nginx"


def _write_certificate(folder: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")],
        check=True, capture_output=True,
    )  # fmt: skip


def _write_users(server: GitServer) -> None:
    hashed = subprocess.run(
        ["openssl", "passwd", "-apr1", server.password], check=True, capture_output=True, text=True
    ).stdout.strip()
    lines = [f"{name}:{hashed}\n" for name in ("writer", "reader", "x-access-token")]
    (server.folder / "users").write_text("".join(lines))


def _wait_for(port: int, front: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and front.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing answers at port {port}")
