"""What a title hands over to be played, told, drawn and served, and how titles are found."""
