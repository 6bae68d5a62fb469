"""For whoever runs a server: its log, its figures, its health, copies of what is kept, and whether it is whole."""
