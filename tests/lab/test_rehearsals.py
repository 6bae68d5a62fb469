"""Rehearsals: both answers played out with the same chance, resumed where they stopped, and what they show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab import rehearsals
from lab.rehearsals import Decision, Rehearsal
from lab.rehearsed import Cost, Pair, checks, costs, slope, told
from ostbahn.interop import files, saves

GOLDEN = Path(__file__).parents[1] / "golden"


def decision(number: int, x: float, doubt: float = 0.05) -> Decision:
    return Decision(
        decision=number,
        file="00000.json",
        number=700,
        title="18CZ",
        variant="base",
        players=3,
        seat="p1",
        by="",
        kind="use_income",
        category="income",
        settled=False,
        rounds_left=1,
        part=0.9,
        x=x,
        wealth=x,
        value=x,
        thumb=None,
        doubt=doubt,
        played={"do": "withhold"},
        best={"do": "pay_out"},
        plan="",
        foreseen_played={},
        foreseen_best={},
    )


def test_a_loss_is_what_one_has_less_the_others_being_equal() -> None:
    longer = Rehearsal(decision=0, time=0, played={"p1": 2000, "p2": 2000}, best={"p1": 1000, "p2": 1000})
    poorer = Rehearsal(decision=0, time=1, played={"p1": 750, "p2": 1250}, best={"p1": 1000, "p2": 1000})
    (found,) = costs([decision(0, 0.1)], [longer])
    assert (found.loss, found.wealth) == (0, -1)
    (found,) = costs([decision(0, 0.1)], [poorer])
    assert found.loss == pytest.approx(0.25)


def test_the_factor_is_the_slope_through_the_origin() -> None:
    assert slope([Pair(0.02, 0.01, 1), Pair(0.04, 0.02, 1)]) == pytest.approx(0.5)
    assert slope([Pair(0.02, 0.01, 1), Pair(0.02, 0.03, 3)]) == pytest.approx(0.025 / 0.02)


@pytest.mark.parametrize(("real", "good"), [(0.5, True), (0.6, True), (0.7, False), (0.3, False)])
def test_estimates_are_good_if_what_is_marked_costs_about_that(real: float, good: bool) -> None:
    """Fitted with a factor of a half; then others cost so many times what the net says."""
    fit = [Cost(decision(0, x), x * 0.5, 0, 0.001, 4) for x in (0.02, 0.04, 0.08)]
    others = [Cost(decision(0, x), x * real, 0, 0.001, 4) for x in (0.001, 0.03, 0.05, 0.1)]
    unsure = [Cost(decision(0, 0.2, doubt=0.3), -1.0, 0, 0.001, 4)]
    (check,) = checks([*fit, *unsure], [*others, *unsure], doubt=0.1, least=0.01)
    assert (check.name, check.fitted, check.marked) == ("use_income", 3, 3)
    assert check.factor == pytest.approx(0.5)
    assert check.good is good


def test_decisions_are_rehearsed_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a short game; all is done in this process, as others would take longer to start than to work."""
    game = files.open_game(GOLDEN / "18CZ-moravia-3.json")
    file = tmp_path / "games" / "00000.json"
    file.parent.mkdir()
    saves.write(file, game)
    monkeypatch.setattr(rehearsals, "LOOKS", 1)
    monkeypatch.setattr(rehearsals, "BLOCK", 1)
    monkeypatch.setattr(rehearsals, "backend_at", lambda *_: Alone())
    out = tmp_path / "out.jsonl"
    command = [str(file), "--out", str(out), "--decisions", "1", "--doubt", "0.2", "--bot", "G"]
    rehearsals.main([*command, "--times", "1", "--kinds", "use_income"])
    settings, drawn, first = (json.loads(line) for line in out.read_text().splitlines())
    assert settings["decisions"] == 1
    assert drawn["kind"] == "use_income"
    assert drawn["doubt"] <= 0.2
    assert set(first["played"]) == set(first["best"]) == {"p1", "p2", "p3"}
    before = out.read_text()
    rehearsals.main([*command, "--times", "2", "--kinds", "use_income"])
    assert out.read_text().startswith(before)
    assert len(out.read_text().splitlines()) == 4
    rehearsals.main(["--report", str(out)])
    assert "1 decisions, 2 rehearsals" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        rehearsals.main([*command, "--seed", "2"])


class Alone:
    """Carries jobs out where it is."""

    def executor(self, do: object) -> Crew:
        return Crew(do)


class Crew:
    def __init__(self, do: object) -> None:
        self.do, self.number = do, -1

    def free_slots(self) -> int:
        return 1 if self.number < 0 else 0

    def submit(self, number: int) -> None:
        self.number = number

    def wait(self) -> list[object]:
        from ostbahn.bots.jobs import JobResult

        number, self.number = self.number, -1
        return [JobResult(number, self.do(number))]  # type: ignore[operator]

    def close(self) -> None: ...


def test_what_was_measured_is_told_by_kind_and_size() -> None:
    times = [Rehearsal(decision=0, time=0, played={"p1": 90, "p2": 110}, best={"p1": 100, "p2": 100})]
    lines = list(told([decision(0, 0.05)], times))
    assert lines[0] == "1 decisions, 1 rehearsals"
    assert any("x from 4%: 1, estimated 5.00%, realised 10.00%" in line for line in lines)
