"""Tools for authors of games: check, watch, bench, new packages, the catalogue."""
