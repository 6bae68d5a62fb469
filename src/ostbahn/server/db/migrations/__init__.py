"""How the tables of the database came about, step by step (Alembic)."""
