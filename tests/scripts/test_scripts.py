"""The scripts of the pages without a browser: what they compute, by node's own runner, and what they are given."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts import types_of_views
from tests.static_files import SCRIPTS

HERE = Path(__file__).parent
EXPORT = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


def test_what_they_compute(tmp_path: Path) -> None:
    """All scripts lie in one folder, as they do for a browser."""
    node = shutil.which("node")
    if node is None:
        assert os.environ.get("CI", "").lower() not in ("1", "true"), "node is missing, so no script was tested in it"
        pytest.skip("node is missing (on Debian: apt-get install nodejs), so no script was tested in it")
    for script in (*SCRIPTS.values(), *HERE.glob("*.js")):
        shutil.copy(script, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
    done = subprocess.run([node, "--test"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"^. pass (\d+)$", done.stdout, re.MULTILINE)[-1]) > 30


def test_the_types_of_what_they_are_given_are_those_of_the_structs() -> None:
    committed = types_of_views.FILE.read_text(encoding="utf-8")
    assert committed == types_of_views.written(), "structs have changed: run `python3 dev.py types`"


def test_all_that_is_exported_is_imported_somewhere() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in (*SCRIPTS.values(), *HERE.glob("*.test.js"))}
    exported = {(name, what) for name, text in texts.items() for what in EXPORT.findall(text)}
    imported = {
        (module, what)
        for text in texts.values()
        for names, module in re.findall(r"import \{([^}]*)\} from \"\./([\w.]+)\"", text)
        for what in names.replace(" ", "").split(",")
    }
    assert exported - imported == set()
    assert len(exported) > 40
