"""Real proxies with the files of deploy/, before a server of a test."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.server.network import until

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
NAME = "games.example.org"


class Proxy(NamedTuple):
    address: str
    folder: Path

    def logs(self) -> str:
        return "".join(file.read_text() for file in sorted(self.folder.glob("*.log")))


def tool(name: str) -> str:
    """A program of the system; what needs it is left out where it is missing, and where all must be tried, fails."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None and os.environ.get("CI") == "true":
        pytest.fail(f"{name} is not installed")
    return found or pytest.skip(f"{name} is not installed, so its file in deploy/ was not tried")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def caddy(folder: Path, upstream: str, *, all_requests: bool = False) -> Iterator[Proxy]:
    port, file = free_port(), folder / "Caddyfile"
    text = (DEPLOY / "Caddyfile").read_text().replace("{\n\tlog {", "{\n\tadmin off\n\tlog {", 1)
    if all_requests:
        text = text.replace("{$SITE} {", "{$SITE} {\n\tlog {\n\t\timport masked\n\t}\n", 1)
    file.write_text(text)
    environ = {"SITE": f"http://127.0.0.1:{port}", "UPSTREAM": upstream, "HOME": str(folder)}
    command = [tool("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]
    yield from _running(command, folder, port, environ, signal.SIGKILL)  # else it waits for all who listen


@contextmanager
def nginx(folder: Path, upstream: str) -> Iterator[Proxy]:
    port, file = free_port(), folder / "nginx.conf"
    site = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8018", upstream)
    site = site.replace("/var/log/nginx", str(folder)).replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    site = re.sub(r"\n *(ssl_certificate|listen \[::\]).*", "", site).replace("listen 80;", f"listen {free_port()};")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/temp;\n" for kind in kinds)
    head = f"daemon off;\npid {folder}/pid;\nerror_log {folder}/main.log;\nevents {{}}\n"
    file.write_text(f"{head}http {{\n{paths}{site}\n}}\n")
    yield from _running([tool("nginx"), "-e", f"{folder}/main.log", "-c", str(file)], folder, port, {})


def _running(
    command: list[str], folder: Path, port: int, environ: dict[str, str], end: int = signal.SIGTERM
) -> Iterator[Proxy]:
    def listens() -> bool:
        assert process.poll() is None, (folder / "errors.log").read_text()
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", port)) == 0

    with (folder / "errors.log").open("w") as errors:
        process = subprocess.Popen(command, env=os.environ | environ, stderr=errors, stdout=errors)
    try:
        until(listens)
        yield Proxy(f"http://127.0.0.1:{port}", folder)
    finally:
        process.send_signal(end)
        process.wait()


def get(proxy: Proxy, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{proxy.address}{path}", headers=headers, timeout=None)
