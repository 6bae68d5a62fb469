"""18Mag as pages and the JSON interface show it."""
