"""Games from files."""
