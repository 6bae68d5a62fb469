"""The agenda: what is still to be done, as data. The last task is the one being decided."""

from __future__ import annotations

from msgspec import Struct


class Task(Struct, frozen=True, tag_field="task", gc=False):
    """A small piece of work, such as "ABC, lay track"; plain data that can be saved, copied and sent."""
