"""How it was measured: who played what, by which rules, and what each metric means."""

import json
from pathlib import Path

from analytics.metric.metric import metrics
from analytics.verdict.terms import make_terms
from analytics.words import unit_of
from boardgames.store.connection import connection, reading
from boardgames.store.runs import list_runs
from dashboard.data.file import PATIENCE, installed, of_file
from dashboard.page import Numbers, Points, Title, View
from dashboard.selection import Choice

TOLD = (
    "Simulated matches; no people took part, unless a line-up says so. Every match can be played again from its seed.",
    "The unit of all statistics is the block: one chance seed, played in every seating of its line-up. Intervals are 95 %.",
    "Variants are compared on the same luck: block by block, where they share streams of chance and agents.",
    "Verdicts go by margins and by wider intervals that hold however often one looks, all together with 95 %.",
    "Results of other rules, other agents or another engine are never mixed: each carries a fingerprint of what ran.",
)


@of_file
def _facts(path: Path) -> dict[str, list[list[str]]]:
    """Runs, agents and what was written down before comparisons."""
    runs = [
        [str(run.number), run.name, run.note, run.created, str(run.seed), f"{run.matches:,} of {run.wanted:,}", run.command]
        for run in list_runs(path)
    ]  # fmt: skip
    with reading(path, PATIENCE) as session:
        con = connection(session)
        agents = con.execute("SELECT name, family, parameters, fingerprint FROM agent ORDER BY name").fetchall()
        versions = con.execute("SELECT number, versions, machine FROM experiment ORDER BY number").fetchall()
        terms = con.execute(
            "SELECT name, version, created, matches_before, terms FROM registration ORDER BY name, version"
        ).fetchall()
    return {
        "runs": runs,
        "agents": [[name, family, _pairs(parameters), mark] for name, family, parameters, mark in agents],
        "versions": [[str(number), _pairs(about), machine] for number, about, machine in versions],
        "terms": [[name, str(n), f"{at:%Y-%m-%d %H:%M}", f"{before:,}", _pairs(text)] for name, n, at, before, text in terms],
    }  # fmt: skip


def _pairs(text: str) -> str:
    return ", ".join(f"{name} {value}" for name, value in json.loads(text or "{}").items() if value not in ([], {}, ""))


def method_page(choice: Choice, view: View) -> None:
    view.show(Points(TOLD))
    found = _facts(choice.file)
    rules = []
    for variant in choice.contents.variants.values():
        why = installed(variant.spec, variant.fingerprint)
        changed = ", ".join(f"{name}={value}" for name, value in variant.parameters.items())
        rules.append([variant.label, variant.fingerprint, why or "the same as installed", changed])
    view.show(Title("Rules"), Numbers("", ["variant", "fingerprint", "today", "parameters"], rules))
    view.show(Title("Runs"), Numbers("", ["run", "name", "note", "made", "seed", "matches", "command"], found["runs"]))
    view.show(Numbers("Versions", ["run", "of what", "machine"], found["versions"], folded=True))
    view.show(Title("Agents"), Numbers("", ["agent", "family", "parameters", "fingerprint"], found["agents"]))
    if found["terms"]:
        heads = ["comparison", "version", "written down", "matches stored then", "terms"]
        view.show(Title("What was promised before looking"), Numbers("", heads, found["terms"]))
    view.show(Title("Metrics"), _metrics())
    reconstructed = [[v.game, part, why] for v in choice.contents.variants.values() for part, why in v.reconstructed.items()]
    rows = list(dict.fromkeys(map(tuple, reconstructed)))
    if rows:
        view.show(
            Title("Reconstructed"),
            Numbers("No source documents these; all numbers depend on them.", ["game", "part", "what we chose, and why"], rows),
        )


def _metrics() -> Numbers:
    rows, terms = [], make_terms((), "")
    for metric in metrics().values():
        margin, unit = terms.in_words(metric), unit_of(metric.unit)
        rows.append([metric.family, metric.name, metric.question, unit, margin, metric.better, metric.care])
    return Numbers(
        "`boardgames metrics NAME` shows the query of one.",
        ["family", "metric", "question", "unit", "margin", "good is", "care"],
        rows,
    )
