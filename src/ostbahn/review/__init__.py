"""Looking back: what a game's records say about how it went."""
