"""What to play: variants x player counts x line-ups x deals, from one master seed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from boardgames.agents.agent import find_usual_agent
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.grid import expand_grid
from boardgames.game.player_counts import Players, format_players, parse_player_counts
from boardgames.game.plugins import find_variant, read_own_variants
from boardgames.given_values import to_python
from boardgames.plan.arguments import Agents, Texts, Variants, format_agents, list_specs, list_texts
from boardgames.plan.cell import PlannedCell
from boardgames.plan.request import PlanRequest, list_mistakes

MATCHES = 1000  # of each cell, where no number is given


class Plan(NamedTuple):
    """What to play."""

    cells: tuple[PlannedCell, ...]
    deals: Mapping[int, int]  # by the id of the cell
    seed: int
    name: str = ""
    note: str = ""
    request: PlanRequest | None = None  # None, if it was not asked for in words

    def __repr__(self) -> str:
        return f"<Plan {self.name}: cells {len(self.cells):,}, matches {self.matches:,}>"

    @property
    def matches(self) -> int:
        return sum(self.deals[cell.id] * cell.seating_count for cell in self.cells)

    @property
    def until(self) -> list[str]:
        """How well to know which metric; empty if the number of matches says how much to play."""
        return self.request.until if self.request else []

    def with_deals(self, deals: int) -> "Plan":
        """The same cells, with this many deals of each."""
        return self._replace(deals=dict.fromkeys((cell.id for cell in self.cells), deals))


def check_is_plan(plan: Any, function: str) -> None:
    """Raise unless a plan was handed to this function: a variant is planned first."""
    if not isinstance(plan, Plan):
        advice = f"write {function}(make_plan(...))"
        raise InvalidInput(f"{plan!r} is not a plan: {advice}, or simulate(...) for a number of matches")


def plan_deals(cells: Sequence[PlannedCell], deals: int, name: str) -> Plan:
    """A plan to play the same number of deals of each cell, all of one seed."""
    return Plan(cells=tuple(cells), deals={}, seed=cells[0].seed, name=name).with_deals(deals)


def make_plan(
    variants: Variants,
    players: Players = "",
    agents: Agents = (),
    matches: int | None = None,
    seed: int = 1,
    *,
    name: str = "",
    note: str = "",
    sweep: Texts = (),
    until: Texts = (),
    minutes: float | None = None,
) -> Plan:
    """Every variant with every player count and every line-up. No player count said means all that the game
    allows; no line-up, the usual agent of each player count.

    `until` and `minutes` are for `analytics.simulate_until`; with them, `matches` is the most of each cell
    that it may take.
    """
    request: dict[str, Any] = {
        "variants": list_specs(variants),
        "players": format_players(players),
        "agents": format_agents(agents),
        "matches": to_python(matches),
        "seed": to_python(seed),
        "name": name,
        "note": note,
        "sweep": list_texts("sweep", sweep),
        "until": list_texts("until", until),
        "minutes": minutes,
    }
    try:
        return plan_request(PlanRequest(**request))
    except ValidationError as error:
        raise InvalidInput("; ".join(m.message for m in list_mistakes(error, request))) from None


def plan_request(request: PlanRequest, own: Mapping[str, Any] | None = None) -> Plan:
    """The plan for a request; `own` are tables of variants, those of variants.toml if none are given."""
    own = read_own_variants() if own is None else own
    cells: dict[int, PlannedCell] = {}
    for variant in [find_variant(spec, own) for spec in expand_grid(request.variants, request.sweep)]:
        for player_count in parse_player_counts(request.players) or list(variant.game.player_counts):
            variant.make_blank_state(player_count)
            for line_up in request.agents or [find_usual_agent([variant.game], player_count)]:
                cell = PlannedCell(variant, find_line_up(line_up, player_count, variant.game), request.seed)
                cells[cell.id] = cell
    title = ", ".join([*request.variants, *request.sweep])
    return Plan(
        cells=tuple(cells.values()),
        deals={cell.id: cell.count_deals(request.matches or MATCHES) for cell in cells.values()},
        seed=request.seed,
        name=request.name or title,
        note=request.note,
        request=request,
    )
