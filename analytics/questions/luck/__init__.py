"""`luck`: where the luck comes from, and what a change does to it."""
