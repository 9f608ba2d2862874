"""A report as one HTML file that needs no network: text, tables, figures, pictures."""

from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Any

from analytics.metric.metric import SHARE, metrics
from analytics.questions.report import Count, Report
from analytics.show import figures
from analytics.show.report.takeaways import takeaways
from analytics.verdict.verdicts import DIFFERENT, UNCLEAR
from analytics.words import interval, shown, spoken, unit_of

SECTIONS = {
    "fairness": "Is it fair?",
    "outcome": "How does it end?",
    "pace": "How long does it take, and how much is there to decide?",
    "tension": "Does it stay open?",
    "skill": "Does playing well pay?",
    "strategy": "What do players use, and does it win?",
}
STYLE = """
body { font: 17px/1.55 Georgia, serif; color: #2b2b2b; background: #fff; }
body { max-width: 960px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 32px; margin: 8px 0; } h2 { margin-top: 52px; border-bottom: 2px solid #1f6f78; padding-bottom: 4px; }
h3 { margin: 28px 0 6px; } .small, caption, details { font-size: 14px; color: #5a5a5a; } .scroll { overflow-x: auto; }
#takeaways { background: #f4f1e8; padding: 8px 26px 14px; border-radius: 8px; } li { margin: 6px 0; }
table { border-collapse: collapse; margin: 10px 0 18px; font-size: 15px; width: 100%; }
caption { text-align: left; padding: 4px 0; }
th, td { text-align: right; padding: 5px 10px; border-bottom: 1px solid #e3e1da; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } td small { color: #777; } .words td { text-align: left; }
pre { white-space: pre-wrap; font-size: 13px; }
.picture svg { width: 100%; height: auto; } figure { margin: 14px 0; } figcaption { font-size: 14px; color: #5a5a5a; }
@media print { details { display: none; } h2 { page-break-after: avoid; } }
"""


def render(report: Report) -> str:
    """The whole page."""
    names = ", ".join(subject.name for subject in report.subjects)
    return document(names, [*_head(report, names), *_sections(report), *_changes(report), *_method(report), *_sample(report)])


def document(title: str, body: Sequence[str]) -> str:
    """Pieces of HTML as one file that needs nothing else; the dashboard shares its views by it."""
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{viewport}<title>{escape(title)}</title><style>{STYLE}</style>'
    return "\n".join(["<!doctype html>", f'<html lang="en"><head>{head}</head>', "<body>", *body, "</body></html>", ""])


def _head(report: Report, names: str) -> Iterator[str]:
    yield f"<h1>{escape(names)}</h1>"
    for subject in report.subjects:
        told = "".join(f"<li>{escape(change)}</li>" for change in subject.changes)
        star = "*" if subject.reconstructed else ""
        yield f"<p><b>{escape(subject.name)}{star}</b>: {escape(subject.about)}</p>" + (f"<ul>{told}</ul>" if told else "")
    yield '<div id="takeaways"><h2>In short</h2>'
    for title, sentences in takeaways(report):
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
        yield f"<h3>{escape(title)}</h3><ul>{items}</ul>"
    matches = sum(count.matches for subject in report.subjects for count in subject.counts)
    yield f'<p class="small">From {matches:,} matches that {escape(report.agents[0])} played against itself, and duels with others.'
    yield "In brackets: 95 % intervals over blocks of matches. They say how much chance is left in a number, not whether people"
    yield "would play as the agents do.</p></div>"


# ---- the sections


def _sections(report: Report) -> Iterator[str]:
    number = 0
    for family, title in SECTIONS.items():
        yield f'<h2 id="{family}">{escape(title)}</h2>'
        for caption, figure in _figures(report, family):
            yield f"<figure>{drawn(figure, number)}<figcaption>{escape(caption)}</figcaption></figure>"
            number += 1
        for caption, columns in _tables(report):
            rows = list(_duels(columns.values()) if family == "skill" else _answers(columns.values(), family))
            yield table_of(caption, ["", *columns], rows)


def _tables(report: Report) -> Iterator[tuple[str, dict[str, Count]]]:
    """Several variants stand side by side, in a table for each player count; one alone has its player counts side by side."""
    if len(report.subjects) == 1:
        (only,) = report.subjects
        yield only.name, {f"{count.players} players": count for count in only.counts}
        return
    for players in sorted({count.players for subject in report.subjects for count in subject.counts}):
        found = {subject.name: count for subject in report.subjects for count in subject.counts if count.players == players}
        yield f"{players} players", found


def _figures(report: Report, family: str) -> Iterator[tuple[str, Any]]:
    subjects = report.subjects
    if family == "fairness":
        yield from ((f"{s.name}: how often each seat wins; bars are 95 % intervals", figures.seats(s)) for s in subjects)
    elif family == "pace":
        yield "Turns of each player; bars are 95 % intervals", figures.lengths(report)
    elif family == "tension":
        with_leads = [s for s in subjects if any("leader_conversion" in count.answers for count in s.counts)]
        yield from ((f"{s.name}: how often the leader wins in the end", figures.leaders(s)) for s in with_leads)
    elif family == "skill" and any(count.duels for s in subjects for count in s.counts):
        yield "One strong agent among weaker ones: 0 is luck, 100 is winning always", figures.skills(report)
    elif family == "strategy":
        with_lifts = [s for s in subjects if any(count.lifts for count in s.counts)]
        yield from (
            (f"{s.name}: who uses it wins so many times as often; no proof of a cause", figures.lifts(s)) for s in with_lifts
        )


def drawn(figure: Any, number: int) -> str:
    """The library is put into the page once, with the first figure."""
    library = "inline" if number == 0 else False
    text: str = figure.to_html(
        full_html=False, include_plotlyjs=library, div_id=f"figure-{number}", config={"displayModeBar": False}
    )
    return text


def _answers(counts: Collection[Count], family: str) -> Iterator[list[str]]:
    """The metrics of a family, a column for each of the counts."""
    for metric in metrics().values():
        known = dict.fromkeys(part for count in counts for part in count.answers.get(metric.name, {}))
        for place, part in enumerate(known if metric.family == family else ()):
            estimates = [count.answers.get(metric.name, {}).get(part) for count in counts]
            label = f"{escape(metric.question)}<br>" if place == 0 else ""
            cells = [interval(e, metric.unit) if e else "" for e in estimates]
            yield [f"{label}<small>{escape(f'{spoken(metric.name, part)}, {unit_of(metric.unit)}')}</small>", *map(escape, cells)]


def _duels(counts: Collection[Count]) -> Iterator[list[str]]:
    for strong, weak in dict.fromkeys((duel.strong, duel.weak) for count in counts for duel in count.duels):
        found = [next((d for d in count.duels if (d.strong, d.weak) == (strong, weak)), None) for count in counts]
        cells = [f"{interval(d.edge, SHARE)}<br><small>{d.matches:,} matches</small>" if d else "" for d in found]
        yield [f"One {escape(strong)}, the others {escape(weak)}<br><small>skill edge, %</small>", *cells]


def table_of(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "numbers") -> str:
    """Cells are HTML already; the caption and the heads are text. Tables of `words` are aligned to the left."""
    if not rows:
        return f'<p class="small">{escape(caption)}: nothing is stored about this.</p>'
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}"><caption>{escape(caption)}</caption><tr>{head}</tr>{body}</table></div>'


def _changes(report: Report) -> Iterator[str]:
    """The verdicts of the comparison with the first variant: all main metrics, and of the others what differs."""
    if not report.contrasts:
        return
    yield "<h2>What do the variants change?</h2>"
    for contrast in report.contrasts:
        title = f"{contrast.b} against {contrast.a}, {contrast.players} players, {contrast.matches:,} matches of each"
        rows = [
            [
                escape(spoken(line.metric, line.part)),
                escape(shown(line.difference, line.unit, True)),
                escape(line.sentence),
            ]
            for line in sorted(contrast.lines, key=lambda line: not line.primary)
            if line.primary or line.verdict in (DIFFERENT, UNCLEAR)
        ]
        yield (
            f"<p>{escape(title)}: the same rules.</p>"
            if contrast.same_rules
            else table_of(title, ["", "difference", ""], rows, "words")
        )
    yield '<p class="small">Verdicts come from wider intervals that hold however often one looks, all together with 95 %.</p>'


# ---- how it was measured


def _method(report: Report) -> Iterator[str]:
    yield '<h2 id="method">How it was measured</h2>'
    yield "<p>Simulated matches; no people took part. Every match can be played again from its seed. Agents rotate through the"
    yield "seats. The unit of all statistics is the block: one chance seed, played in every seating.</p>"
    rows = [
        [escape(subject.name), str(count.players), f"{count.matches:,}", "; ".join(escape(_fought(d)) for d in count.duels)]
        for subject in report.subjects
        for count in subject.counts
    ]
    yield table_of(f"Matches by {report.agents[0]} against itself, and duels", ["", "players", "matches", "duels"], rows)
    facts = {
        "master seed": str(report.seed), "made": f"{report.created:%Y-%m-%d %H:%M} UTC", "by": report.command, "from": report.file,
        **{f"rules of {subject.name}": subject.fingerprint for subject in report.subjects},
        **{f"agent {name}": mark for name, mark in report.agent_prints.items()}, **report.versions,
    }  # fmt: skip
    yield table_of(
        "Fingerprints and versions", ["", ""], [[escape(name), escape(str(fact))] for name, fact in facts.items()], "words"
    )
    for subject in report.subjects:
        if subject.reconstructed:
            items = "".join(f"<li><b>{escape(part)}</b>: {escape(why)}</li>" for part, why in subject.reconstructed.items())
            yield f"<h3>* What of {escape(subject.name)} is reconstructed</h3><ul>{items}</ul>"


def _fought(duel: Any) -> str:
    return f"{duel.strong} among {duel.weak}: {duel.matches:,}"


def _sample(report: Report) -> Iterator[str]:
    sample = report.sample
    yield f'<h2 id="sample">One match: {escape(sample.variant)}, {sample.players} players</h2>'
    for when, picture in sample.pictures:
        yield f'<figure class="picture">{picture}<figcaption>{escape(when)}</figcaption></figure>'
    yield f"<details><summary>The match in words</summary><pre>{escape(sample.transcript)}</pre></details>"
