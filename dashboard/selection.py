"""What is looked at: variants, player counts, agents and seed. The widgets keep it in the page's address."""

import functools
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dashboard.charts import Looks
from dashboard.data.file import Contents, Known, StoredCell

MOST_AT_FIRST = 4  # variants that are shown until somebody chooses


@dataclass(frozen=True)
class Choice:
    """A selection within a file."""

    file: Path
    contents: Contents
    variants: tuple[str, ...]  # labels; the first one is what the others are compared with
    players: tuple[int, ...]
    line_up: str
    seed: int

    @property
    def looks(self) -> Looks:
        return Looks(tuple(self.contents.variants))

    def known(self, variant: str) -> Known:
        return self.contents.variants[variant]

    def cell(self, variant: str, players: int, line_up: str | None = None) -> StoredCell | None:
        return self.contents.cell(variant, players, line_up or self.line_up, self.seed)

    @functools.cached_property
    def cells(self) -> list[StoredCell]:
        """Those of the selection that are stored, by player count, then variant."""
        found = (self.cell(variant, players) for players in self.players for variant in self.variants)
        return [cell for cell in found if cell]

    @functools.cached_property
    def stored(self) -> list[StoredCell]:
        """All of these variants on this seed, at any player count: by line-up, player count, variant."""
        places = {line_up: place for place, line_up in enumerate(self.line_ups)}
        found = [cell for cell in self.contents.current.values() if cell.seed == self.seed and cell.variant in self.variants]
        return sorted(found, key=lambda cell: (places[cell.line_up], cell.players, self.variants.index(cell.variant)))

    @property
    def mixed(self) -> list[StoredCell]:
        """Those of them in which different agents meet."""
        return [cell for cell in self.stored if not cell.equal]

    @functools.cached_property
    def line_ups(self) -> list[str]:
        """All line-ups of these variants on this seed, those of one agent first."""
        return line_ups(self.contents, self.variants, self.seed)

    @functools.cached_property
    def usual(self) -> int:
        """The player count with the most matches of the selection; the smallest of several."""
        by_count = {n: sum(cell.matches for cell in self.cells if cell.players == n) for n in self.players}
        return max(self.players, key=lambda n: (by_count[n], -n))

    def about(self) -> list[str]:
        """The selection in words, for what is shared."""
        counts = ", ".join(map(str, self.players))
        matches = sum(cell.matches for cell in self.cells)
        names = ", ".join(variant for variant in self.variants)
        stars = any(self.known(variant).reconstructed for variant in self.variants)
        who = f"{'line-up' if ',' in self.line_up else 'all seats by'} {self.line_up}"
        told = f"{names}; {counts} players; {who}; seed {self.seed}; {matches:,} matches of {self.file.name}."
        return [told, *(["* part of the components is reconstructed: no source documents it."] if stars else [])]


def line_ups(contents: Contents, variants: tuple[str, ...], seed: int) -> list[str]:
    cells = [cell for cell in contents.cells if cell.variant in variants and cell.seed == seed and cell.blocks]
    matches = {cell.line_up: 0 for cell in cells}
    for cell in cells:
        matches[cell.line_up] += cell.matches
    return sorted(matches, key=lambda name: ("," in name, -matches[name], name))


def first_variants(contents: Contents) -> list[str]:
    """Those of the first game that have matches, a few."""
    stored = {cell.variant for cell in contents.cells if cell.blocks}
    labels = [label for label in contents.variants if label in stored]
    game = contents.variants[labels[0]].game if labels else ""
    return [label for label in labels if contents.variants[label].game == game][:MOST_AT_FIRST]


def choose(file: Path, contents: Contents) -> Choice | None:
    """The widgets of the sidebar; nothing is chosen where nothing is stored."""
    stored = {cell.variant for cell in contents.cells if cell.blocks}
    options = [label for label in contents.variants if label in stored]
    if not options:
        return None
    with st.sidebar:
        chosen = st.multiselect(
            "Variants", options, first_variants(contents), key="variant", bind="query-params",
            help="The first one is what the others are compared with. A star: part of its components is reconstructed.",
        )  # fmt: skip
        variants = tuple(chosen or first_variants(contents))
        seed = _seed(contents, variants)
        agents = line_ups(contents, variants, seed)
        line_up = st.selectbox(
            "Agents", agents, key="agents", bind="query-params",
            help="Who plays: one agent in all seats, or a line-up that is rotated through the seats.",
        )  # fmt: skip
        line_up = line_up if line_up in agents else agents[0]
        counts = sorted({c.players for c in contents.cells if (c.variant in variants) and (c.line_up, c.seed) == (line_up, seed)})
        players = st.pills(
            "Players",
            counts,
            selection_mode="multi",
            default=counts,
            key="players",
            bind="query-params",
            help="Player counts to show.",
        )
    some = tuple(n for n in counts if n in (players or counts)) or tuple(counts)
    return Choice(file, contents, variants, some, line_up, seed)


def _seed(contents: Contents, variants: tuple[str, ...]) -> int:
    """A widget only where there is a choice."""
    seeds = list(dict.fromkeys(cell.seed for cell in contents.cells if cell.variant in variants and cell.blocks))
    if len(seeds) == 1:
        return seeds[0]
    found = st.selectbox("Seed", seeds, key="seed", bind="query-params", help="The master seed: other luck, other matches.")
    return int(found) if found in seeds else seeds[0]
