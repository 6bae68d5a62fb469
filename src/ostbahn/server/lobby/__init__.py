"""New tables, open tables and invitations."""
