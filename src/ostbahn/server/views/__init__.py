"""What only a server knows to show: a table with those at it, and somebody's games."""
