"""Games of 18CZ in the form of 18xx.games, read and written."""
