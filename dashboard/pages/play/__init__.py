"""Play: people at the table."""
