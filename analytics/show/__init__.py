"""Answers as people see them: in the terminal, as figures, as a report."""
