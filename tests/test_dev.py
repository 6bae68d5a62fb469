"""The working copy itself: what dev.py keeps where, and what goes into a source distribution."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.static_files import SCRIPTS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "pip_settings", dict)
    monkeypatch.setattr(module, "UNSTEADY", tmp_path / "unsteady")
    for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache", "NPM_CONFIG_CACHE", "CI"):
        monkeypatch.delenv(name, raising=False)
    return module


def test_what_is_fetched_is_kept_in_the_working_copy(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """So no home folder is needed, and removing .dev removes everything."""
    monkeypatch.setenv("HOME", "/nonexistent")
    for env, name in ((dev.uv_env(), "UV_CACHE_DIR"), (dev.npm_env(), "npm_config_cache")):
        assert Path(env[name]).is_relative_to(ROOT / ".dev")
    assert dev.pip_env()["PIP_NO_CACHE_DIR"] == "1"


def test_whoever_has_a_cache_of_their_own_keeps_it(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", "/var/cache/uv")
    monkeypatch.setenv("PIP_CACHE_DIR", "/var/cache/pip")
    monkeypatch.setenv("NPM_CONFIG_CACHE", "/var/cache/npm")
    assert (dev.uv_env()["UV_CACHE_DIR"], dev.pip_env()["PIP_CACHE_DIR"]) == ("/var/cache/uv", "/var/cache/pip")
    assert "PIP_NO_CACHE_DIR" not in dev.pip_env()
    assert "npm_config_cache" not in dev.npm_env()


def test_locks_hold_for_every_registry_and_by_hashes(dev: ModuleType) -> None:
    assert all("://" not in lock.read_text(encoding="utf-8") for lock in (dev.LOCK, dev.LOCK_DEV, dev.LOCK_NPM))
    packages = json.loads(dev.LOCK_NPM.read_text(encoding="utf-8"))["packages"]
    fetched = {name: package for name, package in packages.items() if name}
    assert fetched
    assert [name for name, package in fetched.items() if not package.get("integrity", "").startswith("sha512-")] == []


SOUND = "/** @param {number} n */\nexport function twice(n) {\n  return 2 * n;\n}\n"
FAULTS = {
    "a type that is wrong": 'export const four = twice("two");',
    "what may not be there": 'export const found = document.querySelector("p").id;',
    "what has no type": "export const thrice = (n) => 3 * n;",
}


def checked(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> int:
    """The exit status of `dev.py test` if there were only one script, and no check but that of scripts."""
    (folder / "script.js").write_text(script, encoding="utf-8")
    config = {"extends": str(ROOT / "jsconfig.json"), "include": ["*.js"]}
    (folder / "jsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setattr(dev, "set_up", lambda: None)
    monkeypatch.setattr(dev, "stages", lambda *_: [["tsc", "-p", str(folder / "jsconfig.json")]])
    return int(dev.test([]))


@pytest.fixture
def tsc(dev: ModuleType) -> tuple[str, ...]:
    try:
        return tuple(dev.get_tsc())
    except dev.LeftOut as why:
        pytest.skip(f"TypeScript's checker: {why}")


@pytest.mark.usefixtures("tsc")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_types_of_a_script_fails(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str
) -> None:
    assert checked(dev, monkeypatch, tmp_path, SOUND) == 0
    assert checked(dev, monkeypatch, tmp_path, f"{SOUND}{FAULTS[fault]}\n") != 0


def test_every_script_is_checked(tsc: tuple[str, ...]) -> None:
    command = [*tsc, "-p", "jsconfig.json", "--listFilesOnly"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    scripts = set(SCRIPTS.values())
    assert scripts
    assert scripts <= {Path(line) for line in listed}


def test_no_script_asks_to_be_left_unchecked() -> None:
    unchecked = re.compile(r"@ts-|[{<|(\s]any[}>|)\[,]")
    found = {path.name: unchecked.findall(path.read_text(encoding="utf-8")) for path in SCRIPTS.values()}
    assert {name: words for name, words in found.items() if words} == {}


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_where_there_is_no_node_it_is_told_at_the_end(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    ci: str,
    status: int,
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert checked(dev, monkeypatch, tmp_path, SOUND) == status
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "!! LEFT OUT  tsc was NOT run: it needs node and npm (on Debian: apt-get install nodejs npm)"


def test_a_quick_run_says_what_it_leaves_out(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, ...]] = []

    def run_stage(*command: str) -> int:
        ran.append(command)
        return 0

    monkeypatch.setattr(dev, "set_up", lambda: None)
    monkeypatch.setattr(dev, "run_stage", run_stage)
    assert dev.test(["--quick"]) == 0
    assert [command[0] for command in ran] == ["ruff", "ruff", "mypy", "lint-imports", "tsc", "pytest"]
    assert "--quick" in ran[-1]
    assert "LEFT OUT  --quick: no browsers, servers, programs" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(("cores", "quota", "wanted"), [(6, "max 100000", 6), (6, "250000 100000", 3), (1, "", 2)])
def test_as_many_tests_run_at_once_as_there_are_cores(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cores: int, quota: str, wanted: int
) -> None:
    (tmp_path / "cpu.max").write_text(f"{quota}\n", encoding="utf-8")
    monkeypatch.setattr(dev, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(dev.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    command = dev.stages()[-1]
    assert command[: command.index("--dist")] == ["pytest", "-n", str(wanted)]


BROWSER = {
    "steady": "def test_steady() -> None:\n    pass\n",
    "unsteady": (
        "from pathlib import Path\n\n"
        "def test_unsteady() -> None:\n"
        "    before = Path(__file__).with_name('before')\n"
        "    assert (before.exists(), before.touch()) == (True, None), 'the first time'\n"
    ),
    "broken": "def test_broken() -> None:\n    raise ZeroDivisionError\n",
    "many": "".join(f"def test_{n}() -> None:\n    raise ZeroDivisionError\n" for n in range(4)),
}
CONFTEST = """
from pathlib import Path
from tests.second_chance import SecondChance

def pytest_addoption(parser):
    parser.addoption("--second-chance", type=Path)

def pytest_configure(config):
    if (told := config.getoption("second_chance")) is not None:
        config.pluginmanager.register(SecondChance(config, "browser", told))
"""


@pytest.mark.parametrize(
    ("browser", "others", "status", "told", "counts"),
    [
        (["steady", "unsteady"], ["steady"], 0, True, "2 passed, 1 unsteady in"),
        (["unsteady", "broken"], [], 1, True, "1 failed, 1 unsteady in"),
        (["unsteady"], ["broken"], 1, True, "1 failed, 1 unsteady in"),
        (["steady"], ["unsteady"], 1, False, "1 failed, 1 passed in"),
        (["many"], [], 1, False, "4 failed in"),
    ],
    ids=["unsteady", "failed twice", "another failed", "no browser", "too many"],
)
def test_browser_tests_that_fail_have_a_second_chance_and_it_is_told(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    browser: list[str],
    others: list[str],
    status: int,
    told: bool,
    counts: str,
) -> None:
    project = tmp_path / "project"
    for folder, names in (("browser", browser), ("others", others)):
        (project / folder).mkdir(parents=True)
        for name in names:
            (project / folder / f"test_{folder}_{name}.py").write_text(BROWSER[name], encoding="utf-8")
    (project / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (project / "pytest.ini").write_text("[pytest]\naddopts = -q\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # what they would bring takes longer than the tests
    monkeypatch.setattr(dev, "set_up", lambda: None)
    monkeypatch.setattr(dev, "VENV_BIN", Path(sys.executable).parent)
    monkeypatch.setattr(dev, "stages", lambda *options: [["pytest", str(project), *options]])
    assert dev.test([]) == status
    lines = capfd.readouterr().out.splitlines()
    name = "browser/test_browser_unsteady.py::test_unsteady"
    assert (f"!! UNSTEADY  {name}" in lines[-2:]) == told
    assert any("AssertionError: the first time" in line for line in lines) == ("unsteady" in browser + others)
    assert [line for line in lines if " in " in line and line[0].isdecimal()][-1].startswith(counts)
    assert any(line.startswith("FAILED") for line in lines[-20:]) == (status != 0)


@pytest.mark.parametrize(("options", "some"), [((), True), (("--quick",), False)])
def test_a_quick_run_has_no_slow_tests_and_no_browser(options: tuple[str, ...], some: bool) -> None:
    files = ["tests/kernel/test_prepared_graph.py", "tests/server/browser/test_phone.py"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-v", *files, *options]
    few = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_timeout"}  # others take long
    told = subprocess.run(command, cwd=ROOT, env=few, capture_output=True, text=True, check=True).stdout
    assert ("test_one_search_after_another" in told) == some
    assert ("test_phone.py" in told) == some
    assert ("LEFT OUT by --quick" in told) != some
    assert "test_prepared_graph.py" in told


def test_a_source_distribution_has_all_that_its_tests_read(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as packed:
        found = {name.partition("/")[2] for name in packed.getnames()}
    wanted = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "dev.py",
        "hatch_build.py",
        "pyproject.toml",
        ".ci/run",
        ".dockerignore",
    ]
    wanted += ["requirements.txt", "requirements-dev.txt"]
    wanted += ["package.json", "package-lock.json", "jsconfig.json"]
    for folder in ("src", "tests", "bench", "lab", "docs", "deploy"):
        files = (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix != ".pyc")
        wanted += [str(path.relative_to(ROOT)) for path in files]
    assert [name for name in wanted if name not in found] == []
