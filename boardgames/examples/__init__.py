"""Tiny games with known answers, installed: to try commands with, and to read as a first example."""
