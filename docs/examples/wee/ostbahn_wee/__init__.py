"""18Wee: a small railway game on an island of twenty hexes, an example of how to write a title."""
