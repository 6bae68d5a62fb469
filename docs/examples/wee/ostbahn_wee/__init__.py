"""18Wee: a little railway game on an island of twenty hexes, to show how a title is written."""
