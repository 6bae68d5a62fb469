"""The compiled engine: a wheel with the same sources, some of them compiled by mypyc as well.

`HATCH_BUILD_HOOK_ENABLE_CUSTOM=true python -m hatchling build -t wheel` makes one for this Python and this kind of
machine; it needs a C compiler. Without that variable nothing here is called, and the wheel is pure. Which modules are
compiled is said in pyproject.toml; Python takes a compiled module before the source that lies beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

PACKAGE = "ostbahn"


def chosen(source: Path, compiled: Iterable[str], interpreted: Sequence[str]) -> list[str]:
    """The modules below a folder that are to be compiled, as paths from there."""
    found = {path.relative_to(source).as_posix() for pattern in compiled for path in source.glob(pattern)}
    return sorted(path for path in found if not any(fnmatch(path, pattern) for pattern in interpreted))


def compile_modules(target: str, level: str, modules: Sequence[str]) -> None:
    """Translate modules to C and compile that; this is a process of its own, in the folder of the sources."""
    from mypyc.build import mypycify
    from setuptools import setup
    from setuptools.command.build_ext import build_ext

    class OnAllCores(build_ext):  # type: ignore[misc]  # setuptools tells no types
        """One library of many files: setuptools would compile them one after another."""

        def build_extension(self, ext: Any) -> None:
            def compiled(source: str) -> list[str]:
                where = {"output_dir": self.build_temp, "include_dirs": ext.include_dirs}
                return list(self.compiler.compile([source], **where, extra_postargs=ext.extra_compile_args))

            with ThreadPoolExecutor(os.cpu_count()) as pool:
                ext.extra_objects = [each for objects in pool.map(compiled, ext.sources) for each in objects]
            ext.sources = []
            super().build_extension(ext)

    options = ["--config-file=", "--python-version=3.11", f"--cache-dir={Path(target, 'cache')}"]
    options += ["--always-true=COMPILING"]  # kernel/native.py
    extensions = mypycify(
        [*options, *modules],
        opt_level=level,
        debug_level="0",
        multi_file=True,
        target_dir=str(Path(target, "c")),
        group_name=PACKAGE,
    )
    if os.name == "posix":
        for extension in extensions:
            extension.extra_compile_args.append("-fvisibility=hidden")  # parts of one library call each other directly
    where = ["--build-lib", str(Path(target, "lib")), "--build-temp", str(Path(target, "objects"))]
    arguments = ["--quiet", "build_ext", *where]
    setup(
        name=PACKAGE,
        packages=[],
        ext_modules=extensions,
        cmdclass={"build_ext": OnAllCores},
        script_args=arguments,
    )


if __name__ == "__main__":
    compile_modules(sys.argv[1], sys.argv[2], sys.argv[3:])
else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class CompiledEngine(BuildHookInterface[Any]):
        """Puts compiled modules beside the sources in the wheel."""

        PLUGIN_NAME = "custom"

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if version == "editable":  # there, what was compiled would soon be older than its source
                return
            source = Path(self.root, "src")
            self.made = tempfile.TemporaryDirectory(prefix="ostbahn-compiled-")
            modules = chosen(source, self.config["compiled"], self.config["interpreted"])
            here, target = Path(__file__).resolve(), Path(self.made.name).resolve()
            subprocess.run([sys.executable, str(here), str(target), "3", *modules], cwd=source, check=True)
            for path in (target / "lib").rglob("*.*"):
                if path.is_file():
                    build_data["force_include"][str(path)] = path.relative_to(target / "lib").as_posix()
            build_data["pure_python"], build_data["infer_tag"] = False, True

        def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
            if version != "editable":
                self.made.cleanup()
