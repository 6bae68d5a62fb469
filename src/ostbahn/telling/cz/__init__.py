"""18CZ in words."""
