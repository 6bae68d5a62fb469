"""18CZ in pictures."""
