"""What pages read: the result file, and queries that people type."""
