"""Celtica by topic: pieces, places, and the end of a turn, a round and the match."""
