"""Prepared moves: what somebody has decided before they are asked, and what calls it off."""
