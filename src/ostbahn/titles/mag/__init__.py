"""18Mag: Hungarian Railway History, one module per chapter of the rulebook."""
