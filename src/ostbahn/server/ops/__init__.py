"""For operators: metrics, logs, health, backups, moderation."""
