"""A game in words, for people: what is asked, what may be answered, what happened, and why not."""
