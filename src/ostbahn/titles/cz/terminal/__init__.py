"""18CZ at the terminal."""
