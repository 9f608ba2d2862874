"""Keltis by topic: cards, tiles, and the drawings of pieces."""
