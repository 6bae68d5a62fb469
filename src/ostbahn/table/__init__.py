"""One table as an application: room, automatic moves, view models, rendering and the pages around one game."""
