"""The texts of a Plotly chart, which reads a little HTML, as plain texts."""

import re
from html import unescape

BREAK = re.compile("<br ?/?>")
TAG = re.compile("</?(b|i|sub|sup|span)[^>]*>")


def read_text(text: str) -> str:
    """What a reader sees of it; lines stay apart."""
    return unescape(TAG.sub("", BREAK.sub("\n", text)))
