"""Looking ahead: private boards on which somebody plays a game on for all sides. The game itself is never touched."""
