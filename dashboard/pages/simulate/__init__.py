"""Simulate: start commands and follow them."""
