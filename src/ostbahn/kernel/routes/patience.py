"""How long a search for routes goes on."""

from __future__ import annotations

from ostbahn.kernel.native import native


@native(allow_interpreted_subclasses=True)
class Patience:
    """How long a search goes on. It is asked again and again, and the search is given up when the answer is no."""

    grace: int | None = None
    """How many steps of each search are free, where that is not for the search to say."""

    def __call__(self) -> bool:
        return True

    def covers(self, steps: int) -> bool:
        """Whether it lasts for what an earlier search took, which then counts as taken again."""
        return True

    def share(self, part: float) -> Patience:
        """Patience for the first part of what is to be searched; what is left of it stays with the rest."""
        return self


ENDLESS = Patience()


class Steps(Patience):
    """Patience for so many steps. It knows no clock, so that every machine finds the same run and replays agree."""

    def __init__(self, most: int, whole: Patience = ENDLESS, grace: int | None = None) -> None:
        self.left = most
        self.whole = whole
        """The patience that it is a part of."""
        self.grace = grace

    def __call__(self) -> bool:
        self.left -= 1
        return self.left >= 0 and self.whole()

    def covers(self, steps: int) -> bool:
        if self.left < steps or not self.whole.covers(steps):
            return False
        self.left -= steps
        return True

    def share(self, part: float) -> Steps:
        return Steps(int(self.left * part), self, self.grace)


class OutOfPatienceError(Exception):
    """The search was given up."""
