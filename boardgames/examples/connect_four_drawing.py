"""A position of Connect Four as a picture. A column carries the number of its action in `data-action`, so
that a page can make it clickable.
"""

COLUMNS, ROWS, CELL, TOP = 7, 6, 100, 50  # TOP: a band with the numbers of the columns
BOARD, HOLE = "#24509e", "#f4f1e8"
DISCS = ("#d8342b", "#f2c12e")
LETTERS = ("#ffffff", "#3a2d00")


def draw(state, seat=None):
    """All of a position: every seat sees the same."""
    width, height = COLUMNS * CELL, TOP + ROWS * CELL
    columns = "".join(_draw_column(state, column) for column in range(COLUMNS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' font-family="Helvetica, Arial, sans-serif">{columns}</svg>'
    )


def _draw_column(state, column):
    is_open = not state.end and state.height[column] < ROWS
    action = f' data-action="{column}"' if is_open else ""
    place = f'x="{column * CELL}" y="0" width="{CELL}" height="{TOP + ROWS * CELL}"'
    plate = f'<rect {place} fill="{BOARD}"/>' + _write(column * CELL + CELL // 2, 38, column + 1, HOLE)
    cells = "".join(_draw_cell(state, column, row) for row in range(ROWS))
    return f"<g{action}><title>column {column + 1}</title>{plate}{cells}</g>"


def _draw_cell(state, column, row):
    """A hole, or a disc with the number of its seat, so that you need not tell colours apart."""
    x, y = column * CELL + CELL // 2, TOP + (ROWS - 1 - row) * CELL + CELL // 2
    owner = _find_owner(state, column, row)
    if owner is None:
        return f'<circle aria-label="\N{MIDDLE DOT}" cx="{x}" cy="{y}" r="38" fill="{HOLE}"/>'
    disc = f'<circle cx="{x}" cy="{y}" r="38" fill="{DISCS[owner]}"/>'
    return disc + _write(x, y + 12, owner + 1, LETTERS[owner])


def _write(x, y, number, colour):
    style = f'font-size="34" font-weight="bold" text-anchor="middle" fill="{colour}"'
    return f'<text x="{x}" y="{y}" {style}>{number}</text>'


def _find_owner(state, column, row):
    """The seat whose disc lies in a cell; None if it is empty."""
    bit = 1 << (column * (ROWS + 1) + row)
    return next((seat for seat in range(2) if int(state.discs[seat]) & bit), None)
