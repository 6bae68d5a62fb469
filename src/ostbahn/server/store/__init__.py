"""What is kept: the database, games as logs in it, people, and the keys of seats."""
