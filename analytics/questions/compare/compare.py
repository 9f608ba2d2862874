"""`compare`: play what is missing in growing waves, then judge. The command line and notebooks call the same
function.
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from analytics.playing import (
    MOST_DEALS,
    Budget,
    Driver,
    Group,
    RunOptions,
    count_complete_deals,
    count_matches,
)
from analytics.questions.compare.judge import judge, load_main_contrasts
from analytics.questions.compare.pace import TIME_SHARES, load_match_seconds
from analytics.verdict.design import Design, make_design
from analytics.verdict.results import Comparison, Contrast
from analytics.verdict.terms import (
    MINUTES,
    RegisteredTerms,
    Terms,
    check_thresholds,
    list_usual_metrics,
    make_terms,
    preregister_terms,
)
from analytics.verdict.verdicts import OPEN
from boardgames.agents.agent import check_nets
from boardgames.game.player_counts import Players, format_players
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Texts, Variants, list_agents, list_specs, list_texts
from boardgames.plan.plan import Plan
from boardgames.play.batch import SLICE
from boardgames.store.write import check_writable

ENOUGH_DEALS = 100_000  # of a cell, unless asked for more: finer differences than these show do not matter
# of a head-to-head, at most: enough to say who is stronger, and the fewest that can raise a doubt
STRENGTH_DEALS = SLICE
OTHER_AGENTS_MINUTES = 0.05  # minutes that the other agents have at least

OnStart = Callable[[Design, Terms], None]
OnLook = Callable[[Sequence[Contrast]], None]


def ignore_start(design: Design, terms: Terms) -> None:
    """For callers who need not know the design before the first match."""


class Listeners(NamedTuple):
    """Who hears of a comparison while it is played."""

    on_start: OnStart = ignore_start  # gets the design and the terms before the first match
    # gets the contrasts with their main metrics so far, again and again while the deciding agent plays
    on_look: OnLook | None = None


NO_LISTENERS = Listeners()


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """What is to be compared, and by what."""

    specs: Sequence[str]
    players: str = ""
    agents: Sequence[str] = ()  # that were named
    usual_agents: Sequence[str] = ()  # who plays if none were; else those of the earlier comparison, or two
    head_to_heads: bool = True
    main_metrics: Sequence[str] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)


def compare(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = (),
    minutes: float | None = None,
    matches: int | None = None,
    until_decided: bool = False,
    more: bool = False,
    main_metrics: Texts = (),
    thresholds: Mapping[str, float] | None = None,
    head_to_heads: bool = True,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_start: OnStart = ignore_start,
    on_look: OnLook | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> Comparison:
    """What the others do to the first: `compare("celtica", "celtica+hand_size=6", players=2, minutes=1)`.

    Plays until every main metric has its verdict, for two minutes at most; `minutes` is another limit,
    `until_decided` sets none, and `matches` plays this many of each. A comparison that is in the file already
    is only looked at, unless `more`, `matches` or `until_decided` ask for more. Of several agents, from weak
    to strong, the first decides. `thresholds` are the smallest differences that matter, by metric.

    `on_start` gets the design and the terms before the first match, `on_look` where it stands while the
    deciding agent plays, `on_progress` lines about what is going on.
    """
    request = ComparisonRequest(
        specs=list_specs(variants),
        players=format_players(players),
        agents=list_agents(agents),
        head_to_heads=head_to_heads,
        main_metrics=list_texts("main_metrics", main_metrics),
        thresholds=check_thresholds(thresholds),
    )
    budget = Budget(minutes=minutes, matches=matches, until_decided=until_decided, extend=more)
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    with follow_lines("compare", on_progress) as on_line:
        options = replace(options, on_progress=on_line)
        return run_comparison(request, budget, options, Listeners(on_start, on_look))


@dataclass(frozen=True)
class PlayedComparison:
    """A comparison that can be judged."""

    design: Design
    terms: Terms
    registered: Sequence[RegisteredTerms]  # all versions of the terms
    played: int  # matches, by this call
    match_seconds: float  # see Comparison


def run_comparison(
    request: ComparisonRequest,
    budget: Budget,
    options: RunOptions,
    listeners: Listeners = NO_LISTENERS,
) -> Comparison:
    """Play what is missing, and judge."""
    done = play_comparison(request, budget, options, listeners)
    options.on_progress("working out the answer")
    comparison = judge(done.design, options.db, done.terms, done.registered)
    return replace(comparison, played=done.played, match_seconds=done.match_seconds)


def play_comparison(
    request: ComparisonRequest,
    budget: Budget,
    options: RunOptions,
    listeners: Listeners = NO_LISTENERS,
) -> PlayedComparison:
    """Plan, register the terms, play."""
    db = options.db
    check_writable(db)
    design = _make_design(request, options)
    preregistration = preregister_terms(db, design.id, design.name, design.question)
    stored_deals = {name: count_complete_deals(plan, db) for name, plan in design.plans.items()}
    is_complete = bool(stored_deals) and all(stored_deals.values())
    plays = budget.asks_for_more or not is_complete
    terms = _choose_terms(design, preregistration.latest(), request, budget if plays else Budget())
    listeners.on_start(design, terms)
    registered = preregistration.record(terms, count_stored_matches(design, db))
    driver = Driver(options=options)
    groups = [
        _make_group(design, name, plan, stored_deals[name], budget.matches)
        for name, plan in design.plans.items()
    ]
    look = functools.partial(_forecast_deals, design, db, terms, listeners.on_look)
    if plays and budget.matches and not budget.until_decided:
        _play_matches(driver, groups, look if listeners.on_look else None)
    elif plays:
        minutes = budget.minutes if budget.until_decided else budget.minutes or terms.minutes or MINUTES
        play_until_decided(driver, groups, look, minutes)
        if budget.extend and not driver.played:  # all is decided, and more matches are wanted nevertheless
            driver.play_for(groups, 60 * (minutes or MINUTES), ENOUGH_DEALS)
    return PlayedComparison(design, terms, registered, driver.played, _load_match_seconds(design, options))


def _play_matches(driver: Driver, groups: Sequence[Group], look: Callable[[], object] | None) -> None:
    """Play all matches that were asked for; if someone watches, look at the deciding agent's meanwhile."""

    def look_and_go_on(deals: int) -> float:
        if look:
            look()
        return math.inf

    if look and groups and groups[0].deals < groups[0].max_deals:
        driver.play_until(groups[0], look_and_go_on, math.inf)
    driver.play_matches(groups)


def _load_match_seconds(design: Design, options: RunOptions) -> float:
    plan = design.plans.get(design.agents[0])
    cells = [cell.id for cell in plan.cells] if plan else []
    return load_match_seconds(options.db, cells, len(design.agents), options.workers)


def _make_design(request: ComparisonRequest, options: RunOptions) -> Design:
    """The design; unless it is said who plays, with the agents of the latest registered terms."""
    agents = request.agents or request.usual_agents
    design = make_design(request.specs, request.players, agents, options.seed, request.head_to_heads)
    if request.agents:
        check_nets(design.agents, design.games, design.players)
    last = preregister_terms(options.db, design.id).latest()
    return replace(design, agents=last.agents) if last and not agents else design


def _choose_terms(design: Design, last: Terms | None, request: ComparisonRequest, budget: Budget) -> Terms:
    """The latest terms, if there are any, with what is asked for now; else the usual ones."""
    chosen = request.main_metrics or (last.main_metrics if last else list_usual_metrics(design.variants))
    thresholds = {**(last.thresholds if last else {}), **request.thresholds}
    terms = make_terms(design.agents, chosen, thresholds)
    if budget.until_decided:
        matches = budget.matches or MOST_DEALS
        return replace(terms, minutes=budget.minutes, matches=matches, until_decided=True)
    if budget.matches:
        return replace(terms, matches=budget.matches)
    if last and not budget.minutes:
        return replace(terms, minutes=last.minutes, matches=last.matches, until_decided=last.until_decided)
    return replace(terms, minutes=budget.minutes or MINUTES, until_decided=True)


def _forecast_deals(design: Design, db: Path, terms: Terms, on_look: OnLook | None) -> int:
    """The number of deals at which the next open main metric would probably be settled, by the deciding
    agent; 0 if none is open. Whoever watches is shown where it stands.
    """
    deciding = replace(design, agents=design.agents[:1], head_to_heads=False)
    contrasts = load_main_contrasts(deciding, db, replace(terms, agents=deciding.agents))
    if on_look:
        on_look(contrasts)
    return min(
        (
            line.difference.deals + (line.more or SLICE) * contrast.deals // contrast.matches
            for contrast in contrasts
            for line in contrast.lines
            if line.verdict in OPEN
        ),
        default=0,
    )


def play_until_decided(
    driver: Driver, groups: Sequence[Group], forecast: Callable[[], int], minutes: float | None
) -> None:
    """Play the first group until its verdicts are settled, then the others for their share of the time that
    took. Looking does no harm: see `verdicts`.
    """
    if not groups:
        return
    first, *others = groups
    shares = sum(group.share for group in groups)
    limit = 60 * (minutes or math.inf)
    driver.play_until(first, lambda deals: forecast(), limit * first.share / shares)
    if not others or (not driver.played and all(group.deals for group in others)):
        return
    for_others = max(60 * OTHER_AGENTS_MINUTES, first.seconds / first.share * (shares - first.share))
    driver.play_for(others, min(for_others, limit - first.seconds), ENOUGH_DEALS)


def count_stored_matches(design: Design, db: Path) -> int:
    """The number of matches of a comparison in the result file."""
    return count_matches(db, [cell for plan in design.plans.values() for cell in plan.cells])


def _make_group(design: Design, name: str, plan: Plan, stored_deals: int, matches: int | None) -> Group:
    """Self-play answers the question and goes as far as it can. A head-to-head only says how strong an agent
    is, and stops soon, but not before there can be an interval.
    """
    share = _find_time_share(design, name)
    group = Group(name=name, plan=plan, deals=stored_deals, share=share, max_matches=matches)
    if name in design.agents:
        return group
    seatings = max(cell.seating_count for cell in plan.cells)
    enough = min(STRENGTH_DEALS, max(2, matches // seatings)) if matches else STRENGTH_DEALS
    return replace(group, max_matches=None, max_deals=enough)


def _find_time_share(design: Design, name: str) -> float:
    if name == design.agents[0]:
        return TIME_SHARES["deciding"]
    if name in design.agents:
        return TIME_SHARES["others"] / (len(design.agents) - 1)
    return TIME_SHARES["head_to_head"] / len(design.list_neighbouring_agents())
