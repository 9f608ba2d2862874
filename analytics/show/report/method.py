"""The end of a report: how it was measured, and one match to look at."""

from collections.abc import Iterator
from html import escape

from analytics.questions.report import HeadToHead, Report
from analytics.show.report.markup import render_picture, render_table
from analytics.words import describe_agents


def render_method(report: Report) -> Iterator[str]:
    yield '<h2 id="method">How it was measured</h2>'
    yield "<p>Agents played these matches, not people. Every match can be played again from its seed."
    yield "Agents rotate through the seats. The unit of all statistics is the deal:"
    yield "one course of shuffles and dice, played in every seating. Intervals are 95% intervals over deals."
    yield "They say how much chance is left in a number, not whether people would play as the agents do.</p>"
    rows = [
        [
            escape(variant.name),
            str(result.players),
            f"{result.matches:,}",
            "; ".join(escape(_format_head_to_head(head_to_head)) for head_to_head in result.head_to_heads),
        ]
        for variant in report.variants
        for result in variant.results
    ]
    title = f"Matches by {describe_agents(report.playing_agents)} against itself, and head-to-heads"
    yield render_table(title, ["", "players", "matches", "head-to-heads"], rows)
    yield from (f"<p>{escape(sentence)}.</p>" for sentence in report.trained_on)
    yield from _render_reconstructed(report)
    yield _render_facts(report)


def _render_reconstructed(report: Report) -> Iterator[str]:
    """What no source documents; once for variants that share it."""
    variants_by_parts: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for variant in report.variants:
        if variant.reconstructed:
            variants_by_parts.setdefault(tuple(variant.reconstructed.items()), []).append(variant.name)
    for parts, names in variants_by_parts.items():
        items = "".join(f"<li><b>{escape(part)}</b>: {escape(reason)}</li>" for part, reason in parts)
        yield f"<h3>* What of {escape(', '.join(names))} is reconstructed</h3><ul>{items}</ul>"


def _render_facts(report: Report) -> str:
    """What it takes to make the same report again."""
    facts = {
        "seed": str(report.seed),
        "made": f"{report.created:%Y-%m-%d %H:%M} UTC",
        "by": report.command,
        "from": report.file,
        **{f"rules of {variant.name}": variant.fingerprint for variant in report.variants},
        **{f"agent {name}": fingerprint for name, fingerprint in report.agent_prints.items()},
        **report.versions,
    }
    rows = [[escape(name), escape(str(fact))] for name, fact in facts.items()]
    return render_table("Fingerprints and versions", ["", ""], rows, "words")


def _format_head_to_head(head_to_head: HeadToHead) -> str:
    return f"{head_to_head.strong} among {head_to_head.weak}: {head_to_head.matches:,}"


def render_sample(report: Report) -> Iterator[str]:
    sample = report.sample
    yield f'<h2 id="sample">One match: {escape(sample.variant)}, {sample.players} players</h2>'
    for when, picture in sample.pictures[1:]:  # the first one is on the first page
        yield render_picture(picture, when, "picture")
    yield f"<details><summary>The match in words</summary><pre>{escape(sample.transcript)}</pre></details>"
