"""A second chance for tests in the browser, told so loudly that nobody overlooks it.

Such tests hang on how busy a machine is. Those that failed are run once more at the end of a whole run, each alone.
Whatever passes then does not fail the run, but is called unsteady, with the traceback of its first failure.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MOST = 3
"""If more failed than these, something is wrong, and there is no second chance."""


class SecondChance:
    """The part of pytest that gives it; `told` is a file for the names of those that needed it."""

    def __init__(self, config: pytest.Config, folder: str, told: Path) -> None:
        self.config = config
        self.folder = folder
        self.told = told
        self.unsteady: dict[str, list[pytest.TestReport]] = {}
        told.write_text("", encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Before the summary is made; when the workers have ended."""
        if session.exitstatus != pytest.ExitCode.TESTS_FAILED:
            return
        failed = self.failures()
        if len(failed) > MOST:
            return
        for name, reports in failed.items():
            if self.passes(name):
                self.pardon(name, reports)
        self.told.write_text("".join(f"{name}\n" for name in self.unsteady), encoding="utf-8")
        if not any(self.reporter.stats.get(how) for how in ("failed", "error")):
            session.exitstatus = pytest.ExitCode.OK

    @property
    def reporter(self) -> pytest.TerminalReporter:
        found = self.config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(found, pytest.TerminalReporter)
        return found

    def failures(self) -> dict[str, list[pytest.TestReport]]:
        """What went wrong with each test of the folder: in it, or when it began or ended."""
        found: dict[str, list[pytest.TestReport]] = {}
        for how in ("failed", "error"):
            for report in self.reporter.stats.get(how, []):
                if isinstance(report, pytest.TestReport) and report.nodeid.startswith(f"{self.folder}/"):
                    found.setdefault(report.nodeid, []).append(report)
        return found

    def passes(self, name: str) -> bool:
        """Whether a test passes alone, in a process of its own."""
        self.reporter.write_sep("!", f"once more, alone: {name}", yellow=True, bold=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(self.config.rootpath),
            name,
        ]
        ran = subprocess.run(command, cwd=self.config.rootpath, capture_output=True, text=True, check=False)
        self.reporter.write(ran.stdout + ran.stderr)
        return ran.returncode == pytest.ExitCode.OK

    def pardon(self, name: str, reports: list[pytest.TestReport]) -> None:
        """It failed no longer, but did not simply pass either: the line with the counts calls it unsteady."""
        self.unsteady[name] = reports
        stats = self.reporter.stats
        for how in ("failed", "error"):
            stats[how] = [report for report in stats.pop(how, []) if report not in reports]
        stats.setdefault("unsteady", []).append(reports[0])

    def pytest_terminal_summary(self) -> None:
        for name, reports in self.unsteady.items():
            self.reporter.section(f"UNSTEADY, passed alone: {name}", sep="!", yellow=True, bold=True)
            for report in reports:
                report.toterminal(self.reporter._tw)
