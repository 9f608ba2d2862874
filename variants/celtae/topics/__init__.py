"""Celtae by topic: the actions of a turn, cards, workers, and small drawings."""
