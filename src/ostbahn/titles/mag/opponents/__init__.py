"""18Mag as the greedy bot plays it: a chapter for each thing that is decided."""
