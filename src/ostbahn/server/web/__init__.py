"""What browsers and programs ask for: pages, forms, the JSON interface, and what every answer carries."""
