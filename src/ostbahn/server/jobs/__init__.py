"""The durable job queue, its runner, and limits on concurrent work."""
