"""Tables being played: games, who sits at them, bots, talk, and what is sent to pages."""
