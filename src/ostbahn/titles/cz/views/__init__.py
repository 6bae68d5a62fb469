"""18CZ as pages and the JSON interface show it."""
