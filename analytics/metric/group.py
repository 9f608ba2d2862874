"""Groups of metrics: each answers one question of a designer, in a section of the report and on a page."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class MetricGroup:
    """What reports and pages ask about a group beyond its metrics."""

    name: str
    title: str
    question: str
    # what its sentences need beside the metrics' own values
    needs_head_to_heads: bool = False  # line-ups in which different agents meet
    needs_luck_race: bool = False  # a race of pure luck to compare with


FAIRNESS = MetricGroup(name="fairness", title="Seats", question="Does any seat have an advantage?")
OUTCOME = MetricGroup(name="outcome", title="Endings", question="How does a match end?")
PACE = MetricGroup(name="pace", title="Pace", question="How long is a match, and how much do you decide?")
TENSION = MetricGroup(
    name="tension", title="Tension", question="Does the match stay open?", needs_luck_race=True
)
SKILL = MetricGroup(name="skill", title="Skill", question="Does playing well pay?", needs_head_to_heads=True)
STRATEGY = MetricGroup(name="strategy", title="Strategies", question="What do players use?")
GROUPS = {group.name: group for group in (FAIRNESS, OUTCOME, PACE, TENSION, SKILL, STRATEGY)}


def find_group(name: str) -> MetricGroup:
    """The group of this name; that of a plug-in has a plain question."""
    plain = MetricGroup(name=name, title=name.capitalize(), question=f"What about {name}?")
    return GROUPS.get(name, plain)
