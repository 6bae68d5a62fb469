"""The coach and reports of games."""
