"""Plans and their cells, and the values of played matches."""
