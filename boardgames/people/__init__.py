"""Matches that people play, at the terminal or away from the computer."""
