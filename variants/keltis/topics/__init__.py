"""Keltis by topic: cards, and tiles."""
