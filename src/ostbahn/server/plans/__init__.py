"""Planning boards."""
