"""Tournaments: entrants, seatings, rounds and points."""
