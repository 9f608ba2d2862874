"""Computer players: how they are named, and how they choose."""
