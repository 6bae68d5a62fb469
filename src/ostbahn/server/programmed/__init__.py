"""Programmed moves: given before the turn, carried out when it comes."""
