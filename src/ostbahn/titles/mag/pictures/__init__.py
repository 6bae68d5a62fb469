"""18Mag in pictures."""
