"""How 18xx.games calls the majors of 18Mag."""

from __future__ import annotations

from typing import Final

SITE_MAJORS: Final = {"RÁBA": "RABA", "SzKÉV": "SKEV", "MÁVAG": "MAVAG"}
"""Majors that the site writes without accents."""
