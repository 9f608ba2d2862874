"""The result of a comparison in sentences, the most important first. The terminal, the report and the
dashboard all take them from here.

"Give or take" is the ordinary 95% interval; whatever is said about mattering, and "between", comes from the
always-valid one. `HOW_TO_READ` says so once, below the sentences.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.verdicts import DIFFERENT, FOREVER, NONE, OPEN, SAME, UNCLEAR, UNKNOWN
from analytics.words import (
    find_change_digits,
    find_clear_sign,
    format_duration,
    format_forecast,
    format_number,
    format_rounded,
    join_words,
    place_change,
)

MOST_SENTENCES = 5  # with numbers, beside those about what matters
TALLY = "tally"
CHOICES_OF_MINUTES = (1, 2, 5, 10, 20, 30, 60)  # to go on for
USUAL_MINUTES = 10  # where it is not known how many it takes
HOW_TO_READ = (
    "Give or take: the 95% interval. Verdicts use wider, always-valid intervals: look as often as you like."
)


def conclude(contrast: Contrast) -> Iterator[str]:
    """Every main metric under its verdict, then the largest difference among the others."""
    if contrast.same_rules:
        yield f"{contrast.b} and {contrast.a} have the same rules with {contrast.players} players."
        return
    main = contrast.main_lines
    yield from _list_disputes(contrast)
    yield from _list_verdicts(main, contrast.players)
    yield from _name_others([line for line in contrast.lines if not line.is_main], contrast.players)
    if disputed := [line for line in contrast.lines if line.disagreement and _find(line).parts == TALLY]:
        yield f"The agents disagree about {_list_titles_and_parts(disputed)}."
    yield from _compare_agents(contrast, main)
    yield from (f"{note[0].upper()}{note[1:]}." for note in contrast.notes)


def _list_verdicts(main: Sequence[Line], players: int) -> Iterator[str]:
    """What differs, what perhaps matters, what is the same, and what is open."""
    split_metrics = _find_split_metrics(main)
    different = _sort_by_size(line for line in main if line.verdict == DIFFERENT)
    yield from (_describe_difference(line, players) for line in different)
    unclear = _sort_by_size(line for line in main if line.verdict == UNCLEAR)
    same = _sort_by_size(line for line in main if line.verdict == SAME)
    room = max(1, MOST_SENTENCES - len(different))
    yield from (_describe_difference(line, players) for line in unclear[:room])
    if rest := unclear[room:]:
        yield f"{_list_changes(rest)}: perhaps too little to matter."
    room = max(1, room - len(unclear)) if len(same) == 1 or len(unclear) < room else 0
    yield from (_describe_difference(line, players) for line in same[:room])
    if rest := same[room:]:
        titles = _list_titles(rest, with_parts=split_metrics)
        yield f"{_capitalize(titles)}: about the same. Too small a difference to matter."
    yield from _list_open([line for line in main if line.verdict == UNKNOWN], split_metrics)
    yield from _list_without_verdict([line for line in main if line.verdict == NONE], split_metrics)


def _find_split_metrics(lines: Sequence[Line]) -> set[str]:
    """The metrics whose parts have different verdicts: a sentence about some of them names these."""
    verdicts = {(line.metric, line.verdict) for line in lines}
    return {name for name, count in Counter(name for name, _ in verdicts).items() if count > 1}


def _sort_by_size(lines: Iterator[Line]) -> list[Line]:
    """The largest differences first, measured in thresholds."""
    return sorted(
        lines, key=lambda line: -abs(line.difference.mean) / line.threshold if line.threshold else 0
    )


def _find(line: Line) -> Metric:
    return find_metric(line.metric)


def _find_sign(line: Line) -> int:
    """1 if B is higher, -1 if it is lower, 0 if that does not matter or is not known."""
    return 0 if line.verdict in (SAME, UNKNOWN) else 1 if line.low > 0 else -1


def _describe_difference(line: Line, players: int) -> str:
    """Matches are longer: 73.5 instead of 70.0 turns (+3.5, give or take 0.2); in rounds, 18.4 instead of
    17.5. Big enough to matter ...
    """
    sizes = {
        DIFFERENT: "Big enough to matter",
        UNCLEAR: "Perhaps too small to matter",
        SAME: "Too small to matter",
    }
    change = _find(line).describe_change(_find_sign(line), line.part)
    threshold = f"threshold: {format_number(line.threshold, line.unit)}{_name_points(line)}"
    return f"{change}: {_place_values(line, players)}. {sizes[line.verdict]} ({threshold})."


def _name_points(line: Line) -> str:
    return " percentage points" if line.unit == SHARE else ""


def describe_line(line: Line) -> str:
    """Matches are longer; without a verdict, the metric's title."""
    if line.verdict in (UNKNOWN, NONE):
        title = _find(line).label
        return f"{title} ({line.part})" if line.part else title
    return _find(line).describe_change(_find_sign(line), line.part)


def _place_values(line: Line, players: int) -> str:
    """The values, and what helps to place them."""
    place = place_change(_find(line), line.a.mean, line.b.mean, players, line.luck_race)
    return f"{format_values(line)}; {place}" if place else format_values(line)


def format_values(line: Line) -> str:
    """73.5 instead of 70.0 turns (+3.5, give or take 0.2)"""
    percent = "%" if line.unit == SHARE else ""
    digits = find_change_digits(line.a.mean, line.b.mean, line.difference.mean, line.unit)
    a = f"{format_number(line.a.mean, line.unit, digits=digits.old)}{percent}"
    b = f"{format_number(line.b.mean, line.unit, digits=digits.new)}{percent}"
    unit = "" if line.unit == SHARE else f" {_find(line).sentence_unit}"
    if not line.is_comparable:
        return f"A: {a}{unit}, B: {b}{unit}"
    difference = format_number(line.difference.mean, line.unit, True)
    values = f"{b} instead of {a}{unit}" if a != b else f"{b}{unit}"
    return f"{values} ({difference}{_name_points(line)}{_format_give_or_take(line)})"


def _format_give_or_take(line: Line) -> str:
    if not line.difference.has_interval:
        return ""
    return f", give or take {format_number(line.difference.half_width, line.unit)}"


def _list_open(lines: Sequence[Line], split_metrics: Collection[str]) -> Iterator[str]:
    """Wins by seat, shared wins: no answer yet; up to 180,000 more matches of each may settle them."""
    if not lines:
        return
    titles = _capitalize(_list_titles(lines, with_parts=split_metrics))
    if len(lines) == 1 and lines[0].is_informative:
        (line,) = lines
        low, high = (format_number(end, line.unit, True) for end in (line.low, line.high))
        between = f"the difference is between {low} and {high}{_name_points(line)}"
        yield f"{titles}: no answer yet ({between}); {forecast_matches(lines)}."
        return
    few = "" if any(line.is_informative for line in lines) else " with so few matches"
    yield f"{titles}: no answer yet{few}; {forecast_matches(lines)}."


def _list_without_verdict(lines: Sequence[Line], split_metrics: Collection[str]) -> Iterator[str]:
    """Winning margin, average score: no verdict, because celtica and keltis count different points."""
    for problem in dict.fromkeys(line.problem for line in lines):
        alike = [line for line in lines if line.problem == problem]
        titles = _list_titles(alike, with_parts=split_metrics)
        yield f"{_capitalize(titles)}: no verdict, because {problem}."


def forecast_matches(lines: Sequence[Line]) -> str:
    """up to 180,000 more matches of each may settle them"""
    needed = [line.more for line in lines if line.more is not None]
    if not needed:
        return "more matches may settle it"
    most = max(needed)
    them = "it" if len(lines) == 1 else "them"
    if most >= FOREVER:
        return format_forecast(most)
    about = "about" if len(lines) == 1 else "up to"
    return f"{about} {format_rounded(most)} more matches of each may settle {them}"


def _list_titles(lines: Sequence[Line], *, with_parts: Collection[str] = ()) -> str:
    """wins by seat, shared wins; with the parts of some metrics: tallies (leaps, village visits)"""
    parts_by_metric: dict[str, list[str]] = {}
    for line in lines:
        parts_by_metric.setdefault(line.metric, []).append(line.part)
    titles = []
    for name, parts in parts_by_metric.items():
        title = find_metric(name).label
        which = f" ({_list_parts(name, parts)})" if name in with_parts and any(parts) else ""
        titles.append(f"{title[0].lower()}{title[1:]}{which}")
    return ", ".join(titles)


def _list_parts(metric: str, parts: Sequence[str]) -> str:
    """seats 2, 3; of other metrics the parts alone say what they are"""
    words = ", ".join(parts)
    if find_metric(metric).parts != "seat":
        return words
    return f"seats {words}" if len(parts) > 1 else f"seat {words}"


def _list_titles_and_parts(lines: Sequence[Line]) -> str:
    return _list_titles(lines, with_parts={line.metric for line in lines})


def _list_changes(lines: Sequence[Line]) -> str:
    changes = [_find(line).describe_change(_find_sign(line), line.part) for line in lines]
    return "; ".join([changes[0], *(change[0].lower() + change[1:] for change in changes[1:])])


def _name_others(lines: Sequence[Line], players: int) -> Iterator[str]:
    """The largest difference that no main metric tells of, and the names of the rest."""
    different = sort_others(lines)
    if not different:
        return
    first, *rest = different
    change = _find(first).describe_change(_find_sign(first), first.part)
    yield f"Also: {change[0].lower()}{change[1:]}, {_place_values(first, players)}."
    if rest:
        yield f"Other differences that matter: {_list_titles_and_parts(rest)}."


def sort_others(lines: Sequence[Line]) -> list[Line]:
    """Those that differ, the largest first; tallies last, because they explain and are no answer."""
    different = _sort_by_size(line for line in lines if line.verdict == DIFFERENT)
    return sorted(different, key=lambda line: _find(line).parts == TALLY)


# ---- several agents


def _list_disputes(contrast: Contrast) -> Iterator[str]:
    """What the agents contradict each other about, before anything else; the strongest one is named first."""
    for line in contrast.lines:
        if line.disagreement and _find(line).parts != TALLY:
            yield f"The agents disagree about {_list_titles_and_parts([line])}: {line.disagreement}."


def _compare_agents(contrast: Contrast, main: Sequence[Line]) -> Iterator[str]:
    """Whose numbers these are, and of each other agent, from the strongest, whether it sees the same."""
    names = dict.fromkeys(other.agent for line in main for other in line.other_agents)
    if not names:
        return
    decided = [line for line in main if line.verdict in (DIFFERENT, UNCLEAR) and not line.disagreement]
    agents = [_describe_agent(agent, decided) for agent in reversed(names)] if decided else []
    yield " ".join([f"The numbers are those of {contrast.agent}.", *agents])


def _describe_agent(agent: str, decided: Sequence[Line]) -> str:
    """mcts:64 agrees, except that it cannot tell yet about lead changes."""
    open_lines = [line for line in decided if not _confirms(agent, line)]
    if not open_lines:
        return f"{agent} agrees."
    if len(open_lines) == len(decided):
        return f"{agent} cannot tell yet whether it is so with it, too."
    return f"{agent} agrees, except that it cannot tell yet about {_list_titles_and_parts(open_lines)}."


def _confirms(agent: str, line: Line) -> bool:
    """Whether another agent's difference clearly has the sign of this line."""
    signs = {other.agent: find_clear_sign(other.difference) for other in line.other_agents}
    return signs.get(agent) == _find_sign(line)


def _capitalize(text: str) -> str:
    return text[0].upper() + text[1:]


# ---- while it plays, and what is left to play


def describe_interim_results(contrasts: Sequence[Contrast]) -> str:
    """1,024 matches of each: matches are longer (+3.4, give or take 0.4); 4 of 6 main metrics open"""
    matches = min((contrast.matches for contrast in contrasts), default=0)
    differences = [(contrast, line) for contrast in contrasts for line in _sort_decided(contrast.main_lines)]
    text = "no clear difference yet"
    if differences:
        contrast, line = differences[0]
        change = _find(line).describe_change(_find_sign(line), line.part)
        where = f"with {contrast.b} and {contrast.players} players " if len(contrasts) > 1 else ""
        difference = format_number(line.difference.mean, line.unit, True) + _name_points(line)
        text = f"{where}{change[0].lower()}{change[1:]} ({difference}{_format_give_or_take(line)})"
    return f"{matches:,} matches of each: {text}; {_count_open(contrasts)}"


def _sort_decided(lines: Sequence[Line]) -> list[Line]:
    """What differs, the largest first; then what differs by perhaps too little."""
    return [
        line
        for verdict in (DIFFERENT, UNCLEAR)
        for line in _sort_by_size(line for line in lines if line.verdict == verdict)
    ]


def _count_open(contrasts: Sequence[Contrast]) -> str:
    """4 of 6 main metrics open"""
    lines = [(contrast, line) for contrast in contrasts for line in contrast.main_lines]
    if not lines:
        return "too few matches yet"
    names = {(contrast.b, contrast.players, line.metric) for contrast, line in lines}
    still_open = {
        (contrast.b, contrast.players, line.metric) for contrast, line in lines if line.verdict in OPEN
    }
    return (
        f"{len(still_open)} of {len(names)} main metrics open" if still_open else "every main metric decided"
    )


def describe_rest(comparison: Comparison) -> str:
    """What is open and what it would take; empty if there is nothing to decide."""
    lines = [line for contrast in comparison.contrasts for line in contrast.main_lines]
    still_open = _list_open_lines(comparison)
    if not still_open:
        return "Every main metric is decided." if any(line.verdict != NONE for line in lines) else ""
    hopeless = [line for line in still_open if line.more is not None and line.more >= FOREVER]
    titles = _list_titles(still_open)
    if hopeless and len(hopeless) == len(still_open):
        return f"Open: {titles}. No number of matches you could wait for will settle that."
    beyond = f"; {_list_titles(hopeless)} will not be settled soon" if hopeless else ""
    return f"Open: {titles}. {_capitalize(_forecast_rest(comparison))}{beyond}."


def _forecast_rest(comparison: Comparison) -> str:
    """about 2,300 more matches of each (40 s) may settle shared wins, about 90,000 (26 min) all of them

    Where sizes take longest: about 2,300 more matches of each may settle shared wins, about 90,000 all that
    has no answer yet, about 700,000 the size of match length, too.
    """
    needed = count_missing_matches(comparison)
    if not any(line.is_informative for line in _list_open_lines(comparison)):
        most = format_rounded(max(needed.values()))
        return f"the first verdicts may come after about {most} more matches of each"
    title = min(needed, key=needed.__getitem__)
    settled = {needed[title]: title, max(needed.values()): "all of them"}
    unanswered = max(_count_missing(_list_open_lines(comparison), UNKNOWN).values(), default=0)
    if 0 < unanswered < max(needed.values()):
        sizes = _count_missing(_list_open_lines(comparison), UNCLEAR)
        longer = join_words([name for name, more in sizes.items() if more > unanswered])
        settled |= {unanswered: "all that has no answer yet"}
        settled |= {max(needed.values()): f"the size of {longer}, too"}
    texts = {
        format_rounded(more) + _add_duration(more, comparison): settled[more] for more in sorted(settled)
    }
    (first, what), *rest = texts.items()
    if not rest:
        return f"about {first} more matches of each may settle that"
    further = "".join(f", about {more} {others}" for more, others in rest)
    return f"about {first} more matches of each may settle {what}{further}"


def _add_duration(matches: int, comparison: Comparison) -> str:
    seconds = matches * comparison.match_seconds
    return f" ({format_duration(seconds)})" if math.isfinite(seconds) else ""


def _list_open_lines(comparison: Comparison) -> list[Line]:
    lines = [line for contrast in comparison.contrasts for line in contrast.main_lines]
    return [line for line in lines if line.verdict in OPEN]


def count_missing_matches(comparison: Comparison) -> dict[str, int]:
    """The matches of each variant that would probably settle an open main metric, by its title; without those
    that can hardly be settled.
    """
    return _count_missing(_list_open_lines(comparison), *OPEN)


def _count_missing(lines: Sequence[Line], *verdicts: str) -> dict[str, int]:
    """The same of the lines with these verdicts."""
    needed: dict[str, int] = {}
    for line in lines:
        if line.verdict in verdicts:
            title = _list_titles([line])
            needed[title] = max(needed.get(title, 1), line.more or 1)
    return {title: more for title, more in needed.items() if more < FOREVER}


def suggest_minutes(comparison: Comparison) -> int | None:
    """The minutes to play on for; None if nothing is open that matches can settle."""
    needed = count_missing_matches(comparison)
    if not needed:
        return None
    minutes = [more * comparison.match_seconds / 60 for more in needed.values()]
    if math.isnan(minutes[0]) or not any(line.is_informative for line in _list_open_lines(comparison)):
        return USUAL_MINUTES
    longest = max((needs for needs in minutes if needs <= CHOICES_OF_MINUTES[-1]), default=math.inf)
    return next((choice for choice in CHOICES_OF_MINUTES if choice >= longest), CHOICES_OF_MINUTES[-1])


# ---- one line of a table


def label_verdict(line: Line) -> str:
    """higher; lower, size open; same; open; no verdict"""
    direction = "higher" if line.low > 0 else "lower"
    return {
        DIFFERENT: direction,
        UNCLEAR: f"{direction}, size open",
        SAME: "same",
        UNKNOWN: "open",
        NONE: "no verdict",
    }[line.verdict]


def describe_verdict(line: Line, with_interval: bool = True) -> str:
    """The label, and what is known so far if that is not all: open, between -4.4 and +5.2; ~700 more"""
    label = label_verdict(line)
    if line.verdict == NONE and line.problem:
        return f"{label}: {line.problem}"
    if line.verdict != UNKNOWN:
        return label
    more = "" if line.more is None or line.more >= FOREVER else f"; ~{format_rounded(line.more)} more"
    if not line.is_informative:
        return f"{label}: too few matches yet{more}"
    low, high = (format_number(end, line.unit, True) for end in (line.low, line.high))
    between = f": between {low} and {high}" if with_interval else ""
    return f"{label}{between}{more}"
