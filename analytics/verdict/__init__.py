"""From numbers to verdicts: what is compared, what is fixed in advance, and what follows."""
