"""Import and export of 18Mag games of 18xx.games."""
