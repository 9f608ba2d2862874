"""Tiny games with known answers. They prove the engine and the metrics; they are not installed."""
