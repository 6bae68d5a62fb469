"""A game as pages and the JSON interface show it: plain data with ready words and raw figures, made from a `Game`."""
