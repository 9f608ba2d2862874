"""The questions that people ask, one module or package each."""
