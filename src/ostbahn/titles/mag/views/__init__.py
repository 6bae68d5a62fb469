"""Views of 18Mag for pages, the JSON interface and the terminal."""
