"""People: visitors, accounts, sessions and rate limits."""
