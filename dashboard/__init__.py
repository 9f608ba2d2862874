"""The dashboard: one question per page, over a file of results, in the browser."""
