"""How G plays 18CZ: one module per chapter of good play, and what everybody will be worth."""
