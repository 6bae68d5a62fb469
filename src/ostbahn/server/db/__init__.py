"""The database: engine, sessions, migrations, server flags and encrypted keys."""
