"""18Mag at the terminal."""
