"""Charts of figures: read back, they say the figures they were drawn from, and no label lies over another."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostbahn.pictures.axes import (
    NAME_STEP,
    THEME_COLOURS,
    WIDTH,
    LinearScale,
    nice_ticks,
    spread_labels,
    with_light_colours,
)
from ostbahn.pictures.bar_charts import (
    IN,
    OUT,
    ChartPanel,
    bar_panels,
    flow_bars,
    grouped_bars,
    line_panels,
    stacked_bars,
)
from ostbahn.pictures.line_charts import (
    Band,
    IntervalRow,
    RoundEvent,
    Series,
    area_chart,
    dot_matrix,
    interval_chart,
    line_chart,
    timeline,
)
from ostbahn.pictures.themes import contrast
from tests.pictures.panel_reading import SVG, Picture

NAMES = ["<Anna> & Co", "Boris", "漢字" * 30, "Wilhelmina Mmmmmmmmmmmmmmmmmmmmm", "Emma", "F"]
FINITE = st.floats(-1e7, 1e7)
Node = ElementTree.Element


def rounds(count: int) -> list[str]:
    return [f"OR {at // 3 + 1}.{at % 3 + 1}" for at in range(count)]


def series(values: list[list[float]], **more: list[float]) -> list[Series]:
    return [
        Series(name, row, hue, figure=f"{row[-1]:.0f}", **more)
        for hue, (name, row) in enumerate(zip(NAMES, values, strict=False))
    ]


def all_of(picture: Picture, tag: str, **wanted: str) -> list[Node]:
    found = picture.root.iter(f"{SVG}{tag}")
    return [node for node in found if all(node.get(key.replace("_", "-")) == value for key, value in wanted.items())]


def points(node: Node) -> list[tuple[float, float]]:
    """The corners of a path that has absolute coordinates only."""
    pairs = [tuple(map(float, pair.split())) for pair in re.split("[ML]", node.attrib["d"].rstrip("Z")) if pair]
    return [(x, y) for x, y in pairs]


def number(node: Node, name: str) -> float:
    return float(node.attrib[name])


def title_tag(picture: Picture, start: str) -> Node:
    """The group whose title begins like that."""
    (found,) = (node for node in picture.root.iter(f"{SVG}g") if (node.findtext(f"{SVG}title") or "").startswith(start))
    return found


def axis(picture: Picture, right: float = 90.0) -> LinearScale:
    """What the figures at the left say."""
    found = {
        int(text.words.replace("−", "-")): text.bottom - 5.5
        for text in picture.texts
        if re.fullmatch(r"−?\d+", text.words) and text.right < right
    }
    return LinearScale(min(found), max(found), found[min(found)], found[max(found)])


# Scales and places


@given(st.lists(FINITE, max_size=8), st.integers(2, 8))
def test_ticks_are_round_and_enclose_all_values(values: list[float], most: int) -> None:
    ticks = nice_ticks(values, most)
    (step,) = {after - before for before, after in pairwise(ticks)}
    assert re.fullmatch(r"[125]0*", str(step))
    assert ticks[0] <= min([0, *values]) <= max([0, *values]) <= ticks[-1]
    assert 0 in ticks
    assert 2 <= len(ticks) <= most + 2
    assert ticks[-1] - max([1, *values]) < step, "no empty step at the top"


@given(st.lists(st.floats(0, 300), max_size=12))
def test_labels_keep_apart_in_their_order_and_inside(places: list[float]) -> None:
    moved = spread_labels(places, NAME_STEP, 0, 300)
    order = sorted(range(len(places)), key=lambda at: places[at])
    assert all(moved[after] - moved[before] >= NAME_STEP - 1e-6 for before, after in pairwise(order))
    assert all(-1e-6 <= place <= 300 + 1e-6 for place in moved)


def test_labels_move_no_farther_than_they_must() -> None:
    assert spread_labels([100, 20, 200], 15, 0, 300) == [100, 20, 200]
    assert spread_labels([100, 100, 200], 20, 0, 300) == [90, 110, 200]
    assert spread_labels([0, 0], 20, 0, 300) == [0, 20]


@pytest.mark.parametrize("shade", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", [name for name in THEME_COLOURS if name not in ("paper", "line", "soft")])
def test_all_that_is_read_has_enough_contrast(name: str, shade: int) -> None:
    """Series on paper, and paper-coloured letters on series."""
    assert contrast(THEME_COLOURS[name][shade], THEME_COLOURS["paper"][shade]) >= 4.5


# No chart writes over itself

COURSES: dict[str, list[list[float]]] = {
    "one round": [[300.0]] * 6,
    "nothing": [[0.0, 0.0]] * 6,
    "all in debt": [[300.0, -50.0]] * 6,
    "one rich": [[300.0, end] for end in (4000.0, 0.0, 10.0, -200.0, 5.0, 3.0)],
    "long": [[100.0 * at + 7 * seat for at in range(60)] for seat in range(6)],
    "large": [[123456.0, 987654.0]] * 6,
}
EVENTS = [RoundEvent(0, "phase yellow"), RoundEvent(1, "green, brown"), RoundEvent(1, "grey")]


def charts() -> dict[str, str]:
    drawn = {}
    for name, course in COURSES.items():
        labels = rounds(len(course[0]))
        drawn[f"lines, {name}"] = line_chart(name, labels, series(course), "Ft", EVENTS[: len(labels) + 1])
        drawn[f"steps, {name}"] = line_chart(name, labels, series(course), "", steps=True, height=280)
        drawn[f"areas, {name}"] = area_chart(name, labels, series([[1 / 6] * len(labels)] * 6))
        own = [
            ChartPanel(who, "#ffeecc", [int(value) for value in row]) for who, row in zip(NAMES, course, strict=True)
        ]
        drawn |= {f"panel {at}, {name}": svg for at, svg in enumerate(line_panels(name, labels, own, "K"))}
        bands = [Band(row, 0, len(labels), who, row) for row, who in enumerate(NAMES)]
        short = [Band(0, at, at + 1, NAMES[2], lane=1) for at in range(len(labels))]
        drawn[f"timeline, {name}"] = timeline(name, labels, NAMES, [*bands, *short])
        drawn[f"dots, {name}"] = dot_matrix(name, labels, ["2", "3+3"], {(0, 0): 12, (1, len(labels) - 1): 3})
    parts = {"cash": 900, "shares and other papers": 2000, "Local Railways": 30, "penalty": -300, "debt": -20}
    drawn["stacked"] = stacked_bars("s", [(name, parts) for name in NAMES], "K")
    drawn["stacked, nothing"] = stacked_bars("s", [(name, {}) for name in NAMES], "K")
    drawn["grouped"] = grouped_bars("g", [(name, f"of a kind {at}", at * 400) for name in NAMES for at in (1, 2)], "K")
    for count in (1, 2, 6):
        flows = [(name, [(100000, 3), (0, 250000), (0, 0)]) for name in NAMES[:count]]
        drawn[f"flows of {count}"] = flow_bars("f", ["shares", "track and terrain", "emergencies"], flows)
    rows = [IntervalRow(name, 0.4, 0.1, 0.9, "40% of 1000 times") for name in NAMES]
    drawn["rates"] = interval_chart("r", rows, 0.25)
    drawn["timings"] = interval_chart("t", [row._replace(value=7.5, low=2, high=13) for row in rows])
    return drawn


CHARTS = charts()


@pytest.mark.parametrize("name", CHARTS)
def test_no_label_lies_over_another_or_outside(name: str) -> None:
    svg = CHARTS[name]
    picture = Picture(svg)
    picture.check()
    assert set(re.findall(r"var\(--([\w-]+)\)", svg)) <= THEME_COLOURS.keys()
    assert "var(" not in with_light_colours(svg, THEME_COLOURS)
    for node in all_of(picture, "rect"):
        assert -0.1 <= number(node, "x") <= number(node, "x") + number(node, "width") <= picture.width + 0.1, name
        assert -0.1 <= number(node, "y") <= number(node, "y") + number(node, "height") <= picture.height + 0.1, name


# What each chart says


@pytest.mark.parametrize("course", COURSES.values(), ids=list(COURSES))
def test_lines_lie_where_the_axis_says(course: list[list[float]]) -> None:
    picture = Picture(line_chart("worth", rounds(len(course[0])), series(course), "K"))
    y = axis(picture)
    for name, row in zip(NAMES, course, strict=True):
        line, _markers = title_tag(picture, name).findall(f"{SVG}path")
        assert [high for _, high in points(line)] == pytest.approx([y(value) for value in row], abs=0.6)
        across = [after[0] - before[0] for before, after in pairwise(points(line))]
        assert not across or min(across) == pytest.approx(max(across), abs=0.2)
    labels = [text.words for text in picture.texts]
    assert all(f"{row[-1]:.0f}" in labels for row in course)


def test_a_long_name_ends_before_its_figure() -> None:
    """In whatever script: letters of Chinese are as wide as they are high."""
    picture = Picture(line_chart("worth", rounds(2), series([[1, 2], [1, 2], [1, 2000]]), "K"))
    (name,) = (text for text in picture.texts if text.words.startswith("漢"))
    (figure,) = (text for text in picture.texts if text.words == "2000" and text.right > WIDTH - 60)
    assert name.words.endswith("…")
    assert name.left + 12 * len(name.words) <= figure.right - 4 * 0.7 * 12


def test_steps_go_right_before_they_go_up() -> None:
    picture = Picture(line_chart("certificates", rounds(3), series([[1, 1, 4]]), "", steps=True))
    path = title_tag(picture, NAMES[0]).find(f"{SVG}path")
    assert path is not None
    start, *steps = re.split("[HV]", path.attrib["d"][1:])
    y = axis(picture)
    assert float(start.split()[1]) == pytest.approx(y(1), abs=0.6)
    assert [float(steps[at]) for at in (1, 3)] == pytest.approx([y(1), y(4)], abs=0.6)


def test_a_span_encloses_its_line() -> None:
    picture = Picture(line_chart("f", rounds(2), series([[50, 60]], low=[40, 55], high=[90, 70]), "K"))
    (span,) = all_of(picture, "path", opacity="0.13")
    y = axis(picture)
    assert [high for _, high in points(span)] == pytest.approx([y(90), y(70), y(55), y(40)], abs=0.6)


def test_parts_of_a_whole_fill_it() -> None:
    picture = Picture(area_chart("chances", rounds(2), series([[0.2, 0.5], [0.3, 0.5], [0.5, 0.0]])))
    edges = [points(title_tag(picture, name).findall(f"{SVG}path")[0]) for name in NAMES[:3]]
    low, high = edges[0][-1][1], edges[2][0][1]
    (left, first), (_, last), *foot = edges[1]
    assert (first, last) == pytest.approx((low + (high - low) * 0.5, high), abs=0.1)
    assert foot[-1] == pytest.approx((left, low + (high - low) * 0.2), abs=0.1)


def test_a_long_course_names_only_some_rounds() -> None:
    named = [text.words for text in Picture(line_chart("l", rounds(60), series(COURSES["long"]), "")).texts]
    shown = [at for at, label in enumerate(rounds(60)) if label in named]
    assert 5 < len(shown) < 20
    assert len({after - before for before, after in pairwise(shown)}) == 1


def test_stacked_bars_are_as_long_as_their_amounts() -> None:
    rows = [("Anna", {"cash": 500, "shares": 300, "debt": -200}), ("Ben", {"cash": 100, "shares": 0, "debt": 0})]
    picture = Picture(stacked_bars("wealth", rows, "K"))
    bars = [node for node in all_of(picture, "rect") if number(node, "height") == 22]
    unit = (number(bars[0], "width") + 1) / 500
    assert [(number(bar, "width") + 1) / unit for bar in bars] == pytest.approx([500, 300, 200, 100], abs=1)
    zero = number(bars[0], "x")
    assert [(number(bar, "x") - zero) / unit for bar in bars] == pytest.approx([0, 500, -200, 0], abs=1)
    words = {text.words for text in picture.texts}
    assert {"Anna", "Ben", "cash", "shares", "debt", "500", "300", "−200", "600 K", "100 K"} <= words


def test_a_group_is_named_once() -> None:
    picture = Picture(
        grouped_bars("sold", [("MÁVAG", "3-train", 100), ("MÁVAG", "6-train", 50), ("SIK", "x", 25)], "Ft")
    )
    assert [text.words for text in picture.texts].count("MÁVAG") == 1
    wide = [number(node, "width") for node in all_of(picture, "rect")]
    assert wide == pytest.approx([wide[0], wide[0] / 2, wide[0] / 4], abs=0.2)


def test_all_flows_are_on_one_scale() -> None:
    picture = Picture(
        flow_bars("money", ["shares", "trains"], [("Anna", [(100, 50), (0, 80)]), ("Ben", [(20, 0), (0, 0)])])
    )
    received, spent = ([number(node, "width") for node in all_of(picture, "rect", fill=ink)] for ink in (IN, OUT))
    assert received == pytest.approx([received[0], received[0] / 5], abs=0.2)
    assert spent == pytest.approx([received[0] / 2, received[0] * 0.8], abs=0.2)


def test_bands_lie_over_their_rounds_and_in_their_lanes() -> None:
    bands = [Band(0, 0, 4, "2"), Band(0, 2, 3, "3", lane=1), Band(1, 1, 2, "Wilhelmina", hue=0)]
    picture = Picture(timeline("trains", rounds(4), ["EKJ", "OFE"], bands))
    whole, inner, other = all_of(picture, "rect")
    left, step = number(whole, "x") - 1, (number(whole, "width") + 2) / 4
    assert [(number(node, "x") - 1 - left) / step for node in (inner, other)] == pytest.approx([2, 1], abs=0.01)
    assert number(whole, "y") + number(whole, "height") < number(inner, "y") < number(other, "y")
    assert picture.titles()[1:] == ["2: OR 1.1 to OR 2.1", "3: OR 1.3", "Wilhelmina: OR 1.2"]


def test_a_name_stays_in_its_band() -> None:
    bands = [Band(0, at, at + 1, "Wilhelmina", hue=at) for at in range(30)]
    picture = Picture(timeline("directors", rounds(30), ["EKJ"], bands))
    written = [text for text in picture.texts if text.words.startswith("W")]
    assert len(written) == 30
    for node, text in zip(all_of(picture, "rect"), written, strict=True):
        assert number(node, "x") < text.left < text.right < number(node, "x") + number(node, "width")


def test_the_last_round_is_named_whole_or_not_at_all() -> None:
    for count in range(1, 80):
        Picture(timeline("trains", rounds(count), ["EKJ"], [Band(0, 0, count, "2")])).check_frame()


def test_dots_stand_at_their_rounds() -> None:
    picture = Picture(dot_matrix("bought", rounds(4), ["2", "3"], {(0, 0): 5, (1, 3): 1, (1, 1): 2}))
    spots = [(number(node, "cx"), number(node, "cy")) for node in all_of(picture, "circle")]
    label = {text.words: (text.left + text.right) / 2 for text in picture.texts}
    assert [x for x, _ in spots] == pytest.approx([label["OR 1.1"], label["OR 2.1"], label["OR 1.2"]], abs=0.2)
    assert spots[0][1] < spots[1][1] == spots[2][1]


def test_an_estimate_lies_in_its_interval() -> None:
    picture = Picture(interval_chart("rates", [IntervalRow("seat 1", 0.5, 0.25, 1.0, "50%")], 0.25))
    ticks = {text.words: (text.left + text.right) / 2 for text in picture.texts if text.words.endswith("%")}
    (interval,) = all_of(picture, "path", opacity="0.5")
    low, high = map(float, re.findall(r"[MH]([\d.]+)", interval.attrib["d"]))
    (dot,) = all_of(picture, "circle")
    assert (low, high) == pytest.approx((ticks["25%"], ticks["100%"]), abs=0.1)
    assert number(dot, "cx") == pytest.approx((ticks["0%"] + ticks["100%"]) / 2, abs=0.1)


def test_panels_share_their_scale() -> None:
    panels = [
        ChartPanel("EKJ", "#ffeecc", [40, 80, None, 20], [40, 0, None, 10]),
        ChartPanel("OFE", "#112233", [0, 500, 0, 0]),
    ]
    one, other = map(Picture, bar_panels("revenue", rounds(4), panels, "K"))
    assert axis(one, 40) == axis(other, 40)
    unit = number(all_of(other, "rect", fill="var(--accent)")[0], "height") / 500
    high = [number(node, "height") / unit for node in all_of(one, "rect", fill="var(--accent)")]
    assert high == pytest.approx([40, 80, 20, 40, 10], abs=1)
    assert one.titles()[0] == "revenue: EKJ"


def test_a_line_of_a_panel_breaks_where_the_company_was_gone() -> None:
    panels = [ChartPanel("EKJ", "#ffeecc", [40, 80, None, 20]), ChartPanel("OFE", "#112233", [None, None, 10, 300])]
    picture = Picture(line_panels("price", rounds(4), panels, "K")[0])
    (own,) = (node for node in all_of(picture, "path", stroke="var(--accent)"))
    assert own.attrib["d"].count("M") == 2
    (dot,) = all_of(picture, "circle")
    assert number(dot, "cy") == pytest.approx(axis(picture, 40)(20), abs=0.6)
    assert picture.width < WIDTH
