"""The lines of what everybody was worth: read back, they say the figures they were drawn from."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from ostbahn.pictures.line_charts import Moment, wealth_picture
from ostbahn.pictures.themes import THEMES, Theme
from tests.pictures.panel_reading import SVG, Picture

NAMES = {"p1": "<Anna> & Co", "p2": "Boris", "p3": "Clara", "p4": "David", "p5": "Emma", "p6": "Franz"}
Course = list[tuple[int, ...]]
COURSES: dict[str, Course] = {
    "the beginning": [(300,) * 6],
    "all poor": [(0,) * 6],
    "all in debt": [(300,) * 6, (-50,) * 6],
    "one rich": [(300,) * 6, (4000, 0, 10, -200, 5, 3)],
    "one poor": [(300,) * 6, (1995, 2000, 1999, 1998, 3, 1997)],
    "long": [tuple(100 * at + 7 * seat for seat in range(6)) for at in range(40)],
}
of_each_course = pytest.mark.parametrize("course", COURSES.values(), ids=list(COURSES))


def drawn(course: Course, theme: Theme = THEMES["light"]) -> Picture:
    moments = [Moment(f"OR {at}", dict(zip(NAMES, worths, strict=True))) for at, worths in enumerate(course)]
    return Picture(wealth_picture(NAMES, moments, "K", theme))


def figures(picture: Picture) -> dict[int, float]:
    """The figures at the left, and how high each stands."""
    return {
        int(found[1]): text.bottom for text in picture.texts if (found := re.fullmatch(r"(-?\d+)( K)?", text.words))
    }


def lines(picture: Picture) -> dict[str, list[tuple[float, float]]]:
    """By name the points of everybody's line."""
    found = {}
    for group in picture.root.iter(f"{SVG}g"):
        title, path = group.find(f"{SVG}title"), group.find(f"{SVG}path")
        if title is not None and path is not None:
            points = [tuple(map(float, point.split())) for point in path.attrib["d"][1:].split("L")]
            found[(title.text or "").rpartition(":")[0]] = [(x, y) for x, y in points]
    return found


@of_each_course
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_name_is_inside_the_picture_and_over_no_other(course: Course, theme: Theme) -> None:
    picture = drawn(course, theme)
    picture.check()
    ends = {f"{name} {worth}" for name, worth in zip(NAMES.values(), course[-1], strict=True)}
    assert ends <= {text.words for text in picture.texts}


@of_each_course
def test_lines_lie_where_the_figures_at_the_left_say(course: Course) -> None:
    picture = drawn(course)
    scale = figures(picture)
    (low, foot), (high, top) = min(scale.items()), max(scale.items())
    assert low <= min(0, *map(min, course)) <= max(map(max, course)) <= high
    found = lines(picture)
    assert list(found) == list(NAMES.values())
    grid = [path.attrib["d"] for path in picture.root.iter(f"{SVG}path") if "H" in path.attrib["d"]]
    bottom = max(float(d.split()[1].partition("H")[0]) for d in grid)
    for seat, points in enumerate(found.values()):
        worths = [bottom - (worth[seat] - low) * (foot - top) / (high - low) for worth in course]
        assert [y for _, y in points] == pytest.approx(worths, abs=0.2)
        assert all(one[0] < other[0] for one, other in pairwise(points))


@of_each_course
def test_the_scale_has_a_few_round_figures_at_equal_distances(course: Course) -> None:
    worths = sorted(figures(drawn(course)))
    (step,) = {after - before for before, after in pairwise(worths)}
    assert 0 in worths
    assert re.fullmatch(r"[125]0*", str(step))
    assert 2 <= len(worths) <= 8


def test_names_stand_in_the_order_of_what_they_are_worth() -> None:
    texts = sorted(drawn(COURSES["one rich"]).texts, key=lambda text: text.top)
    found = [text.words for text in texts if text.words.startswith(tuple(NAMES.values()))]
    assert found == ["<Anna> & Co 4000", "Clara 10", "Emma 5", "Franz 3", "Boris 0", "David -200"]


def test_a_long_game_names_only_some_of_its_rounds() -> None:
    rounds = [text.words for text in drawn(COURSES["long"]).texts if text.words.startswith("OR ")]
    assert rounds == [f"OR {at}" for at in range(0, 40, 3)]


def test_whoever_cannot_see_the_lines_is_told_how_they_end() -> None:
    description = drawn(COURSES["one rich"]).root.find(f"{SVG}desc")
    assert description is not None
    assert (
        description.text == "At the end: <Anna> & Co 4000 K, Boris 0 K, Clara 10 K, David -200 K, Emma 5 K, Franz 3 K"
    )
