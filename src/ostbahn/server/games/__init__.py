"""Games: repository, game service, keys and seats, JSON API."""
