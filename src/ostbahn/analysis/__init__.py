"""Studies of a game: what could be earned, and what a change would bring."""
