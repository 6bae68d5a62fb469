"""Many games at once: contests of bots, and tuning what they go by."""
