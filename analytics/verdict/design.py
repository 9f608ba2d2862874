"""Which cells a comparison needs: every variant at every player count by every agent, and head-to-heads of
neighbouring agents.
"""

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analytics.verdict.terms import Question
from boardgames.agents.agent import find_agent, find_agent_at, find_usual_agents
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.game import Game
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell, hash63
from boardgames.plan.plan import Plan


@dataclass(frozen=True)
class Design:
    variants: tuple[Variant, ...]  # A first
    players: tuple[int, ...]
    agents: tuple[str, ...]  # from weak to strong; the first one's matches decide
    seed: int
    head_to_heads: bool = True

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(variant.spec for variant in self.variants)

    @property
    def name(self) -> str:
        return f"compare {', '.join(variant.name for variant in self.variants)}"

    @property
    def id(self) -> int:
        """The same for the same variants in the same order, player counts and seed, on every machine."""
        return hash63("comparison", self._rules, list(self.players), self.seed)

    @property
    def question(self) -> Question:
        return Question(self.specs, self.players, self.seed)

    def list_changed_variants(self, players: int) -> list[int]:
        """The indexes of the variants that have other rules than A at this player count."""
        return self._changed_variants[players]

    @functools.cached_property
    def _changed_variants(self) -> dict[int, list[int]]:
        return {
            players: [
                index
                for index, variant in enumerate(self.variants)
                if index and not has_same_rules(self.variants[0], variant, players)
            ]
            for players in self.players
        }

    @property
    def games(self) -> list[Game]:
        return [variant.game for variant in self.variants]

    def find_agent_at(self, agent: str, players: int) -> str:
        """Who plays with this many players: with `learned`, the usual agent where there is no net."""
        return find_agent_at(agent, self.games, players)

    def list_agents_at(self, players: int) -> tuple[str, ...]:
        """Who plays with this many players, from weak to strong; the first one decides."""
        return tuple(dict.fromkeys(self.find_agent_at(agent, players) for agent in self.agents))

    @property
    def deciding_agents(self) -> dict[int, str]:
        """Whose matches decide, by player count."""
        return {players: self.find_agent_at(self.agents[0], players) for players in self.players}

    def _place_agents(self, line_up: str, players: int) -> str:
        """A line-up with the agents that play with this many players."""
        return ",".join(self.find_agent_at(agent, players) for agent in line_up.split(","))

    def find_weaker(self, agent: str) -> str:
        """The agent named before this one; random for the first."""
        index = self.agents.index(agent)
        return self.agents[index - 1] if index else "random"

    def list_neighbouring_agents(self) -> list[tuple[str, str]]:
        """Neighbours in strength, as (strong, weak); none without head-to-heads."""
        if not self.head_to_heads:
            return []
        pairs = [(agent, self.find_weaker(agent)) for agent in self.agents]
        return [(strong, weak) for strong, weak in pairs if strong != weak]

    @functools.cached_property
    def plans(self) -> dict[str, Plan]:
        """What to play, in groups whose cells grow alike: self-play by each agent, and each head-to-head."""
        groups = {agent: self._make_plan(dict.fromkeys(self.players, agent), agent) for agent in self.agents}
        for strong, weak in self.list_neighbouring_agents():
            line_ups = {n: make_head_to_head_line_up(strong, weak, n) for n in self.players}
            groups[f"{strong} against {weak}"] = self._make_plan(line_ups, f"{strong} against {weak}")
        return {name: plan for name, plan in groups.items() if plan.cells}

    def _make_plan(self, line_ups: dict[int, str], title: str) -> Plan:
        cells: list[PlannedCell] = []
        for players, line_up in line_ups.items():
            changed = self.list_changed_variants(players)
            variants = [self.variants[index] for index in [0, *changed]] if changed else []
            cells += [
                PlannedCell(
                    variant,
                    find_line_up(self._place_agents(line_up, players), players, variant.game),
                    self.seed,
                )
                for variant in variants
            ]
        unique = tuple({cell.id: cell for cell in cells}.values())
        return Plan(unique, {}, self.seed, f"{self.name}: {title}").with_deals(1)

    def find_cell(self, index: int, players: int, line_up: str) -> PlannedCell:
        """The planned cell of the variant at this index; KeyError if there is none.

        A variant written in two ways has one cell.
        """
        return self._cells[self._rules[index], players, self._place_agents(line_up, players)]

    @functools.cached_property
    def _rules(self) -> list[tuple[str, str]]:
        """Name and fingerprint of each variant."""
        return [(variant.name, variant.fingerprint()) for variant in self.variants]

    @functools.cached_property
    def _cells(self) -> dict[tuple[tuple[str, str], int, str], PlannedCell]:
        """All planned cells, by variant, player count and line-up."""
        return {
            ((cell.variant.name, cell.variant.fingerprint()), cell.players, cell.format_line_up()): cell
            for plan in self.plans.values()
            for cell in plan.cells
        }


def make_head_to_head_line_up(strong: str, weak: str, players: int) -> str:
    """One strong agent among weak ones."""
    return ",".join([strong, *[weak] * (players - 1)])


def make_design(
    named: Sequence[str | Variant],
    players: Players = "",
    agents: Sequence[str] = (),
    seed: int = 1,
    head_to_heads: bool = True,
) -> Design:
    """A checked design: at least two variants, each once; by default the middle one of the player counts
    that all allow.

    A spec is one that was typed; what only a file names is looked up first, by `find_stored`.
    """
    variants = tuple(find_variant(item) for item in named)
    specs = [variant.spec for variant in variants]
    if len(variants) < 2:
        raise InvalidInput("name at least two variants: boardgames compare celtica celtica+hand_size=6")
    if repeated := [spec for spec in specs if specs.count(spec) > 1]:
        raise InvalidInput(f"{repeated[0]} is named twice; a variant compared with itself is the same")
    wanted = agents or list_usual_agents(variants, players)
    names = tuple(dict.fromkeys(_find_single_agent(spec, variants[0].game) for spec in wanted))
    counts = tuple(parse_player_counts(players)) or (find_usual_player_count(variants),)
    for variant in variants:
        for count in counts:
            variant.make_blank_state(count)
    is_contest = not all(variant.game.is_cooperative for variant in variants)
    return Design(variants, counts, names, seed, head_to_heads and is_contest)


def list_usual_agents(variants: Iterable[Variant], players: Players) -> tuple[str, str]:
    """Who plays unless agents are named: the usual one of all these variants, which decides, and a search."""
    variants = list(variants)
    counts = parse_player_counts(players) or [find_usual_player_count(variants)]
    return find_usual_agents([variant.game for variant in variants], counts), "mcts:64"


def _find_single_agent(spec: str, game: Game) -> str:
    if "," in spec:
        raise InvalidInput(
            f"'{spec}' is a line-up; compare wants one agent for all seats. Repeat --agents for more of them"
        )
    return find_agent(spec, game).name


def find_usual_player_count(variants: Sequence[Variant]) -> int:
    """The middle one of the player counts that all variants allow; the smaller one of two."""
    if not variants:
        raise InvalidInput("name a variant, such as celtica")
    common = sorted(set.intersection(*(set(variant.game.player_counts) for variant in variants)))
    if not common:
        raise InvalidInput(
            f"{' and '.join(variant.name for variant in variants)} have no player count in common"
        )
    return common[(len(common) - 1) // 2]


def has_same_rules(a: Variant, b: Variant, players: int) -> bool:
    """Whether both have the same code and the same numbers at this player count."""
    if a.game is b.game:
        return bool(a.make_blank_state(players).tobytes() == b.make_blank_state(players).tobytes())
    return a.fingerprint() == b.fingerprint()


def shares_luck(a: Variant, b: Variant) -> bool:
    """Whether the same seed means the same luck: derived games share their parent's streams and actions."""
    return a.game is b.game or (a.game.streams, a.game.actions) == (b.game.streams, b.game.actions)


def describe_changes(a: Variant, b: Variant) -> list[str]:
    """What differs, in words."""
    parameters_of_b = {parameter.name: parameter for parameter in b.game.parameters}
    changes = []
    if a.game is not b.game:
        changes.append(f"{b.game.name} is another game than {a.game.name}: {b.game.about}")
    for parameter in a.game.parameters:
        name = parameter.name
        if name in parameters_of_b and a.values[name] != b.values[name]:
            value_a = parameter.write(a.values[name])
            value_b = parameters_of_b[name].write(b.values[name])
            changes.append(f"{parameter.description}: {value_a} -> {value_b} ({name})")
    return changes
