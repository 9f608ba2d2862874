"""Whether what a file holds is what its seeds give."""
