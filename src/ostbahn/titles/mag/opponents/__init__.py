"""Bots of 18Mag: a module of proposals for each kind of decision."""
