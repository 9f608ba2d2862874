"""Which cells a comparison needs: every variant with every player count by every rung, and duels of neighbouring rungs."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from boardgames.agents.agent import find_agent, find_line_up
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, hash63, read_players
from boardgames.game.game import Game
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant


@dataclass(frozen=True)
class Design:
    variants: tuple[Variant, ...]  # A first
    players: tuple[int, ...]
    agents: tuple[str, ...]  # rungs, from weak to strong; the first one's matches decide
    seed: int
    duels: bool = True

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(variant.spec for variant in self.variants)

    @property
    def name(self) -> str:
        return f"compare {', '.join(variant.name for variant in self.variants)}"

    @property
    def number(self) -> int:
        """The same for the same variants in the same order, player counts and seed, on every machine."""
        prints = [(variant.name, variant.fingerprint()) for variant in self.variants]
        return hash63("comparison", prints, list(self.players), self.seed)

    def others(self, players: int) -> list[int]:
        """The variants that have other rules than A at this player count."""
        return [place for place, other in enumerate(self.variants) if place and not same_rules(self.variants[0], other, players)]

    def below(self, agent: str) -> str:
        """The rung below: the one named before it; random for the first."""
        place = self.agents.index(agent)
        return self.agents[place - 1] if place else "random"

    def rungs(self) -> list[tuple[str, str]]:
        """Neighbours on the ladder, as (strong, weak)."""
        pairs = [(agent, self.below(agent)) for agent in self.agents]
        return [(strong, weak) for strong, weak in pairs if strong != weak] if self.duels else []

    @functools.cached_property
    def plans(self) -> dict[str, Plan]:
        """What to play, in groups whose cells grow alike: self-play by each rung, and each duel."""
        groups = {agent: self._plan(dict.fromkeys(self.players, agent), agent) for agent in self.agents}
        for strong, weak in self.rungs():
            line_ups = {n: duel(strong, weak, n) for n in self.players}
            groups[f"{strong} against {weak}"] = self._plan(line_ups, f"{strong} against {weak}")
        return {name: plan for name, plan in groups.items() if plan.cells}

    def _plan(self, line_ups: dict[int, str], title: str) -> Plan:
        cells: list[PlannedCell] = []
        for n, line_up in line_ups.items():
            places = self.others(n)
            variants = [self.variants[place] for place in [0, *places]] if places else []
            cells += [PlannedCell(one, find_line_up(line_up, n, one.game), self.seed) for one in variants]
        return Plan(tuple({cell.id: cell for cell in cells}.values()), 1, self.seed, f"{self.name}: {title}")

    def cell(self, place: int, players: int, line_up: str) -> PlannedCell:
        """One of the planned cells, by the variant's place. A variant written in two ways has one cell."""
        wanted = self.variants[place]
        for plan in self.plans.values():
            for cell in plan.cells:
                here = cell.players == players and cell.line_up_name() == line_up and cell.variant.name == wanted.name
                if here and cell.variant.fingerprint() == wanted.fingerprint():
                    return cell
        raise KeyError((wanted.name, players, line_up))


def duel(strong: str, weak: str, players: int) -> str:
    """One strong agent among weak ones."""
    return ",".join([strong, *[weak] * (players - 1)])


def make_design(
    named: Sequence[str | Variant], players: str = "", agents: Sequence[str] = ("greedy",), seed: int = 1, duels: bool = True
) -> Design:
    """Checked: two variants or more, each once; the middle one of the player counts that all allow, unless said.

    Variants are named by specs that somebody typed; what only a file names is found first, by `find_stored`.
    """
    variants = tuple(find_variant(one) if isinstance(one, str) else one for one in named)
    specs = [variant.spec for variant in variants]
    if len(variants) < 2:
        raise BadInput("name at least two variants: boardgames compare celtica celtica+hand_size=6")
    if twice := [spec for spec in specs if specs.count(spec) > 1]:
        raise BadInput(f"{twice[0]} is named twice; a variant compared with itself is the same")
    rungs = tuple(dict.fromkeys(_rung(spec, variants[0].game) for spec in agents))
    counts = tuple(read_players(players)) or (usual_players(variants),)
    for variant in variants:
        for count in counts:
            variant.blank(count)
    return Design(variants, counts, rungs, seed, duels)


def _rung(spec: str, game: Game) -> str:
    if "," in spec:
        raise BadInput(f"'{spec}' is a line-up; compare wants one agent for all seats. Repeat --agents for more rungs")
    return find_agent(spec, game).name


def usual_players(variants: Sequence[Variant]) -> int:
    """The middle one of the player counts that all variants allow, the smaller of two."""
    common = sorted(set.intersection(*(set(variant.game.players) for variant in variants)))
    if not common:
        raise BadInput(f"{' and '.join(variant.name for variant in variants)} have no player count in common")
    return common[(len(common) - 1) // 2]


def same_rules(a: Variant, b: Variant, players: int) -> bool:
    """Whether both are played alike by so many: the same code on the same numbers."""
    if a.game is b.game:
        return bool(a.blank(players).tobytes() == b.blank(players).tobytes())
    return a.fingerprint() == b.fingerprint()


def shares_luck(a: Variant, b: Variant) -> bool:
    """Whether the same seed means the same luck: derived games share the streams and actions of their parent."""
    return a.game is b.game or (a.game.streams, a.game.actions) == (b.game.streams, b.game.actions)


def changes(a: Variant, b: Variant) -> list[str]:
    """What differs, in words."""
    there = {parameter.name: parameter for parameter in b.game.parameters}
    told = [] if a.game is b.game else [f"{b.game.name} is another game than {a.game.name}: {b.game.about}"]
    for parameter in a.game.parameters:
        name = parameter.name
        if name in there and a.values[name] != b.values[name]:
            told.append(f"{parameter.sentence}: {parameter.write(a.values[name])} -> {there[name].write(b.values[name])} ({name})")
    return told
