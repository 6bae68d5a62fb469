#!/usr/bin/env python3
"""Sets this working copy up in .dev/ when that is needed, then runs one of its commands.

Only the standard library is used here, since this file runs before anything is installed. All that it
installs or keeps lies in .dev/, so the machine stays as it was, no home folder is needed, and removing .dev/
undoes everything.
"""

import ast
import contextlib
import fcntl
import hashlib
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NoReturn

if sys.version_info < (3, 11):  # noqa: UP036 - an older Python must get this far, and no further
    sys.stderr.write(f"dev.py: Python 3.11 or newer is needed, and this is {sys.version.split()[0]}\n")
    sys.exit(2)

ROOT = Path(__file__).resolve().parent
DEV = ROOT / ".dev"
STAMP = DEV / "stamp"
UNSTEADY = DEV / "unsteady"
LOCK, LOCK_DEV = ROOT / "requirements.txt", ROOT / "requirements-dev.txt"
PROJECT, PACKAGE, LOCK_NPM = ROOT / "pyproject.toml", ROOT / "package.json", ROOT / "package-lock.json"
VENV_BIN, UV_BIN, NPM = DEV / "venv" / "bin", DEV / "uv" / "bin", DEV / "npm"
QUICK = "--quick"
PLAYING = ("web",)  # extras of pyproject.toml
DEV_GROUP = "dev"
EVERYTHING = (*PLAYING, "all", DEV_GROUP)
UNLOCKED = ("cluster", "train")  # too large for the lock
UNFINISHED = "unfinished"
MEMORY, PLENTY = Path("/dev/shm"), 6 * 2**30
QUOTA, MOST_WORKERS = Path("/sys/fs/cgroup/cpu.max"), 16  # each needs 2 GB with its browser, and has to load all tests
BASE_PYTHON = str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())

# pip's name of a setting, uv's names of it (the first is set if none is), and what parts uv's lists.
PIP_TO_UV = (
    ("index-url", ("UV_DEFAULT_INDEX", "UV_INDEX_URL"), ""),
    ("extra-index-url", ("UV_INDEX", "UV_EXTRA_INDEX_URL"), " "),
    ("find-links", ("UV_FIND_LINKS",), ","),
    ("trusted-host", ("UV_INSECURE_HOST",), " "),
    ("cert", ("SSL_CERT_FILE",), ""),
    ("proxy", ("ALL_PROXY", "HTTPS_PROXY", "https_proxy", "all_proxy"), ""),
)


class DevError(Exception):
    """Ends the run; carries the one line that tells why, and the exit status."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text)
        self.status = status


class LeftOut(Exception):
    """A check cannot be done on this machine; carries why, and what would help."""


def call(*command: str | Path, env: dict[str, str] | None = None) -> int:
    """Run a command in the project's folder; at Ctrl-C let it tidy up, and only then stop as well."""
    child = subprocess.Popen(command, cwd=ROOT, env=env, close_fds=False)  # so that it holds the lock of `alone`, too
    try:
        status = child.wait()
    except KeyboardInterrupt:  # the terminal has told the child too
        child.wait()
        raise
    return status if status >= 0 else 128 - status


def must(*command: str | Path, env: dict[str, str] | None = None) -> None:
    status = call(*command, env=env)
    if status:
        raise DevError(f"this failed with status {status}: {' '.join(map(str, command))}", status)


def become(*command: str | Path) -> NoReturn:
    """Give this process to the command: its signals and its exit status then need no passing on."""
    os.execve(command[0], [str(part) for part in command], tool_env())


def tool_env() -> dict[str, str]:
    """The environment of an activated .dev/venv, so that a test that starts `ostbahn` finds this copy."""
    path = f"{VENV_BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, "VIRTUAL_ENV": str(VENV_BIN.parent), "PATH": path}


def has_pip() -> bool:
    return importlib.util.find_spec("pip") is not None


def pip_command() -> tuple[str, ...]:
    """This Python's own pip where it has one, working on .dev/uv: another one there takes 2 s and 26 MB more."""
    python = str(UV_BIN / "python")
    return (sys.executable if has_pip() else python, "-m", "pip", "--python", python)


def pip_settings() -> dict[str, str]:
    """What pip would use on this machine: `install` beats `global`, and variables beat both."""
    command = [*pip_command(), "config", "list"]
    listing = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    settings: dict[str, str] = {}
    for section in ("global", "install", ":env:"):
        settings.update(re.findall(rf"^{section}\.([\w-]+)=(.+)$", listing, re.MULTILINE))
    return {name: str(ast.literal_eval(value)) for name, value in settings.items()}


def pip_env() -> dict[str, str]:
    """Let pip, which only fetches uv, keep no copy of it, unless the user has a cache for that."""
    return {**os.environ} if "PIP_CACHE_DIR" in os.environ else {**os.environ, "PIP_NO_CACHE_DIR": "1"}


def uv_env(*leave_out: str) -> dict[str, str]:
    """Let uv fetch from where pip does, unless the user has told uv something else."""
    env = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    settings = pip_settings()
    for name, variables, separator in PIP_TO_UV:
        value = settings.get(name)
        if value and name not in leave_out and env.keys().isdisjoint(variables):
            env[variables[0]] = separator.join(value.split()) if separator else value
    env.setdefault("UV_CACHE_DIR", str(DEV / "cache" / "uv"))
    env.setdefault("UV_INDEX_STRATEGY", "unsafe-best-match")  # pip's way; the hashes make it a safe one
    env.setdefault("UV_PYTHON_DOWNLOADS", "never")
    return env


def get_uv() -> Path:
    """Put uv into .dev/uv: the one in the lock, by its hashes, or any where there is no lock yet."""
    text = LOCK_DEV.read_text(encoding="utf-8") if LOCK_DEV.exists() else ""
    entry = re.search(r"^uv==.*(?:\n +--hash=.*)+", text, re.MULTILINE)
    wanted, listed = f"# for {BASE_PYTHON}\n{entry[0] if entry else 'uv'}\n", DEV / "uv.txt"
    if (UV_BIN / "uv").exists() and listed.read_text(encoding="utf-8") == wanted:
        return UV_BIN / "uv"
    if not has_pip() and importlib.util.find_spec("ensurepip") is None:
        raise DevError("this Python has neither pip nor ensurepip: install its venv package (python3-venv)")
    import venv  # here, since a Python that lacks the one may lack the other

    venv.create(DEV / "uv", clear=True, symlinks=True, with_pip=not has_pip())
    listed.write_text(wanted, encoding="utf-8")
    install = (*pip_command(), "--disable-pip-version-check", "install", "-qq")
    must(*install, *(["--require-hashes"] if entry else []), "-r", listed, env=pip_env())
    return UV_BIN / "uv"


def npm_env() -> dict[str, str]:
    """Let npm keep what it fetches in .dev, unless the user has told it where, and node nothing at all."""
    told = any(name.lower() == "npm_config_cache" for name in os.environ)
    cache = {} if told else {"npm_config_cache": str(DEV / "cache" / "npm")}
    return {**os.environ, **cache, "npm_config_update_notifier": "false", "NODE_DISABLE_COMPILE_CACHE": "1"}


def get_tsc() -> tuple[str, str]:
    """Put TypeScript into .dev/npm, by the hashes of its lock, and say how its checker is started."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise LeftOut("it needs node and npm (on Debian: apt-get install nodejs npm)")
    tsc, stamp = (node, str(NPM / "node_modules" / "typescript" / "bin" / "tsc")), NPM / "stamp"
    wanted = f"{sysconfig.get_platform()}\n{PACKAGE.read_text('utf-8')}{LOCK_NPM.read_text('utf-8')}"
    with alone():
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return tsc
        shutil.rmtree(NPM, ignore_errors=True)
        NPM.mkdir()
        for file in (PACKAGE, LOCK_NPM):
            shutil.copy(file, NPM)
        quiet = ("--loglevel=error", "--ignore-scripts", "--no-audit", "--no-fund")
        soon = ("--fetch-retry-mintimeout=2000", "--fetch-retry-maxtimeout=10000", "--fetch-timeout=60000")
        if call(npm, "ci", "--prefix", NPM, *quiet, *soon, env=npm_env()):
            raise LeftOut("npm could not install it")
        if call(*tsc, "--version", env=npm_env()):
            raise LeftOut("it does not start on this machine")
        stamp.write_text(wanted, encoding="utf-8")
    return tsc


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Keep two starts in one working copy from setting it up over each other."""
    DEV.mkdir(exist_ok=True)
    with (DEV / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.set_inheritable(file.fileno(), True)  # uv goes on for a while if this process is killed
        yield


def state() -> str:
    """What the set-up depends on: also the folder and the Python, since a venv outlives a move of neither."""
    digest = hashlib.sha256(f"{ROOT}\n{BASE_PYTHON}\n{sys.version}\n".encode())
    for file in (LOCK_DEV, PROJECT):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def read_stamp() -> tuple[str, set[str]]:
    """The state that .dev/venv was made for, and the parts in it."""
    try:
        made_for, *parts = STAMP.read_text(encoding="utf-8").split() or [""]
    except FileNotFoundError:
        return "", set()
    return made_for, set(parts)


def is_set_up(wanted: Collection[str]) -> bool:
    made_for, parts = read_stamp()
    return parts.issuperset(wanted) and made_for == state()


def extras() -> list[str]:
    return list(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"])


def set_up(wanted: Collection[str] = EVERYTHING) -> None:
    """Make .dev/venv, or add to it, so that it has the wanted extras, or the group `dev`; what it has stays.

    The stamp is written last, so that a set-up that broke is done again. While parts are added, it names those that
    were there before: they can be used all the time.
    """
    if is_set_up(wanted):
        return
    with alone():
        if is_set_up(wanted):  # by another start, while this one waited
            return
        current, (made_for, before) = state(), read_stamp()
        parts = sorted({*wanted, *before.intersection([*extras(), DEV_GROUP])})
        print(f"setting up .dev: {', '.join(parts)} (again when the lock or pyproject.toml changes)", flush=True)
        adding = made_for == current and UNFINISHED not in before
        if adding:
            STAMP.write_text(" ".join([current, *before, UNFINISHED]), encoding="utf-8")
        else:
            STAMP.unlink(missing_ok=True)
        install_parts(parts, clear=not adding)
        STAMP.write_text(" ".join([current, *parts]), encoding="utf-8")


def install_parts(parts: list[str], clear: bool) -> None:
    """Let uv choose what the parts need, in the versions of the lock and by its hashes."""
    uv, env = get_uv(), uv_env()
    install = (uv, "pip", "install", "--quiet", "--python", VENV_BIN / "python")
    options = [f"--extra={part}" for part in parts if part != DEV_GROUP]
    # tests start hundreds of programs; whoever plays waits less if only what is used is compiled, when it is
    options += [f"--group={DEV_GROUP}", "--compile-bytecode"] if DEV_GROUP in parts else ["--group=build"]
    if not set(parts).intersection(UNLOCKED):
        options.append("--require-hashes")  # without it, still those of everything in the lock are checked
    if clear:
        must(uv, "venv", "--quiet", "--clear", "--python", BASE_PYTHON, DEV / "venv", env=env)
    must(*install, *options, "-r", PROJECT, "-c", LOCK_DEV, env=env)
    if clear:
        must(*install, "--no-deps", "--no-build-isolation", "--editable", ROOT, env=env)


def workers() -> int:
    """As many as there are cores for this process, and two where there is one: tests in the browser often wait."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):  # a container may have less than it sees
        quota, period = QUOTA.read_text(encoding="utf-8").split()
        cores = min(cores, -(-int(quota) // int(period)))
    return max(2, min(cores, MOST_WORKERS))


def stages(*options: str) -> list[list[str]]:
    """The checks of `test`; a folder without Python files is left out, since the tools refuse those."""
    typed = [name for name in ("src", "tests", "bench", "lab", "docs/examples") if any((ROOT / name).rglob("*.py"))]
    typed += ["dev.py", "hatch_build.py"]
    shared = ["pytest", "-n", str(workers()), "--dist", "worksteal", *options]
    tests = [shared] if any((ROOT / "tests").rglob("test_*.py")) else []
    ruff = [["ruff", "check", "."], ["ruff", "format", "--check", "."]]
    return [*ruff, ["mypy", "-n", str(workers()), *typed], ["lint-imports"], ["tsc", "-p", "jsconfig.json"], *tests]


def run_stage(tool: str, *options: str) -> int:
    if tool == "tsc":
        return call(*get_tsc(), *options, env=npm_env())
    if tool == "pytest":
        with scratch() as folder:
            env = {**tool_env(), "TMPDIR": folder}
            env.pop("PYTHONDONTWRITEBYTECODE", None)  # tests start hundreds of programs, which would compile everything
            return call(VENV_BIN / tool, *options, env=env)
    return call(VENV_BIN / tool, *options, env=tool_env())


@contextlib.contextmanager
def scratch() -> Iterator[str]:
    """Where tests keep hundreds of databases for a moment: in memory if there is plenty, as disks are slow."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > PLENTY
    usable = roomy and not os.statvfs(MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0)  # they start programs there, too
    where = None if "TMPDIR" in os.environ or not usable else MEMORY
    with tempfile.TemporaryDirectory(prefix="ostbahn-", dir=where, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # PostgreSQL does not run as root, and has to get in where tests do
        yield folder


def play(args: list[str]) -> int:
    """Play in the browser (`ostbahn serve`, with the games in .dev/data); `ostbahn play` is for the terminal."""
    return ostbahn(["serve", "--data", str(DEV / "data"), *args])


def test(args: list[str]) -> int:
    """Run every check and test; with arguments run pytest alone, in the project's folder.
    --quick leaves out tests of browsers, servers and programs, and those marked `slow`, also with arguments.
    In a run of everything, failed browser tests are run again alone (tests/second_chance.py).
    """
    set_up()
    quick = [QUICK] if QUICK in args else []
    if args != quick:
        os.chdir(ROOT)
        become(VENV_BIN / "pytest", *args)
    summary, left_out, failed = (
        [],
        [f"{QUICK}: no browsers, servers, programs; no slow tests"] if quick else [],
        0,
    )
    UNSTEADY.unlink(missing_ok=True)
    for tool, *options in stages(*(quick or [f"--second-chance={UNSTEADY}"])):
        name = f"{tool} {options[0]}" if tool == "ruff" else tool
        print(f"== {name}", flush=True)
        start = time.monotonic()
        try:
            status = run_stage(tool, *options)
            word = "FAILED" if status else "ok"
        except LeftOut as why:
            left_out.append(f"{name} was NOT run: {why}")
            status, word = int(os.environ.get("CI", "").lower() in ("1", "true")), "LEFT OUT"
            print(f"!! {left_out[-1]}", flush=True)
        summary.append(f"{word:9}{name:14}{time.monotonic() - start:7.1f} s")
        failed = failed or status
    unsteady = UNSTEADY.read_text(encoding="utf-8").splitlines() if UNSTEADY.exists() else []
    told = [f"!! UNSTEADY  {name}" for name in unsteady] + [f"!! LEFT OUT  {what}" for what in left_out]
    print("==", *summary, *told, sep="\n")
    return failed


def soak(args: list[str]) -> int:
    """Run the long tests that `test` leaves out."""
    return test(["-m", "soak", "--timeout", "7200", *args])


def bench(args: list[str]) -> int:
    """Measure the speed (bench/run.py); --json FILE keeps the figures.
    --against FOLDER measures another checkout and this one in turn, --compiled the compiled engine and the pure one
    (bench/compare.py).
    """
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)  # the benchmarks are no part of the package
    compares = not {"--against", "--compiled"}.isdisjoint(args)
    become(VENV_BIN / "python", "-m", "bench.compare" if compares else "bench.run", *args)


def load(args: list[str]) -> int:
    """Let many tables play at once on a server (bench/load.py); --help says what can be chosen."""
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)
    become(VENV_BIN / "python", "-m", "bench.load", *args)


def lab(args: list[str]) -> int:
    """Run a research tool of lab/: `lab tune 18CZ --log FILE`; training also needs `install train`."""
    if not args:
        tools = sorted(path.stem for path in (ROOT / "lab").glob("*.py"))
        raise DevError(f"run which tool? There are {', '.join(tools)}")
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)  # like the benchmarks, these are no part of the package
    become(VENV_BIN / "python", "-m", f"lab.{args[0]}", *args[1:])


def golden(args: list[str]) -> int:
    """Bring the golden games up to date after a change of rules (tests/golden); --anew plays all of them again."""
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)
    become(VENV_BIN / "python", "-m", "tests.golden.make", *args)


def types(_: list[str]) -> int:
    """Write the types of what scripts are given, after a change of the structs (tests/scripts/types_of_views.py)."""
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)
    become(VENV_BIN / "python", "-m", "tests.scripts.types_of_views")


def shots(args: list[str]) -> int:
    """Take pictures of every kind of question in the web table (tests/server/browser/shots.py); --help says which."""
    set_up()
    os.environ["PYTHONPATH"] = str(ROOT)
    become(VENV_BIN / "python", "-m", "tests.server.browser.shots", *args)


def ostbahn(args: list[str]) -> int:
    """Run the command line of this working copy."""
    set_up(PLAYING)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or it would compile everything at every start
    become(VENV_BIN / "ostbahn", *args)


def install(args: list[str]) -> int:
    """Add extras of pyproject.toml, such as `pictures` (PNG and PDF), `analysis` (reports), `service` or `all`."""
    if not args or not set(args).issubset(extras()):
        raise DevError(f"install which extras? There are {', '.join(extras())}")
    set_up({*PLAYING, *args})
    return 0


def lock(args: list[str]) -> int:
    """Make the lock files again from pyproject.toml and package.json; --upgrade takes newer versions of the former."""
    with alone():
        uv = get_uv()
        env = uv_env("extra-index-url", "find-links")  # a lock must not hang on what one machine keeps
        options = ["--generate-hashes", "--no-emit-index-url", "--universal", "--python-version=3.11", *args]
        options += ["--quiet", "--custom-compile-command=python3 dev.py lock", "--extra=all", "pyproject.toml"]
        must(uv, "pip", "compile", *options, "-o", LOCK.name, env=env)
        must(uv, "pip", "compile", *options, "-o", LOCK_DEV.name, "--group=dev", "-c", LOCK.name, env=env)
        must("npm", "install", "--package-lock-only", "--omit-lockfile-registry-resolved", "--no-fund", env=npm_env())
    if any("://" in file.read_text(encoding="utf-8") for file in (LOCK, LOCK_DEV, LOCK_NPM)):
        raise DevError("a lock file names an address, but has to hold for every index", 1)
    return 0


def format_(args: list[str]) -> int:
    """Mend what ruff can mend, and lay out the source."""
    set_up()
    mended = call(VENV_BIN / "ruff", "check", "--fix", *(args or ["."]))
    return call(VENV_BIN / "ruff", "format", *(args or ["."])) or mended


def main(args: list[str]) -> int:
    known = (play, test, soak, bench, load, lab, golden, types, shots, ostbahn, install, lock, format_)
    commands = {run.__name__.strip("_"): run for run in known}
    if not args or args[0] not in commands:
        asked = bool(args) and args[0] in ("-h", "--help", "help")
        indent = " " * 11
        told = {name: textwrap.indent(inspect.cleandoc(run.__doc__ or ""), indent) for name, run in commands.items()}
        lines = [f"  {name:9}{text.strip()}" for name, text in told.items()]
        usage = ["usage: dev.py COMMAND [ARGUMENTS]", "", (__doc__ or "").splitlines()[0], "", *lines]
        print("\n".join(usage), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    try:
        return commands[args[0]](args[1:])
    except (DevError, OSError, subprocess.SubprocessError) as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return error.status if isinstance(error, DevError) else 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
