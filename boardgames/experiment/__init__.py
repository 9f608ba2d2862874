"""What is to be played: plans and their cells, and the rows that come back."""
