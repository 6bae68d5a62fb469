"""Import and export of 18CZ games of 18xx.games."""
