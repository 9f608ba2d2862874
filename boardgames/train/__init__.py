"""How learned players are made: a net learns what a search prefers."""
