"""Tables and sentences for the terminal."""
