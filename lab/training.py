"""Training: a net learns from positions what everybody will be worth in the end.

    python -m lab.training positions.npz [more.npz …] --into net.npz --log log.jsonl

Every tenth game is not learnt from, and shows what the net is good for: how far foreseen and final wealth of the
players at a table go together, by the Stock Rounds that were left. Beside wealth the net learns what each company will
pay, cost and run for, and how many rounds are left: what it needs to know anyway, told to it directly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from lab.features import UNKNOWN, Columns, joined
from ostbahn.bots.nets import FEATURE_ARRAYS, MIN_WEALTH, PAYOUT_SCALE, PRICE_SCALE, RUN_SCALE
from ostbahn.extras import require_extra
from ostbahn.storage import atomic_write

with require_extra("train", "training needs"):
    import numpy as np
    import torch
    from numpy.typing import NDArray
    from torch import Tensor, nn
    from torch.optim.swa_utils import AveragedModel

WIDTH: Final = 128
EMBEDDING: Final = 64
UNLEARNT: Final = 10
"""Every so many-th game is kept to judge by."""
BATCH: Final = 1024
DROPPED: Final = 0.2
"""What part of a layer is left out by lot in each step of learning, so that nothing hangs on a single number."""
CALM: Final = 0.995
"""The net that is kept is a mean of those of the last steps: of the mean before, so much stays with every step."""
SOON: Final = 10
"""About so many steps count when there were only few."""
BOUND: Final = 5.0
"""No input is farther from the mean than so many times its spread."""


class Judge(nn.Module):
    """The net as torch has it; `bots/nets.py` has the same in NumPy."""

    def __init__(self, game: int, company: int, player: int, scales: Mapping[str, Tensor], trust: float) -> None:
        super().__init__()
        for name, value in scales.items():
            self.register_buffer(name, value)
        self.company_1, self.company_game = nn.Linear(company, WIDTH), nn.Linear(game, WIDTH)
        self.company_2 = nn.Linear(WIDTH, EMBEDDING)
        self.aux = nn.Linear(EMBEDDING, 3)
        self.player_1, self.player_game = nn.Linear(player, WIDTH), nn.Linear(game, WIDTH)
        self.player_own = nn.Linear(2 * EMBEDDING, WIDTH)
        self.player_2 = nn.Linear(WIDTH, EMBEDDING)
        self.table, self.last = nn.Linear(EMBEDDING, EMBEDDING), nn.Linear(EMBEDDING, EMBEDDING)
        self.out = nn.Linear(EMBEDDING, 2)
        self.rounds = nn.Linear(EMBEDDING + game, 1)
        self.trust = nn.Parameter(torch.tensor([trust]))
        """How far it goes by what the rules of thumb foresee; the rest it adds."""
        self.drop = nn.Dropout(DROPPED)

    def forward(self, seen: Mapping[str, Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        game, company, player = (self._scaled(name, seen[name]) for name in ("game", "company", "player"))
        hidden = torch.relu(self.company_1(company) + self.company_game(game)[:, None, :])
        of_company = torch.relu(self.company_2(self.drop(hidden)))
        own = torch.cat([seen["held"] @ of_company, seen["directed"] @ of_company], dim=2)
        hidden = torch.relu(self.player_1(player) + self.player_game(game)[:, None, :] + self.player_own(own))
        of_player = torch.relu(self.player_2(self.drop(hidden)))
        seated = seen["seated"][:, :, None]
        table = (of_player * seated).sum(1) / seated.sum(1).clamp(min=1)
        out = self.out(torch.relu(self.last(of_player) + self.table(table)[:, None, :]))
        logs = out[:, :, 0] + self.trust * seen["foreseen"]
        return logs, out[:, :, 1], self.aux(of_company), self.rounds(torch.cat([table, game], 1))[:, 0]

    def _scaled(self, name: str, value: Tensor) -> Tensor:
        scaled = (value - getattr(self, f"{name}_mean")) * getattr(self, f"{name}_scale")
        return scaled.clamp(-BOUND, BOUND)

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """For the file: weights as NumPy multiplies with them."""
        found = {}
        for name, value in self.state_dict().items():
            array = value.detach().cpu().numpy().astype(np.float32)
            part, _, kind = name.rpartition(".")
            found[f"{part}_{kind}" if part else name] = array.T.copy() if kind == "weight" else array
        return found


def scales_of(data: Columns) -> dict[str, Tensor]:
    """Mean and spread of everything that is seen, of companies and seats that are there."""
    found = {}
    for name in ("game", "company", "player"):
        rows = data[name].reshape(-1, data[name].shape[-1]).astype(np.float32)
        rows = rows[np.abs(rows).sum(1) > 0]
        spread = rows.std(0)
        found[f"{name}_mean"] = torch.tensor(rows.mean(0))
        found[f"{name}_scale"] = torch.tensor(np.where(spread > 1e-4, 1 / np.maximum(spread, 1e-4), 0.0))
    return {name: value.float() for name, value in found.items()}


# Learning


class Lessons:
    """Positions on the machine that learns, and what is to be learnt of them."""

    def __init__(self, data: Columns, device: str) -> None:
        def put(value: NDArray[Any]) -> Tensor:
            return torch.tensor(value.astype(np.float32), device=device)

        self.seen = {name: put(data[name]) for name in (*FEATURE_ARRAYS, "seated")}
        wealth = data["wealth"]
        self.there = put(wealth != UNKNOWN) * self.seen["seated"]
        wealth = np.maximum(wealth, MIN_WEALTH)
        self.logs = put(np.log(wealth))
        shares = wealth * (data["wealth"] != UNKNOWN)
        self.shares = put(shares / shares.sum(1, keepdims=True))
        self.aux = put(
            np.stack([data["grown"] / PAYOUT_SCALE, data["price"] / PRICE_SCALE, data["next_run"] / RUN_SCALE], axis=2)
        )
        self.rounds = put(data["meta"][:, 1])
        self.known = (self.seen["company"].abs().sum(2) > 0).float()

    def __len__(self) -> int:
        return len(self.rounds)

    def loss(self, net: Judge, rows: Tensor) -> Tensor:
        seen = {name: value[rows] for name, value in self.seen.items()}
        logs, doubts, aux, rounds = net(seen)
        there = self.there[rows]
        doubts = doubts.clamp(-4, 2)
        off = (self.logs[rows] - logs) * torch.exp(-doubts)
        likely = ((0.5 * off**2 + doubts) * there).sum() / there.sum()
        shares = torch.softmax(logs.masked_fill(there == 0, -30.0), dim=1)
        shared = (((shares - self.shares[rows]) ** 2) * there).sum() / there.sum()
        known = self.known[rows][:, :, None]
        beside = (nn.functional.smooth_l1_loss(aux, self.aux[rows], reduction="none") * known).sum() / known.sum()
        left = nn.functional.smooth_l1_loss(rounds, self.rounds[rows])
        return likely + 40 * shared + 0.3 * beside + 0.02 * left


def trained(
    data: Columns, passes: int, seed: int, device: str, trust: float = 0.0
) -> tuple[Judge, list[dict[str, Any]]]:
    """A net that has gone through the positions so many times; the best of those that the log tells of."""
    torch.manual_seed(seed)
    unlearnt = data["meta"][:, 0] % UNLEARNT == 0
    learn = Lessons({name: value[~unlearnt] for name, value in data.items()}, device)
    check = Lessons({name: value[unlearnt] for name, value in data.items()}, device)
    game, company, player = (data[name].shape[-1] for name in ("game", "company", "player"))
    net = Judge(game, company, player, scales_of(data), trust).to(device)
    with torch.no_grad():  # it begins with what everybody usually has
        rest = (learn.logs - net.trust * learn.seen["foreseen"]) * learn.there
        net.out.bias.copy_(torch.tensor([float(rest.sum() / learn.there.sum()), -1.0]))
    calm = AveragedModel(net, avg_fn=_calmed)
    steps = passes * (len(learn) // BATCH + 1)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=2e-3, total_steps=steps)
    log: list[dict[str, Any]] = []
    best, best_loss = net.state_dict(), float("inf")
    for number in range(passes):
        net.train()
        for rows in torch.randperm(len(learn), device=device).split(BATCH):
            optimiser.zero_grad()
            loss = learn.loss(net, rows)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            calm.update_parameters(net)
        calm.eval()
        with torch.no_grad():
            unseen = float(check.loss(calm.module, torch.arange(len(check), device=device)))
        log.append({"pass": number + 1, "learnt": round(float(loss.detach()), 4), "unlearnt": round(unseen, 4)})
        if unseen < best_loss:
            best, best_loss = {name: value.clone() for name, value in calm.module.state_dict().items()}, unseen
    net.load_state_dict(best)
    return net, log


def _calmed(mean: Tensor, new: Tensor, steps: Tensor) -> Tensor:
    """The mean with one more step; the first ones, from which little was learnt, are soon forgotten."""
    return mean + (new - mean) * max(1 - CALM, SOON / (SOON + int(steps)))


# What it is good for


def foresight(net: Judge, data: Columns, device: str) -> dict[str, Any]:
    """Of games not learnt from: how foreseen and final shares of wealth at a table go together, by Stock Rounds left.

    Beside it the same for the rules of thumb, which the net begins with.
    """
    unlearnt = {name: value[data["meta"][:, 0] % UNLEARNT == 0] for name, value in data.items()}
    lessons = Lessons(unlearnt, device)
    net.eval()
    with torch.no_grad():
        logs = net(lessons.seen)[0].cpu().numpy()
    left = unlearnt["meta"][:, 2]
    found = {}
    for rounds in sorted(set(left.tolist())):
        rows = left == rounds
        found[str(rounds)] = {
            "positions": int(rows.sum()),
            "net": within_table(np.exp(logs[rows]), unlearnt["wealth"][rows]),
            "formula": within_table(np.exp(unlearnt["foreseen"][rows]), unlearnt["wealth"][rows]),
        }
    return found


def within_table(foreseen: NDArray[Any], final: NDArray[Any]) -> float:
    """The correlation of shares of a table's wealth, each less the mean of its table."""
    there = final != UNKNOWN
    means = 1 / there.sum(1, keepdims=True)

    def apart(value: NDArray[Any]) -> NDArray[Any]:
        shown = np.where(there, np.maximum(value, 1.0), 0.0)
        found: NDArray[Any] = (shown / shown.sum(1, keepdims=True) - means)[there]
        return found

    guess, truth = apart(foreseen), apart(final)
    if guess.std() == 0 or truth.std() == 0:
        return 0.0
    return round(float(np.corrcoef(guess, truth)[0, 1]), 3)


def loaded(paths: Sequence[Path]) -> Columns:
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as file:
            parts.append({name: file[name] for name in file.files})
    return joined(parts)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else None)
    parser.add_argument("positions", type=Path, nargs="+")
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trust", type=float, default=0.0, help="how far it goes by the rules of thumb at first")
    parser.add_argument("--log", type=Path)
    given = parser.parse_args(arguments)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = loaded(given.positions)
    net, log = trained(data, given.passes, given.seed, device, given.trust)
    told = {
        "positions": len(data["meta"]),
        "games": len(set(data["meta"][:, 0].tolist())),
        "passes": given.passes,
        "seed": given.seed,
        "trust": given.trust,
        "best": min(log, key=lambda line: line["unlearnt"]),
        "foresight": foresight(net, data, device),
    }
    layers: dict[str, Any] = dict(net.layers())
    with atomic_write(given.into) as file:
        np.savez_compressed(file, **layers)
    print(json.dumps(told, indent=1))
    if given.log:
        with given.log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
