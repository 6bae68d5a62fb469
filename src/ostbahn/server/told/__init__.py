"""Being told: who wants to know what, and how it reaches them."""
