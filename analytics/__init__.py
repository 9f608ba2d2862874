"""Metrics, statistics and comparison over stored matches: tables in, tables and figures out."""
