"""The result file: its tables, how rows get in and out, and what can be done with stored runs."""
