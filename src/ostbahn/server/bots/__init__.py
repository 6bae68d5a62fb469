"""Bots at tables: their turns as jobs, and hints."""
