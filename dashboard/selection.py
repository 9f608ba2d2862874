"""The selection in the sidebar: variants, player counts, agents and seed, kept in the page's address."""

import functools
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboard.charts import VariantStyles
from dashboard.data.file import CellInfo, Contents, VariantInfo

MAX_VARIANTS_AT_FIRST = 4  # shown until the reader chooses


@dataclass(frozen=True, kw_only=True)
class Selection:
    """What the pages show of a result file."""

    db: Path
    contents: Contents
    variants: tuple[str, ...]  # labels; the first is the baseline
    players: tuple[int, ...]
    line_up: str
    seed: int

    @property
    def styles(self) -> VariantStyles:
        return VariantStyles(tuple(self.contents.variants))

    def find_info(self, variant: str) -> VariantInfo:
        return self.contents.variants[variant]

    def find_cell(self, variant: str, players: int, line_up: str | None = None) -> CellInfo | None:
        return self.contents.find_cell(variant, players, line_up or self.line_up, self.seed)

    @functools.cached_property
    def cells(self) -> list[CellInfo]:
        """The stored cells of the selection, by player count, then variant."""
        cells = (self.find_cell(variant, players) for players in self.players for variant in self.variants)
        return [cell for cell in cells if cell]

    @functools.cached_property
    def stored_cells(self) -> list[CellInfo]:
        """All cells of these variants on this seed: by line-up, player count, variant."""
        ranks = {line_up: rank for rank, line_up in enumerate(self.line_ups)}
        cells = [
            cell
            for cell in self.contents.current_cells.values()
            if cell.seed == self.seed and cell.variant in self.variants
        ]
        return sorted(
            cells, key=lambda cell: (ranks[cell.line_up], cell.players, self.variants.index(cell.variant))
        )

    @property
    def mixed_cells(self) -> list[CellInfo]:
        """The stored cells in which different agents meet."""
        return [cell for cell in self.stored_cells if not cell.has_equal_agents]

    @functools.cached_property
    def line_ups(self) -> list[str]:
        """All line-ups of these variants on this seed, those of one agent first."""
        return list_line_ups(self.contents, self.variants, self.seed)

    @property
    def equal_line_ups(self) -> list[str]:
        """The agents that play against themselves."""
        return [line_up for line_up in self.line_ups if "," not in line_up]

    @functools.cached_property
    def main_player_count(self) -> int:
        """The player count with the most matches of the selection; the smallest in a tie."""
        by_count = {n: sum(cell.matches for cell in self.cells if cell.players == n) for n in self.players}
        return max(self.players, key=lambda n: (by_count[n], -n))

    def describe(self) -> list[str]:
        """Lines about the selection, for a shared page."""
        counts = ", ".join(map(str, self.players))
        matches = sum(cell.matches for cell in self.cells)
        names = ", ".join(variant for variant in self.variants)
        stars = any(self.find_info(variant).reconstructed for variant in self.variants)
        line_up = f"{'line-up' if ',' in self.line_up else 'all seats by'} {self.line_up}"
        lines = [
            f"{names}; {counts} players; {line_up}; seed {self.seed}; {matches:,} matches of {self.db.name}."
        ]
        if stars:
            lines.append("* part of the components is reconstructed: no source documents it.")
        return lines


def list_line_ups(contents: Contents, variants: tuple[str, ...], seed: int) -> list[str]:
    cells = [cell for cell in contents.cells if cell.variant in variants and cell.seed == seed and cell.deals]
    matches = {cell.line_up: 0 for cell in cells}
    for cell in cells:
        matches[cell.line_up] += cell.matches
    return sorted(matches, key=lambda name: ("," in name, -matches[name], name))


def list_stored_variants(contents: Contents) -> list[str]:
    """The labels of the variants with matches."""
    stored = {cell.variant for cell in contents.cells if cell.deals}
    return [label for label in contents.variants if label in stored]


def pick_first_variants(contents: Contents) -> list[str]:
    """The first few variants with matches of the first game."""
    labels = list_stored_variants(contents)
    game = contents.variants[labels[0]].game if labels else ""
    return [label for label in labels if contents.variants[label].game == game][:MAX_VARIANTS_AT_FIRST]


def ask_selection(db: Path, contents: Contents) -> Selection | None:
    """Show the widgets of the sidebar and return what they say; None if the file has no matches."""
    if not list_stored_variants(contents):
        return None
    with st.sidebar:
        variants = _ask_variants(contents)
        seed = _ask_seed(contents, variants)
        line_up = _ask_line_up(list_line_ups(contents, variants, seed))
        setting = (line_up, seed)
        counts = {
            cell.players
            for cell in contents.cells
            if cell.variant in variants and (cell.line_up, cell.seed) == setting
        }
        players = _ask_players(sorted(counts))
    return Selection(db=db, contents=contents, variants=variants, players=players, line_up=line_up, seed=seed)


def make_empty_selection(db: Path, contents: Contents) -> Selection:
    """Nothing of a file: for pages that can do without matches."""
    return Selection(db=db, contents=contents, variants=(), players=(), line_up="", seed=1)


def _ask_variants(contents: Contents) -> tuple[str, ...]:
    first_variants = pick_first_variants(contents)
    chosen = st.multiselect(
        "Variants",
        list_stored_variants(contents),
        first_variants,
        key="variant",
        bind="query-params",
        help="The first one is what the others are compared with."
        " A star: part of its components is reconstructed.",
    )
    return tuple(chosen or first_variants)


def _ask_line_up(line_ups: list[str]) -> str:
    chosen = st.selectbox(
        "Agents",
        line_ups,
        key="agents",
        bind="query-params",
        help="Who plays: one agent in all seats, or a line-up that is rotated through the seats.",
    )
    return chosen if chosen in line_ups else line_ups[0]


def _ask_players(counts: list[int]) -> tuple[int, ...]:
    chosen = st.pills(
        "Players",
        counts,
        selection_mode="multi",
        default=counts,
        key="players",
        bind="query-params",
        help="Player counts to show.",
    )
    return tuple(n for n in counts if n in (chosen or counts)) or tuple(counts)


def _ask_seed(contents: Contents, variants: tuple[str, ...]) -> int:
    """The seed; a widget asks for it if there are several."""
    seeds = list(
        dict.fromkeys(cell.seed for cell in contents.cells if cell.variant in variants and cell.deals)
    )
    if len(seeds) == 1:
        return seeds[0]
    seed = st.selectbox(
        "Seed", seeds, key="seed", bind="query-params", help="The master seed: other luck, other matches."
    )
    return int(seed) if seed in seeds else seeds[0]
