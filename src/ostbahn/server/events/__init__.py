"""The event bus between workers, and limits on streams of server-sent events."""
