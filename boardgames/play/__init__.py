"""Playing: one match step by step, and batches of matches without Python per decision."""
