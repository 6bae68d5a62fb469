"""What has changed, published to all workers when the change is committed, and streams of server-sent events."""
