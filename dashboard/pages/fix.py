"""Fix: what a search found. The front of changes, each one against the baseline, and the way to Compare."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from analytics.questions.fix.conclusions import (
    FRONT_HEADS,
    HOW_TO_READ,
    HOW_TO_READ_MOVES,
    conclude_fix,
    describe_candidate,
    describe_costs,
    describe_moves,
    list_front_rows,
    title_costs,
)
from analytics.questions.fix.results import Candidate, Fix, load_fixes
from analytics.show.fix_figures import describe_shortfall, draw_front
from analytics.words import format_interval, format_metric, format_unit
from dashboard import charts
from dashboard.controls import LinkButton, SelectBox
from dashboard.data.cache import cache_until_changed
from dashboard.page import (
    BulletList,
    Chart,
    Command,
    DataTable,
    Element,
    PageParts,
    Snippet,
    Text,
    TextStyle,
    Title,
    ask,
)
from dashboard.selection import Selection


@cache_until_changed
def load_stored_fixes(db: Path) -> list[Fix]:
    return load_fixes(db)


def elements(selection: Selection) -> PageParts:
    fixes = {str(fix.id): fix for fix in load_stored_fixes(selection.db)}
    if not fixes:
        yield from _invite_elements(selection)
        return
    chosen = yield from ask(
        SelectBox(
            label="Search",
            key="search",
            options=tuple(fixes),
            format_option=lambda name: _describe_search(fixes[name]),
        )
    )
    fix = fixes[chosen]
    yield Title(_describe_search(fix))
    yield BulletList([*conclude_fix(fix)])
    if fix.candidates:
        yield from _front_elements(fix)
        yield from _candidate_parts(selection, fix)


def _invite_elements(selection: Selection) -> Iterator[Element]:
    yield Text("No search for a fix is stored in this file yet. One makes the seats fair:", TextStyle.NOTE)
    info = selection.find_info(selection.variants[0])
    players = str(selection.main_player_count)
    yield Command(["fix", info.spec, "--fair-seats", "--players", players, "--db", str(selection.db)])


def _describe_search(fix: Fix) -> str:
    players = ", ".join(map(str, fix.players))
    setting = f"{players} players, by {fix.agent}, seed {fix.seed}"
    return f"{fix.variant}, {setting}: {'; '.join(fix.goals)}"


def _front_elements(fix: Fix) -> Iterator[Element]:
    figure = draw_front(fix)
    yield Chart("changes", charts.apply_style(figure, figure.layout.height), describe_shortfall())
    moves = [describe_moves(fix, candidate) for candidate in fix.candidates]
    rows = [[*row, text] for row, text in zip(list_front_rows(fix), moves, strict=True)]
    yield DataTable("The smallest changes first", [*FRONT_HEADS, "what else it moves"], rows)
    yield Text(f"{HOW_TO_READ} What else it moves: {HOW_TO_READ_MOVES}", TextStyle.CAPTION)


def _candidate_parts(selection: Selection, fix: Fix) -> PageParts:
    """One change against the baseline: on fresh deals if it played again, else on those of the search."""
    played = {candidate.variant: candidate for candidate in fix.candidates if candidate.contrasts}
    if not played:
        return
    names = [*(candidate.variant for candidate in fix.fixes), *played]
    chosen = yield from ask(SelectBox(label="Change", key="change", options=[*dict.fromkeys(names)]))
    candidate = played[chosen]
    yield Title(f"{candidate.variant} against {fix.variant}")
    yield Text(describe_candidate(candidate))
    yield Text(title_costs(candidate))
    yield BulletList([*describe_costs(candidate)])
    table = _make_lines_table(candidate)
    if table.rows:
        yield table
    yield LinkButton("Compare both in full", _make_address(selection, fix, candidate))
    yield Text("For variants.toml:", TextStyle.CAPTION)
    yield Snippet(candidate.table)


def _make_lines_table(candidate: Candidate) -> DataTable:
    """All main metrics of the change and the baseline."""
    rows = [
        [
            format_metric(line.metric, line.part),
            contrast.players,
            format_interval(line.a, line.unit),
            format_interval(line.b, line.unit),
            f"{format_interval(line.difference, line.unit, True)} {format_unit(line.unit, True)}",
            str(line.verdict),
        ]
        for contrast in candidate.contrasts
        for line in contrast.main_lines
    ]
    heads = ["metric", "players", "baseline", "changed", "difference", "verdict"]
    deals = "fresh deals" if candidate.trial else "the deals of the search"
    return DataTable(f"Main metrics, on {deals}, with 95% intervals", heads, rows)


def _make_address(selection: Selection, fix: Fix, candidate: Candidate) -> str:
    """The Compare page with both variants, on the deals that both played."""
    labels = {label.rstrip("*"): label for label in selection.contents.variants}
    variants = [labels.get(name, name) for name in (fix.variant, candidate.variant)]
    seed = fix.fresh_seed if candidate.trial else fix.seed
    query = [*(("variant", name) for name in variants), ("seed", seed), ("agents", fix.agent)]
    return f"compare?{urlencode(query)}"
