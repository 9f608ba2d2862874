"""The answer of a search for a fix in sentences. The terminal, the report and the dashboard take them from
here.
"""

from collections.abc import Iterator

from analytics.questions.compare.conclusions import conclude
from analytics.questions.fix.results import ANSWERS, Candidate, Fix, combine
from analytics.questions.goals.conclusions import describe_checks
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN
from analytics.verdict.results import Line
from analytics.words import (
    add_unit,
    describe_agents,
    find_clear_sign,
    format_metric,
    format_number,
    join_words,
)

NUMBERS = {1: "One", 2: "Two", 3: "Three", 4: "Four"}
MOST_MOVES = 3  # named of what else a change moves
WORDS = {PASS: "reaches the goals", FAIL: "does not reach them", UNKNOWN: "still open"}
TOO_FEW_SHARED = "No answer yet: the baseline and this change have played too few of the same deals."
HOW_TO_READ = (
    "Whether a change reaches the goals is judged on fresh deals, which the search never saw. The chance "
    "that any of these verdicts is ever wrong is at most 5%, however often you look; those of the second "
    "agent have another 5%, with what it says of the game as it is. What else a change moves is told as by "
    "`compare`, with 5% of its own for each change, on the deals that both played."
)


def describe_search(fix: Fix) -> str:
    """celtae, 4 players, by greedy, seed 1: seat_win_share within 3 pp of fair"""
    setting = f"{', '.join(map(str, fix.players))} players, by {name_agents(fix)}, seed {fix.seed}"
    return f"{fix.variant}, {setting}: {'; '.join(fix.goals)}"


def name_agents(fix: Fix) -> str:
    """Who decides, with the player counts if it is not the same one with all."""
    return describe_agents(fix.agents) if fix.agents else fix.agent


def conclude_fix(fix: Fix) -> Iterator[str]:
    """Whether the agents see the same problem; what to change, or that nothing helps and what came nearest;
    then how things are without a change.
    """
    if fix.disputed:
        yield _describe_dispute(fix)
    if fix.is_met_already:
        yield f"{fix.variant} reaches the goals as it is: {describe_checks(fix.baseline)}."
        return
    yield from (describe_candidate(candidate) for candidate in fix.fixes)
    if fix.fixes and fix.is_sampled and fix.fixes[0].steps > 1:
        yield f"A smaller change may reach the goals, too: {_describe_tried(fix)}."
    if not fix.fixes:
        yield _describe_failure(fix)
        if nearest := find_nearest(fix):
            yield f"Nearest: {join_words(nearest.changes)}. {_describe_verdict(nearest)}".rstrip()
    if not fix.disputed:
        yield _describe_baseline(fix)


def _describe_dispute(fix: Fix) -> str:
    """The agents disagree about the game as it is: whoever plays it has another problem."""
    first, other = (describe_checks(checks) for checks in (fix.baseline, fix.other_baseline))
    return (
        f"{name_agents(fix)} and {fix.other_agent} disagree about {fix.variant} as it is. By "
        f"{name_agents(fix)}, {first}. By {fix.other_agent}, {other}. Settle first which of them plays like "
        "your players: a fix for one may make it worse for the other."
    )


def _describe_baseline(fix: Fix) -> str:
    checks = describe_checks(fix.baseline)
    other = f" By {fix.other_agent}, {describe_checks(fix.other_baseline)}." if fix.other_baseline else ""
    if combine(fix.baseline) == UNKNOWN:
        leans = "most likely misses" if any(check.side for check in fix.baseline) else "may reach"
        already = "" if leans.startswith("most") else " already"
        return f"{fix.variant} as it is {leans} the goals{already}, its verdict is open: {checks}.{other}"
    return f"{fix.variant} as it is: {checks}.{other}"


def _describe_failure(fix: Fix) -> str:
    tried = _describe_tried(fix)
    if fix.verdict == FAIL:
        return f"Nothing within the bounds reaches the goals: {tried}."
    if fix.is_exhausted:
        return (
            f"No fix yet: {tried}. The same command tries no others: name fewer parameters with --change, or "
            "shorter ranges."
        )
    more = f"a larger --matches than {fix.max_matches:,}" if fix.max_matches else "the same command again"
    return f"No fix yet: {tried}. More matches may find one or settle what is open: type {more}."


def _describe_tried(fix: Fix) -> str:
    """31 of 1,295 changes were tried, to starting_tokens and hand_size, up to 2 at once"""
    count = (
        f"{fix.tried:,} of {fix.possible:,}" if fix.tried + fix.refused < fix.possible else f"{fix.tried:,}"
    )
    changes = "change was" if count == "1" else "changes were"
    several = f", up to {fix.tried_at_once} at once" if fix.tried_at_once > 1 else ""
    return f"{count} {changes} tried, to {join_words(fix.tried_parameters or fix.parameters)}{several}"


def find_nearest(fix: Fix) -> Candidate | None:
    """The change that came nearest to the goals, the smallest of equals; of several that played again, on
    fresh deals.
    """
    distances = {c.variant: c.shortfall.mean for c in fix.candidates}
    if fresh := {c.variant: c.fresh_shortfall for c in fix.candidates if c.fresh_shortfall is not None}:
        distances = fresh
    return min(
        (c for c in fix.candidates if c.variant in distances),
        key=lambda c: (round(distances[c.variant], 6), c.parameters, c.steps),
        default=None,
    )


def describe_candidate(candidate: Candidate) -> str:
    """One change: hand_size 5 -> 6. On fresh deals it reaches the goals: ..."""
    return f"{_describe_change(candidate)}. {_describe_verdict(candidate)}".rstrip()


def _describe_change(candidate: Candidate) -> str:
    count = NUMBERS.get(candidate.parameters, str(candidate.parameters))
    plural = "change" if candidate.parameters == 1 else "changes"
    return f"{count} {plural}: {join_words(candidate.changes)}"


def _describe_verdict(candidate: Candidate) -> str:
    trial = candidate.trial
    if trial is None:
        return ""
    if not any(check.matches for check in trial.checks):
        return "It has played too few fresh deals to judge it."
    words = {PASS: "it reaches the goals", FAIL: "it does not reach the goals", UNKNOWN: "it is still open"}
    text = f"On fresh deals {words[trial.verdict]}: {describe_checks(trial.checks)}."
    if trial.agent:
        checks = f": {describe_checks(trial.agent_checks)}" if trial.agent_checks else ""
        text += f" Does it hold with {trial.agent}? {ANSWERS[trial.agent_verdict].capitalize()}{checks}."
    return text


FRONT_HEADS = ("parameters", "steps", "change", "distance from the goals", "on fresh deals", "second agent")


def list_front_rows(fix: Fix) -> list[list[str]]:
    """The changes as rows under `FRONT_HEADS`, the smallest first."""
    return [_make_front_row(candidate) for candidate in fix.candidates]


def _make_front_row(candidate: Candidate) -> list[str]:
    estimate = candidate.shortfall
    distance = f"{estimate.mean:+.1f} ({estimate.low:+.1f} to {estimate.high:+.1f})"
    trial = candidate.trial
    return [
        str(candidate.parameters),
        str(candidate.steps),
        ", ".join(candidate.changes),
        distance if estimate.has_interval else "unknown",
        WORDS[trial.verdict] if trial else "",
        f"{trial.agent}: {ANSWERS[trial.agent_verdict]}" if trial and trial.agent else "",
    ]


def title_costs(candidate: Candidate) -> str:
    """What the sentences of `describe_costs` are about."""
    if candidate.trial:
        return f"What else {candidate.variant} changes:"
    return (
        f"What else {candidate.variant} changes, on the deals of the search, which chose it (it may look a "
        "little too good):"
    )


def describe_costs(candidate: Candidate) -> Iterator[str]:
    """What else a change moves against the baseline, in the sentences of `compare`."""
    if not any(contrast.lines for contrast in candidate.contrasts):
        yield TOO_FEW_SHARED
    for contrast in candidate.contrasts:
        for sentence in conclude(contrast):
            several = len(candidate.contrasts) > 1
            yield f"With {contrast.players} players: {sentence}" if several else sentence


HOW_TO_READ_MOVES = (
    "The largest clear differences of other main metrics from the baseline, on the deals of the search for "
    "changes that did not play again."
)


def describe_moves(fix: Fix, candidate: Candidate) -> str:
    """What else a change clearly moves, the largest first: match length -9.70 turns, lead changes -0.80."""
    wanted = {check.metric for check in fix.baseline}
    lines = [
        (line, contrast.players)
        for contrast in candidate.contrasts
        for line in contrast.main_lines
        if line.metric not in wanted and find_clear_sign(line.difference)
    ]
    lines.sort(key=lambda entry: -abs(entry[0].difference.mean) / entry[0].threshold)
    several = len(candidate.contrasts) > 1
    texts = [_describe_move(line, players if several else 0) for line, players in lines[:MOST_MOVES]]
    return ", ".join(texts) or "nothing clearly"


def _describe_move(line: Line, players: int) -> str:
    """match length -9.70 turns (with 3 players)"""
    difference = add_unit(format_number(line.difference.mean, line.unit, True), line.unit, True)
    text = f"{format_metric(line.metric, line.part).lower()} {difference}"
    return f"{text} (with {players} players)" if players else text
