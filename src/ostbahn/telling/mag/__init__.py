"""18Mag in words."""
