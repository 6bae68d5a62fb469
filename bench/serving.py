"""The server as people start it, for benchmarks that talk to it over the network."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(folder: str, *flags: str) -> Iterator[tuple[str, int]]:
    """The server as people start it, in a process of its own: its address, and its number."""
    command = [shutil.which("ostbahn") or "ostbahn", "serve", "--port", "0", "--data", folder, "--no-browser", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1], server.pid
        finally:
            server.terminate()
