"""Profiles: results and ratings of people."""
