"""The modules of 18Mag's expansion, one file for each: what of the game it replaces (18Mag M)."""
