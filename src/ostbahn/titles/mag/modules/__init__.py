"""The modules of 18Mag's expansion, one file each (18Mag M)."""
