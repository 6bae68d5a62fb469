"""The durable job queue, the workers that run it, and how long requests may wait for slow work."""
