"""A position as a picture."""

from typing import Any

MARKS = ("·", "X", "O")


def draw(state: Any, seat: int | None = None) -> str:
    """Nine cells; nothing is hidden."""
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 330"'
        ' font-family="Georgia, serif" text-anchor="middle">'
    ]
    over = "The match is over" if state.end else f"Seat {state.turn_owner + 1} takes a cell"
    parts.append(f'<text x="150" y="22" font-size="16">{over}</text>')
    for cell in range(9):
        x, y = 100 * (cell % 3), 30 + 100 * (cell // 3)
        parts.append(f'<rect x="{x + 3}" y="{y + 3}" width="94" height="94" fill="#e9e2d0"/>')
        parts.append(f'<text x="{x + 50}" y="{y + 75}" font-size="70">{MARKS[state.mark[cell]]}</text>')
    return "\n".join([*parts, "</svg>"])
