"""The pages of the dashboard, one question each."""
