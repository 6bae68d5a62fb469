"""Texts of 18Mag."""
