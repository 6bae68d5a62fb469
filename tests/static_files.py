"""The scripts, style sheets and pictures of all packages, by their address below /static/RELEASE/."""

from __future__ import annotations

from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "ostbahn"
FOLDERS = sorted(path for path in SOURCE.rglob("static") if path.is_dir())
FILES = {path.relative_to(folder).as_posix(): path for folder in FOLDERS for path in sorted(folder.rglob("*.*"))}
SCRIPTS = {address: path for address, path in FILES.items() if path.suffix == ".js"}
