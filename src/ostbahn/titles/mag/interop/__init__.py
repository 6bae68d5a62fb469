"""Games of 18Mag in the form of 18xx.games, read and written."""
