"""The web: tables to play at, with the rules on the server's side."""
