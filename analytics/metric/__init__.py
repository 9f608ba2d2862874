"""Metrics: what is asked of stored matches, and the numbers that come back."""
