"""The bulk tables and the views of a result file, and what everything in it means."""
