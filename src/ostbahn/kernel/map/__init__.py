"""The board: the hex grid, what is printed on hexes and tiles, what lies on them, and which tile fits where."""
