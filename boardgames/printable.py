"""Texts from a result file in the terminal: a stranger's name must not move the cursor, nor forge a line."""


def escape_unprintable(text: str, keep: str = "") -> str:
    """The text with an escape in place of each character that is not printed, such as \\x1b or \\n, but for
    those to keep.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else ascii(c)[1:-1] for c in text)
