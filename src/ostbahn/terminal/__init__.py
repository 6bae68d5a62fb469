"""Drawing at the terminal: what is the same for every title."""
