"""The working copy itself: what dev.py keeps where, and what goes into a source distribution."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "pip_settings", dict)
    for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    return module


def test_what_is_fetched_is_kept_in_the_working_copy(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """So no home folder is needed, and removing .dev removes everything."""
    monkeypatch.setenv("HOME", "/nonexistent")
    for env, name in ((dev.uv_env(), "UV_CACHE_DIR"), (dev.pip_env(), "PIP_CACHE_DIR")):
        assert Path(env[name]).is_relative_to(ROOT / ".dev")


def test_whoever_has_a_cache_of_their_own_keeps_it(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", "/var/cache/uv")
    monkeypatch.setenv("PIP_CACHE_DIR", "/var/cache/pip")
    assert (dev.uv_env()["UV_CACHE_DIR"], dev.pip_env()["PIP_CACHE_DIR"]) == ("/var/cache/uv", "/var/cache/pip")


def test_a_source_distribution_has_all_that_its_tests_read(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as packed:
        found = {name.partition("/")[2] for name in packed.getnames()}
    wanted = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "dev.py", "pyproject.toml", ".ci/run"]
    wanted += ["requirements.txt", "requirements-dev.txt"]
    for folder in ("src", "tests", "bench", "docs"):
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc")
        wanted += [str(path.relative_to(ROOT)) for path in files]
    assert [name for name in wanted if name not in found] == []
