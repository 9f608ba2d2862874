"""What the pages show of a result file: variants, player counts, agents and seed, as the address has them."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.words import join_words
from dashboard.charts import VariantStyles
from dashboard.data.file import CellInfo, Contents, VariantInfo
from dashboard.sidebar.strength import rank_agent

MAX_VARIANTS_AT_FIRST = 4  # shown until the reader chooses
Address = Mapping[str, Sequence[str]]  # the values of each name


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
        return VariantStyles(self.variants)

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
        """The stored cells in which different agents meet in every seating: what people play, as seated, says
        nothing about who is stronger. Player counts that could be chosen and are not are left out.
        """
        counts = list_player_counts(self.contents, self.variants, self.line_up, self.seed)
        others = {*counts} - {*self.players}
        return [cell for cell in self.stored_cells if cell.is_rotated and cell.players not in others]

    @functools.cached_property
    def line_ups(self) -> list[str]:
        """All line-ups of these variants on this seed, those of one agent first."""
        return list_line_ups(self.contents, self.variants, self.seed)

    @property
    def equal_line_ups(self) -> list[str]:
        """The agents that play against themselves."""
        return list(dict.fromkeys(cell.line_up for cell in self.stored_cells if cell.has_equal_agents))

    @functools.cached_property
    def main_player_count(self) -> int:
        """The player count at which most of the chosen variants can be compared with the baseline; of
        several, the one with the most matches, then the smallest.
        """
        return max(self.players, key=self._rank_player_count)

    def _rank_player_count(self, players: int) -> tuple[bool, int, int, int]:
        cells = [cell for cell in self.cells if cell.players == players]
        has_baseline = any(cell.variant == self.variants[0] for cell in cells)
        return has_baseline, len(cells), sum(cell.matches for cell in cells), -players

    @property
    def main_cells(self) -> tuple[CellInfo, ...]:
        """The stored cells of the selection at its main player count."""
        return tuple(cell for cell in self.cells if cell.players == self.main_player_count)

    @property
    def missing(self) -> dict[str, list[int]]:
        """The player counts of which a chosen variant has no matches by these agents."""
        missing = {
            variant: [players for players in self.players if not self.find_cell(variant, players)]
            for variant in self.variants
        }
        return {variant: counts for variant, counts in missing.items() if counts}

    @property
    def address(self) -> dict[str, list[str]]:
        """Every value, as the address has it."""
        return {
            "variant": list(self.variants),
            "agents": [self.line_up],
            "players": [str(n) for n in self.players],
            "seed": [str(self.seed)],
        }

    def narrow(self, cells: Sequence[CellInfo]) -> "Selection":
        """The same for these cells alone, which share their agents and their seed."""
        return replace(
            self,
            variants=tuple(dict.fromkeys(cell.variant for cell in cells)),
            players=tuple(dict.fromkeys(cell.players for cell in cells)),
            line_up=cells[0].line_up,
            seed=cells[0].seed,
        )

    def describe_briefly(self) -> str:
        """celtica:en, greedy, 2 and 4 players: in one line."""
        variants = self.variants[0] if len(self.variants) == 1 else f"{len(self.variants)} variants"
        return f"{variants}, {self.line_up}, {join_words(list(map(str, self.players)))} players"

    def describe(self, cells: Sequence[CellInfo] | None = None) -> dict[str, str]:
        """What a shared page shows: all that is selected unless it names its cells, which may be others."""
        shown = self.cells if cells is None else cells
        parts = [
            [cell for cell in shown if cell in self.cells],
            [cell for cell in shown if cell not in self.cells],
        ]
        variants = [variant for variant in self.variants if any(cell.variant == variant for cell in shown)]
        names = [f"{name} (the baseline)" if name == self.variants[0] else name for name in variants]
        stored = max((cell.last_stored for cell in shown if cell.last_stored), default=None)
        facts = {
            "variants": ", ".join(names if len(names) > 1 else variants),
            "players": ", ".join(map(str, sorted({cell.players for cell in shown}))),
            "agents": "; beside them ".join(describe_agents(part) for part in parts if part),
            "matches": "; beside them ".join(describe_matches(part) for part in parts if part),
            "seed": str(self.seed),
            "file": f"{self.db.name}, last stored {stored:%Y-%m-%d %H:%M} UTC" if stored else self.db.name,
        }
        if any(self.find_info(variant).reconstructed for variant in variants):
            facts["*"] = "some printed values are reconstructed: no source documents them"
        return facts


def describe_agents(cells: Sequence[CellInfo]) -> str:
    """greedy, in all seats; greedy,random, rotated through seats"""
    seatings = {cell.line_up: _describe_seating(cell) for cell in cells}
    return "; ".join(f"{line_up}, {seating}" for line_up, seating in seatings.items())


def _describe_seating(cell: CellInfo) -> str:
    if "," not in cell.line_up:
        return "in all seats"
    return "rotated through seats" if cell.is_rotated else "as seated"


def describe_matches(cells: Sequence[CellInfo]) -> str:
    """How many there are, and how many of each variant, player count and line-up."""
    total = sum(cell.matches for cell in cells)
    if len(cells) == 1:
        return f"{total:,}"
    if len({cell.matches for cell in cells}) == 1:
        return f"{total:,}: {cells[0].matches:,} of each"
    has_one_line_up = len({cell.line_up for cell in cells}) == 1
    names = [cell.title if has_one_line_up else cell.name for cell in cells]
    amounts = [f"{name} {cell.matches:,}" for name, cell in zip(names, cells, strict=True)]
    return f"{total:,}: {'; '.join(amounts)}"


def make_empty_selection(db: Path, contents: Contents) -> Selection:
    """Nothing of a file: for pages that can do without matches."""
    return Selection(db=db, contents=contents, variants=(), players=(), line_up="", seed=1)


# ---- what there is to choose from


def list_line_ups(contents: Contents, variants: Sequence[str], seed: int) -> list[str]:
    """The line-ups of some variants: those of one agent first, and of these the strongest."""
    cells = [cell for cell in contents.cells if cell.variant in variants and cell.seed == seed and cell.deals]
    names = {cell.line_up for cell in cells}
    return sorted(names, key=lambda name: ("," in name, [-rank for rank in rank_agent(name)], name))


def list_stored_variants(contents: Contents) -> list[str]:
    """The labels of the variants with matches."""
    stored = {cell.variant for cell in contents.cells if cell.deals}
    return [label for label in contents.variants if label in stored]


def list_seeds(contents: Contents, variants: Sequence[str]) -> list[int]:
    cells = [cell for cell in contents.cells if cell.variant in variants and cell.deals]
    return list(dict.fromkeys(cell.seed for cell in cells))


def list_player_counts(contents: Contents, variants: Sequence[str], line_up: str, seed: int) -> list[int]:
    """The player counts of which some variant has matches by these agents."""
    cells = [cell for cell in contents.current_cells.values() if cell.variant in variants]
    return sorted({cell.players for cell in cells if (cell.line_up, cell.seed) == (line_up, seed)})


# ---- from the address


@dataclass(frozen=True, kw_only=True)
class Preference:
    """What to show unless the address says otherwise: a comparison that was asked for."""

    specs: tuple[str, ...]
    agent: str
    players: tuple[int, ...]
    seed: int


@dataclass(frozen=True)
class ReadSelection:
    """A selection, and the names in the address that mean nothing in this file, by kind."""

    selection: Selection
    unknown: dict[str, list[str]]


def read_selection(
    db: Path, contents: Contents, address: Address, preferred: Preference | None = None
) -> ReadSelection | None:
    """What an address asks for; what it leaves out is chosen. None if the file has no matches."""
    if not list_stored_variants(contents):
        return None
    named, unknown_variants = _find_variants(contents, address.get("variant", ()))
    variants = named or _choose_variants(contents, preferred)
    prefers = preferred if preferred and _suits(contents, variants, preferred) else None
    seeds = list_seeds(contents, variants)
    chosen_seed, unknown_seeds = _pick(address.get("seed", ()), list(map(str, seeds)))
    seed = int(chosen_seed[0]) if chosen_seed else _choose_seed(contents, variants, seeds, prefers)
    line_ups = list_line_ups(contents, variants, seed)
    chosen_line_up, unknown_line_ups = _pick(address.get("agents", ()), line_ups)
    line_up = chosen_line_up[0] if chosen_line_up else _choose_line_up(contents, variants, seed, prefers)
    counts = list_player_counts(contents, variants, line_up, seed)
    chosen_counts, unknown_counts = _pick(address.get("players", ()), list(map(str, counts)))
    players = tuple(n for n in counts if str(n) in chosen_counts) or _choose_players(
        variants, counts, prefers
    )
    unknown = {
        "variant": unknown_variants,
        "line-up": unknown_line_ups,
        "player count": unknown_counts,
        "seed": unknown_seeds,
    }
    selection = Selection(
        db=db, contents=contents, variants=variants, players=players, line_up=line_up, seed=seed
    )
    return ReadSelection(selection, {kind: names for kind, names in unknown.items() if names})


def _pick(names: Sequence[str], options: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names that are options, and those that are not."""
    return [name for name in names if name in options], [name for name in names if name not in options]


def _find_variants(contents: Contents, names: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The labels of these variants, each once, and the names that are none. Other names for the same rules
    are understood, and a star may be left out.
    """
    stored = list_stored_variants(contents)
    labels: dict[str, str] = {}
    for label in stored:
        info = contents.variants[label]
        labels |= dict.fromkeys([*info.other_names, info.name, info.spec, label], label)
    found = dict.fromkeys(labels[name] for name in names if name in labels)
    return tuple(found), [name for name in names if name not in labels]


def _choose_variants(contents: Contents, preferred: Preference | None) -> tuple[str, ...]:
    """Those of the comparison that was asked last; else the first few of the first game."""
    if preferred:
        labels, unknown = _find_variants(contents, preferred.specs)
        if not unknown and len(labels) > 1:
            return labels
    labels = tuple(list_stored_variants(contents))
    game = contents.variants[labels[0]].game
    return tuple(label for label in labels if contents.variants[label].game == game)[:MAX_VARIANTS_AT_FIRST]


def _suits(contents: Contents, variants: Sequence[str], preferred: Preference) -> bool:
    """Whether the preferred comparison is about these variants."""
    labels, _ = _find_variants(contents, preferred.specs)
    return set(variants) <= set(labels)


def _choose_seed(
    contents: Contents, variants: Sequence[str], seeds: Sequence[int], preferred: Preference | None
) -> int:
    """That of the comparison; else the one on which most of the variants have matches."""
    if preferred and preferred.seed in seeds:
        return preferred.seed
    settings = {(cell.seed, cell.variant) for cell in contents.current_cells.values()}
    return max(seeds, key=lambda seed: sum((seed, variant) in settings for variant in variants))


def _choose_players(
    variants: Sequence[str], counts: Sequence[int], preferred: Preference | None
) -> tuple[int, ...]:
    """Those of the comparison, if there is something to compare; else all with matches."""
    compared = tuple(n for n in counts if preferred and n in preferred.players)
    return compared if compared and len(variants) > 1 else tuple(counts)


def _choose_line_up(
    contents: Contents, variants: Sequence[str], seed: int, preferred: Preference | None
) -> str:
    """The agent that decides the comparison; else the strongest with matches of all variants, or of as many
    as possible.
    """
    line_ups = list_line_ups(contents, variants, seed)
    if preferred and preferred.agent in line_ups and preferred.seed == seed:
        return preferred.agent
    cells = [cell for cell in contents.current_cells.values() if cell.seed == seed]
    played = {
        name: len({cell.variant for cell in cells if cell.line_up == name} & set(variants))
        for name in line_ups
    }
    return max(line_ups, key=lambda name: ("," not in name, played[name], -line_ups.index(name)))
