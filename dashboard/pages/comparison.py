"""Comparison: one that was asked for, by the baseline, the metrics and the thresholds that were fixed then.
It says what the terminal said.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from analytics.questions.compare.conclusions import HOW_TO_READ
from analytics.questions.compare.stored import StoredComparison
from analytics.show.terminal.comparison import show_terms
from analytics.verdict.results import Contrast
from analytics.words import describe_agents
from boardgames.errors import TooMuchUnstored
from dashboard.charts import VariantStyles
from dashboard.controls import SelectBox
from dashboard.data.contrasts import (
    VerdictUnavailable,
    load_asked,
    load_comparisons,
    make_comparison,
    select_cells,
    select_deciding_cells,
)
from dashboard.data.file import add_star
from dashboard.page import BulletList, Command, Element, PageParts, Scope, Text, TextStyle, Title, ask
from dashboard.pages.contrast import (
    DrawnContrast,
    answer_elements,
    explain_unstored_sums,
    make_number_cards,
    open_parts,
    request_sums,
)
from dashboard.selection import Selection


def elements(selection: Selection) -> PageParts:
    comparisons = {str(comparison.id): comparison for comparison in load_comparisons(selection.db)}
    if not comparisons:
        yield Text("No comparison is stored in this file yet. This command makes one:", TextStyle.NOTE)
        yield Command(["compare", "celtica", "celtica:en", "--db", str(selection.db)])
        return
    stars = selection.contents.reconstructed_specs
    chosen = yield from ask(
        SelectBox(
            label="Comparison",
            key="comparison",
            options=tuple(comparisons),
            format_option=lambda name: _describe(comparisons[name], stars),
        )
    )
    yield from _comparison_parts(selection, comparisons[chosen])


def _describe(comparison: StoredComparison, stars: Collection[str]) -> str:
    """A, B* against the baseline; 2, 3 players, by greedy, seed 1"""
    baseline, *others = [add_star(spec, spec in stars) for spec in comparison.question.specs]
    counts = ", ".join(map(str, comparison.question.players))
    agents = describe_agents(comparison.deciding_agents)
    setting = f"{counts} players, by {agents}, seed {comparison.question.seed}"
    return f"{', '.join(others)} against {baseline}; {setting}"


def _comparison_parts(selection: Selection, comparison: StoredComparison) -> PageParts:
    cells = select_cells(comparison, selection.contents.cells)
    try:
        by_count = {
            players: load_asked(selection.db, comparison, players, cells)
            for players in comparison.question.players
        }
    except TooMuchUnstored as error:
        yield from explain_unstored_sums(selection.db, error, [request_sums(comparison)])
        return
    except VerdictUnavailable as error:
        yield Text(f"No verdicts: {error}. This asks again:", TextStyle.WARNING)
        yield _make_command(selection, comparison)
        return
    contrasts = [contrast for by_spec in by_count.values() for contrast in by_spec.values()]
    stars = [spec for spec in comparison.question.specs if spec in selection.contents.reconstructed_specs]
    yield from _answer_elements(comparison, by_count, stars)
    deciding = select_deciding_cells(comparison, selection.contents)
    if deciding:
        all_cells = select_cells(comparison, list(selection.contents.current_cells.values()))
        yield Scope(selection.narrow(deciding), cells=all_cells)
        result = make_comparison(selection.db, contrasts, comparison.terms, deciding)
        yield from open_parts(selection.db, result, comparison)
        yield Title("What it was judged by")
        lines = show_terms(replace(result, registered=comparison.versions, reconstructed=tuple(stars)))
        yield BulletList([line for line in lines if line])
    yield from _number_elements(selection, comparison, by_count)


def _make_command(selection: Selection, comparison: StoredComparison) -> Command:
    """The command that asks the same by today's rules."""
    question = comparison.question
    is_usual = len(set(comparison.deciding_agents.values())) > 1  # no one agent could be named
    named = () if is_usual else comparison.terms.agents
    agents = [word for agent in named for word in ("--agents", agent)]
    options = ["--players", ",".join(map(str, question.players)), *agents, "--seed", str(question.seed)]
    return Command(["compare", *question.specs, *options, "--db", str(selection.db)])


def _answer_elements(
    comparison: StoredComparison, by_count: Mapping[int, Mapping[str, Contrast]], stars: Collection[str]
) -> Iterator[Element]:
    for players, by_spec in by_count.items():
        for spec, contrast in by_spec.items():
            a = add_star(contrast.a, comparison.question.specs[0] in stars)
            b = add_star(contrast.b, spec in stars)
            yield Title(
                f"B = {b} against A = {a}, {players} players, by {contrast.agent}:"
                f" {contrast.matches:,} matches of each"
            )
            yield from answer_elements(contrast)
    yield Text(HOW_TO_READ, TextStyle.CAPTION)


def _number_elements(
    selection: Selection, comparison: StoredComparison, by_count: Mapping[int, Mapping[str, Contrast]]
) -> PageParts:
    cells = {(cell.spec, cell.players, cell.line_up): cell for cell in selection.contents.cells}
    styles = VariantStyles(comparison.question.specs)
    stars = selection.contents.reconstructed_specs
    yield make_number_cards(
        [
            DrawnContrast(
                title=f"{add_star(contrast.b, spec in stars)} in numbers, {players} players",
                contrast=contrast,
                terms=comparison.terms,
                colour=styles.get(spec)[0],
                cell=cells.get((spec, players, contrast.agent)),
            )
            for players, by_spec in by_count.items()
            for spec, contrast in by_spec.items()
            if contrast.lines
        ]
    )
