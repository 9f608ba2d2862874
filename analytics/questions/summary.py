"""The short table at the end of a simulation: each cell with its seats' win shares and its length, with
intervals.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

from analytics.stats.intervals import (
    Estimate,
    Sums,
    estimate_mean_from_sums,
    estimate_share_from_sums,
    estimate_shares,
)
from analytics.words import describe_reconstructed, format_fair_share
from boardgames.plan.cell import PlannedCell

SumsByValue = Mapping[str, tuple[int, float, float]]


def summarize_cells(
    cells: Mapping[int, PlannedCell], totals: Mapping[int, SumsByValue]
) -> list[dict[str, Any]]:
    """A row for each cell: shares in percent, lengths in turns, each with its 95% interval over deals."""
    rows = []
    for cell_id, cell in cells.items():
        sums = totals[cell_id]
        seats = estimate_shares([Sums(*sums[f"win_share:{seat}"]) for seat in range(1, cell.players + 1)])
        deals = sums["turns"][0]
        rows.append(
            {
                "variant": cell.variant.name,
                "players": cell.players,
                "line_up": cell.format_line_up(),
                "deals": deals,
                "matches": deals * cell.seating_count,
                "win_share_percent": [_convert_to_percent(seat) for seat in seats],
                "turns": estimate_mean_from_sums(*sums["turns"])._asdict(),
                "reconstructed": sorted(cell.variant.game.reconstructed),
            }
        )
    return rows


def list_pairs(cells: Mapping[int, PlannedCell]) -> list[tuple[int, int]]:
    """Each cell against the first variant's on the same luck, as (first, other)."""
    first: dict[tuple[int, str], PlannedCell] = {}
    pairs = []
    for cell_id, cell in cells.items():
        base = first.setdefault((cell.players, cell.format_line_up()), cell)
        if base is not cell and base.variant.game.name == cell.variant.game.name:
            pairs.append((base.id, cell_id))
    return pairs


def summarize_differences(
    cells: Mapping[int, PlannedCell], load_sums: Callable[[int, int], SumsByValue]
) -> list[dict[str, Any]]:
    """A row for each pair of cells: the differences, paired by deals."""
    rows = []
    for base_id, cell_id in list_pairs(cells):
        base, cell = cells[base_id], cells[cell_id]
        sums = load_sums(base_id, cell_id)
        rows.append(
            {
                "variant": cell.variant.name,
                "against": base.variant.name,
                "players": cell.players,
                "line_up": cell.format_line_up(),
                "affected_percent": _convert_to_percent(estimate_share_from_sums(*sums["affected"])),
                "seat_1_pp": _convert_to_percent(estimate_mean_from_sums(*sums["win_share:1"])),
                "turns": estimate_mean_from_sums(*sums["turns"])._asdict(),
            }
        )
    return rows


def make_differences_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = (
        "Differences on the same deals, with 95% intervals over deals. "
        "Affected: the share of matches that play out differently."
    )
    table = Table(title="What the change does", title_justify="left", caption=caption, caption_justify="left")
    for head in ("variant", "against", "players", "line-up", "affected %", "seat 1, pp", "turns"):
        table.add_column(head, overflow="fold")
    for row in rows:
        numbers = [_format_estimate(row[name]) for name in ("affected_percent", "seat_1_pp", "turns")]
        table.add_row(row["variant"], row["against"], str(row["players"]), row["line_up"], *numbers)
    return table


def _convert_to_percent(share: Estimate) -> dict[str, float]:
    return {"mean": 100 * share.mean, "low": 100 * share.low, "high": 100 * share.high, "deals": share.deals}


def make_summary_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    caption = "In brackets: 95% intervals over deals. A shared win counts in parts."
    if any(row["reconstructed"] for row in rows):
        caption += f" {describe_reconstructed()}."
    table = Table(
        title="How often each seat wins, in %, and how long a match takes",
        title_justify="left",
        caption=caption,
        caption_justify="left",
    )
    most_seats = max(row["players"] for row in rows)
    for head in ("variant", "players", "line-up", "matches"):
        table.add_column(head, overflow="fold")
    for head in ("fair", *(f"seat {seat}" for seat in range(1, most_seats + 1)), "turns", "rounds"):
        table.add_column(head, justify="right")
    for row in rows:
        star = "*" if row["reconstructed"] else ""
        players = row["players"]
        shares = [_format_estimate(share) for share in row["win_share_percent"]]
        shares += [""] * (most_seats - players)
        first = (row["variant"] + star, str(players), row["line_up"], f"{row['matches']:,}")
        rounds = f"{row['turns']['mean'] / players:.1f}"
        fair = format_fair_share(players)
        table.add_row(*first, fair, *shares, _format_estimate(row["turns"]), rounds)
    return table


def _format_estimate(estimate: Mapping[str, float]) -> str:
    """49.3 (48.1 to 50.5); with one deal alone there is no interval."""
    if estimate["deals"] < 2:
        return f"{estimate['mean']:.1f} (2 deals needed)"
    return f"{estimate['mean']:.1f} ({estimate['low']:.1f} to {estimate['high']:.1f})"
