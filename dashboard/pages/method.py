"""How it was measured: who played what, by which rules, and what each metric means."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from analytics.metric.metric import metrics
from analytics.verdict.terms import make_terms
from analytics.words import format_unit
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.listing import RunSummary, list_runs
from dashboard.data.cache import cache_until_changed
from dashboard.data.file import replay_problem
from dashboard.page import BulletList, DataTable, Element, PageParts, Title
from dashboard.selection import Selection

PRINCIPLES = (
    "Simulated matches; no people took part, unless a line-up says so."
    " Every match can be played again from its seed.",
    "The unit of all statistics is the deal: one course of shuffles and dice, played in every seating of its"
    " line-up, or with people, as seated. Intervals are 95% intervals.",
    "Variants are compared on the same deals, where they share their sources of chance and agents.",
    "Verdicts go by thresholds and by wider intervals that hold however often you look:"
    " the chance that any of them is ever wrong is at most 5%.",
    "Results of other rules, other agents or another engine are never mixed:"
    " each carries a fingerprint of what ran.",
)


# Each game has a `learned` of its own.
AGENTS = """SELECT a.name, list_sort(list(DISTINCT v.game)) AS games, a.family, a.parameters, a.fingerprint
    FROM agent a JOIN seating s ON s.agent_id = a.id JOIN cell c ON c.id = s.cell_id
    JOIN variant v ON v.id = c.variant_id GROUP BY ALL ORDER BY a.name, games"""
LONG_LIST = 6  # values that are named one by one
Rows = list[list[str]]


class Facts(NamedTuple):
    """Rows about runs, agents, versions, and the terms written down before comparisons."""

    runs: Rows
    agents: Rows
    versions: Rows
    terms: Rows


@cache_until_changed
def _load_facts(db: Path) -> Facts:
    runs = [_make_run_row(run) for run in list_runs(db)]
    with open_for_reading(db) as session:
        con = get_connection(session)
        agents = con.execute(AGENTS).fetchall()
        versions = con.execute("SELECT number, versions, machine FROM run ORDER BY number").fetchall()
        terms = con.execute(
            "SELECT name, version, created, matches_before, terms FROM registration ORDER BY name, version"
        ).fetchall()
    return Facts(
        runs=runs,
        agents=[
            [name, ", ".join(games), family, _format_pairs(parameters), fingerprint]
            for name, games, family, parameters, fingerprint in agents
        ],
        versions=[[str(number), _format_pairs(version), machine] for number, version, machine in versions],
        terms=[
            [
                name,
                str(version),
                f"{created:%Y-%m-%d %H:%M}",
                f"{matches_before:,}",
                describe_terms(json.loads(text)),
            ]
            for name, version, created, matches_before, text in terms
        ],
    )


def _make_run_row(run: RunSummary) -> list[str]:
    return [
        str(run.number),
        run.name,
        run.note,
        run.created,
        str(run.seed),
        f"{run.matches:,} of {run.wanted:,}",
        run.command,
    ]


def _format_pairs(text: str) -> str:
    return ", ".join(
        f"{name} {value}" for name, value in json.loads(text or "{}").items() if value not in ([], {}, "")
    )


def describe_terms(terms: Any) -> str:
    """What was written down before the first match, in words: what was left open is left out, and a long list
    is counted.
    """
    if isinstance(terms, dict):
        told = {name: describe_terms(value) for name, value in terms.items()}
        return "; ".join(f"{name.replace('_', ' ')}: {text}" for name, text in told.items() if text)
    if isinstance(terms, list):
        return f"{len(terms)} values" if len(terms) > LONG_LIST else ", ".join(map(describe_terms, terms))
    if terms is None or terms is False:
        return ""
    return "yes" if terms is True else str(terms)


def elements(selection: Selection) -> PageParts:
    yield BulletList(PRINCIPLES)
    facts = _load_facts(selection.db)
    yield Title("Runs")
    yield DataTable("", ["run", "name", "note", "made", "seed", "matches", "command"], facts.runs)
    yield DataTable("Versions", ["run", "of what", "machine"], facts.versions, is_folded=True)
    yield Title("Agents")
    yield DataTable("", ["agent", "plays", "family", "parameters", "fingerprint"], facts.agents)
    if facts.terms:
        yield Title("What was fixed before the first match")
        heads = ["comparison", "version", "fixed", "matches stored then", "terms"]
        yield DataTable("", heads, facts.terms)
    yield Title("Rules and metrics")
    yield _make_rules_table(selection)
    yield _make_metrics_table()
    yield from _reconstruction_elements(selection)


def _make_rules_table(selection: Selection) -> DataTable:
    rows = []
    for variant in selection.contents.variants.values():
        problem = replay_problem(variant.spec, variant.fingerprint)
        parameters = ", ".join(f"{name}={value}" for name, value in variant.parameters.items())
        today = "the same as installed" if problem is None else problem
        rows.append([variant.label, variant.fingerprint, today, parameters])
    heads = ["variant", "fingerprint", "today", "parameters"]
    return DataTable("Which rules were played", heads, rows, is_folded=True)


def _reconstruction_elements(selection: Selection) -> Iterator[Element]:
    reconstructed = [
        (variant.game, part, reason)
        for variant in selection.contents.variants.values()
        for part, reason in variant.reconstructed.items()
    ]
    if reconstructed:
        rows = list(dict.fromkeys(reconstructed))
        parts = "1 reconstructed part: no source documents it, and all numbers depend on it"
        if len(rows) > 1:
            parts = (
                f"{len(rows)} reconstructed parts: no source documents them, and all numbers depend on them"
            )
        yield DataTable(parts, ["game", "part", "what we chose, and why"], rows, is_folded=True)


def _make_metrics_table() -> DataTable:
    rows = []
    terms = make_terms(())
    for metric in metrics().values():
        threshold = terms.describe_threshold(metric)
        unit = format_unit(metric.unit)
        rows.append(
            [metric.group, metric.name, metric.question, unit, threshold, metric.better, metric.caveat]
        )
    return DataTable(
        "What each metric means; `boardgames metrics NAME` shows the query of one",
        ["group", "metric", "question", "unit", "threshold", "good is", "caveat"],
        rows,
        is_folded=True,
    )
