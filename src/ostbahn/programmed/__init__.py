"""Programmed moves: answers that a player decides in advance, and the conditions that cancel them."""
