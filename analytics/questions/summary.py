"""The short table at the end of a simulation: each cell with its seats' win shares and its length, with intervals."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

from analytics.stats.intervals import Estimate, block_mean, block_share

Sums = Mapping[str, tuple[int, float, float]]


def summary(cells: Mapping[int, Any], totals: Mapping[int, Sums]) -> list[dict[str, Any]]:
    """One row per cell: shares in percent, lengths in turns, each with its 95 % interval over blocks."""
    rows = []
    for number, cell in cells.items():
        sums = totals[number]
        seats = [block_share(*sums[f"win_share:{seat}"]) for seat in range(1, cell.players + 1)]
        blocks = sums["turns"][0]
        rows.append(
            {
                "variant": cell.variant.name,
                "players": cell.players,
                "line_up": cell.line_up_name(),
                "blocks": blocks,
                "matches": blocks * len(cell.table.seatings),
                "win_share_percent": [_percent(seat) for seat in seats],
                "turns": block_mean(*sums["turns"])._asdict(),
                "reconstructed": sorted(cell.variant.game.reconstructed),
            }
        )
    return rows


def differences(cells: Mapping[int, Any], pairs: Callable[[int, int], Sums]) -> list[dict[str, Any]]:
    """Each cell against the first variant's cell on the same luck: what the change did, paired block by block."""
    first: dict[tuple[int, str], Any] = {}
    rows = []
    for number, cell in cells.items():
        base = first.setdefault((cell.players, cell.line_up_name()), cell)
        if base is cell or base.variant.game.name != cell.variant.game.name:
            continue
        sums = pairs(base.id, number)
        rows.append(
            {
                "variant": cell.variant.name,
                "against": base.variant.name,
                "players": cell.players,
                "line_up": cell.line_up_name(),
                "touched_percent": _percent(block_share(*sums["touched"])),
                "seat_1_pp": _percent(block_mean(*sums["win_share:1"])),
                "turns": block_mean(*sums["turns"])._asdict(),
            }
        )
    return rows


def differences_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = "Differences on the same luck, with 95 % intervals over blocks. Touched: share of the matches that differ at all."
    table = Table(title="What the change did", title_justify="left", caption=caption, caption_justify="left")
    for head in ("variant", "against", "players", "line-up", "touched %", "seat 1, pp", "turns"):
        table.add_column(head, overflow="fold")
    for row in rows:
        numbers = [_shown(row[name]) for name in ("touched_percent", "seat_1_pp", "turns")]
        table.add_row(row["variant"], row["against"], str(row["players"]), row["line_up"], *numbers)
    return table


def _percent(share: Estimate) -> dict[str, float]:
    return {"mean": 100 * share.mean, "low": 100 * share.low, "high": 100 * share.high, "blocks": share.blocks}


def summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = "95 % intervals over blocks. Shares are of first places, a shared one split."
    if any(row["reconstructed"] for row in rows):
        caption += " * part of the components is reconstructed: `boardgames show VARIANT` says which."
    table = Table(title="Win share by seat in %, length in turns", title_justify="left", caption=caption, caption_justify="left")
    for head in ("variant", "players", "line-up", "matches"):
        table.add_column(head, overflow="fold")
    for seat in range(1, max(row["players"] for row in rows) + 1):
        table.add_column(f"seat {seat}", justify="right")
    table.add_column("turns", justify="right")
    for row in rows:
        star = "*" if row["reconstructed"] else ""
        shares = [_shown(share) for share in row["win_share_percent"]]
        shares += [""] * (len(table.columns) - 5 - len(shares))
        first = (row["variant"] + star, str(row["players"]), row["line_up"], f"{row['matches']:,}")
        table.add_row(*first, *shares, _shown(row["turns"]))
    return table


def _shown(estimate: Mapping[str, float]) -> str:
    """49.3 (48.1 to 50.5); with one block alone there is no interval."""
    if estimate["blocks"] < 2:
        return f"{estimate['mean']:.1f} (2 blocks needed)"
    return f"{estimate['mean']:.1f} ({estimate['low']:.1f} to {estimate['high']:.1f})"
