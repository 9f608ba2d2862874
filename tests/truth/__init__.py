"""Tiny games whose answers are known. They prove the engine, and later the metrics; they are not installed."""
